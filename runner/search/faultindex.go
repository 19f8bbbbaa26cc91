package search

import (
	"sonde/model"
	"sonde/runner/search/oracle"
	"sonde/runner/target/client"
)

// faultIndex groups findings into faults: one for each operation, oracle and signature. If the
// status of the answer matters, it is part of the signature.
type faultIndex struct {
	rules   *oracle.Judge
	faults  []model.Fault
	byKey   map[faultKey]int
	perRule map[faultRule]ruleFaults

	firstUnauthenticated int // the first fault of a call without credentials, -1 for none

	exchanges []model.Exchange // judged last; kept to reuse its memory
}

// faultKey identifies a fault: findings with the same key are the same fault.
type faultKey struct {
	faultRule
	signature string
}

type faultRule struct {
	op     model.OpID
	oracle string
}

// ruleFaults counts the faults of one oracle at one operation; first is the index of the first.
type ruleFaults struct{ first, count int }

// maxSignatures bounds the faults of one operation and oracle. Findings with further signatures
// are only counted, as Merged of the first of these faults. Otherwise a service that puts
// something new into each message would fill the memory and the list.
const maxSignatures = 10

func newFaultIndex(j *oracle.Judge) *faultIndex {
	return &faultIndex{rules: j, byKey: map[faultKey]int{}, perRule: map[faultRule]ruleFaults{}, firstUnauthenticated: -1}
}

func keyOf(f model.Fault) faultKey {
	return faultKey{faultRule: faultRule{f.Op, f.Oracle}, signature: f.Signature}
}

// find returns what is wrong with the answers to a test. At is the number of the test's last call
// in the run. A fault has a test only if that is new or shorter than the known one.
func (l *faultIndex) find(t model.Test, results []client.CallResult, contacts []model.Contact, at int) []model.Fault {
	l.exchanges = l.exchanges[:0]
	for _, r := range results {
		l.exchanges = append(l.exchanges, r.Exchange)
	}
	found := l.rules.JudgeTest(t, l.exchanges, contacts...)
	faults := make([]model.Fault, len(found))
	for i, f := range found {
		faults[i] = model.Fault{
			Op: t.Calls[f.Call].Op, Oracle: f.Oracle, Severity: oracle.SeverityOf(f.Oracle), Status: results[f.Call].Exchange.Reply.Status,
			Expected: f.Expected, Text: f.Actual, Signature: f.Signature,
			Calls: f.Call + 1, At: at - len(results) + f.Call + 1,
		}
		if l.wantsTest(faults[i]) {
			faults[i].Test, faults[i].Exchanges = testHead(t, f.Call+1), seenIn(results[:f.Call+1])
		}
	}
	return faults
}

// wantsTest reports whether the test of a fault is worth keeping: the fault is new, or its known
// test is longer. Most findings of a search repeat known faults.
func (l *faultIndex) wantsTest(f model.Fault) bool {
	i, known := l.byKey[keyOf(f)]
	return !known || f.Calls < l.faults[i].Calls
}

// count returns the number of faults.
func (l *faultIndex) count() int { return len(l.faults) }

// at returns a fault by its index, in the order of discovery.
func (l *faultIndex) at(i int) model.Fault { return l.faults[i] }

// all returns the faults in the order of discovery. The slice must not be changed.
func (l *faultIndex) all() []model.Fault { return l.faults }

// enabled reports whether an oracle is enabled.
func (l *faultIndex) enabled(oracle string) bool { return l.rules.Enabled(oracle) }

// isKnown reports whether a finding belongs to a known fault.
func (l *faultIndex) isKnown(f model.Fault) bool {
	_, known := l.byKey[keyOf(f)]
	return known
}

// setVerdict sets the verdict of a fault and returns the fault.
func (l *faultIndex) setVerdict(i int, v model.Verdict) model.Fault {
	l.faults[i].Verdict, l.faults[i].Unrepeated = v, ""
	return l.faults[i]
}

// setUnrepeated sets the reason why a fault has no verdict.
func (l *faultIndex) setUnrepeated(i int, reason string) { l.faults[i].Unrepeated = reason }

// setTest replaces the test of a fault.
func (l *faultIndex) setTest(i int, t *model.Test) { l.faults[i].Test = t }

// setRenamed replaces the test of a fault by one with fresh values, of which all calls are needed.
func (l *faultIndex) setRenamed(i int, t *model.Test) {
	l.faults[i].Test, l.faults[i].Calls = t, len(t.Calls)
}

// restore adds a fault of the run that is resumed.
func (l *faultIndex) restore(f model.Fault) {
	f.Unrepeated = ""
	l.rules.RememberFault(f)
	l.add(keyOf(f), f)
}

// record counts faults and returns those that are new.
func (l *faultIndex) record(faults ...model.Fault) []model.Fault {
	var fresh []model.Fault
	for _, f := range faults {
		if !l.rules.Enabled(f.Oracle) {
			continue
		}
		key := keyOf(f)
		if i, known := l.byKey[key]; known {
			l.recordAgain(i, f)
			continue
		}
		if f.Oracle == oracle.AuthIgnored && l.firstUnauthenticated >= 0 && !l.rules.EnforcesAuth() {
			l.faults[l.firstUnauthenticated].Merged++ // the service requires credentials nowhere
			continue
		}
		if first, full := l.full(key.faultRule); full {
			l.faults[first].Merged++
			continue
		}
		f.Count = 1
		l.add(key, f)
		fresh = append(fresh, l.faults[len(l.faults)-1])
	}
	return fresh
}

// full returns the first fault of a rule, and whether the rule has its maximum of faults.
func (l *faultIndex) full(key faultRule) (first int, ok bool) {
	rest := l.perRule[key]
	return rest.first, rest.count >= maxSignatures
}

func (l *faultIndex) add(key faultKey, f model.Fault) {
	rest, some := l.perRule[key.faultRule]
	if !some {
		rest.first = len(l.faults)
	}
	rest.count++
	if f.Oracle == oracle.AuthIgnored && l.firstUnauthenticated < 0 {
		l.firstUnauthenticated = len(l.faults)
	}
	l.perRule[key.faultRule], l.byKey[key] = rest, len(l.faults)
	f.ID = model.FaultID(len(l.faults))
	l.faults = append(l.faults, f)
}

// recordAgain counts a known fault and keeps the shorter test.
func (l *faultIndex) recordAgain(i int, f model.Fault) {
	l.faults[i].Count++
	if f.Calls < l.faults[i].Calls {
		l.replaceTest(i, f)
	}
}

// replaceTest replaces the test that shows a fault.
func (l *faultIndex) replaceTest(i int, f model.Fault) {
	known := &l.faults[i]
	known.Calls, known.Test, known.Exchanges, known.Text, known.Expected = f.Calls, f.Test, f.Exchanges, f.Text, f.Expected
}
