package search

import (
	"slices"
	"time"

	"sonde/model"
	"sonde/runner/search/oracle"
	"sonde/runner/target/client"
)

// faultIndex groups findings into faults: one fault for each operation, oracle and signature. If the status of
// the answer matters, it is part of the signature. Faults have indexes in the order of discovery.
type faultIndex struct {
	rules   *oracle.Rules
	faults  []model.Fault
	byKey   map[faultKey]int
	perRule map[faultRule][]int // operation and oracle → indexes of the faults

	suspicions []suspicion // no two of them have the same key

	firstUnauthenticated int // index of the first fault of oracle.AuthIgnored, -1 for none

	exchanges []model.Exchange // the exchanges judged last, kept to reuse their memory
}

// suspicion is a finding that must recur before it becomes a fault; see oracle.IsRelation. The test of the first finding
// is played. If it does not show the finding again, the test of the last finding is played. That is often a follow-up
// test, which only checks this relation.
type suspicion struct {
	first, last model.Fault // findings with the same key; last has no test if there was only one finding
}

// faultKey identifies a fault: findings with the same key are the same fault. If the status of the
// answer matters for the oracle, the signature contains the status.
type faultKey struct {
	faultRule
	signature string
}

type faultRule struct {
	op     model.OpID
	oracle string
}

// maxSignatures bounds the faults of one operation and oracle. When it is reached, a finding with a further signature
// is not a fault of its own. It only raises the count Merged of the first fault of the same severity. Without this
// bound, a service whose messages are all different would fill the memory and the list of faults. Faults of severity
// error have a bound of their own. The many warnings for invalid requests therefore do not hide the fault of a valid
// request.
const maxSignatures = 10

func newFaultIndex(rules *oracle.Rules) *faultIndex {
	return &faultIndex{rules: rules, byKey: map[faultKey]int{}, perRule: map[faultRule][]int{}, firstUnauthenticated: -1}
}

func keyOf(f model.Fault) faultKey {
	return faultKey{faultRule: faultRule{f.Op, f.Oracle}, signature: f.Signature}
}

// find returns the faults in the answers to a test. at is the number that the test's last call has in the run. A
// fault has its test only if wantsTest is true for the fault.
func (f *faultIndex) find(t model.Test, results []client.CallResult, contacts []model.Contact, at int) []model.Fault {
	f.exchanges = f.exchanges[:0]
	for _, r := range results {
		f.exchanges = append(f.exchanges, r.Exchange)
	}
	found := f.rules.Findings(t, f.exchanges, contacts...)
	faults := make([]model.Fault, len(found))
	for i, finding := range found {
		faults[i] = model.Fault{
			Op:        t.Calls[finding.Call].Op,
			Oracle:    finding.Oracle,
			Severity:  oracle.SeverityOf(finding.Oracle),
			Status:    results[finding.Call].Exchange.Reply.Status,
			Expected:  finding.Expected,
			Text:      finding.Actual,
			Signature: finding.Signature,
			Compared:  finding.Compared,
			Calls:     finding.Call + 1,
			At:        at - len(results) + finding.Call + 1,
		}
		if f.mayReplace(faults[i]) {
			f.classify(&faults[i], t, finding.Call)
		}
		if f.wantsTest(faults[i]) {
			faults[i].Test, faults[i].Exchanges = testHead(t, finding.Call+1), excerptsOf(results[:finding.Call+1])
			if oracle.IsRelation(finding.Oracle) {
				faults[i].Test.Pause = listPause
			}
		}
	}
	return faults
}

// listPause is how long the service gets for its lists to become up to date. Search engines refresh their indexes each
// second by default.
const listPause = 1500 * time.Millisecond

// classify sets the input of a fault, which says how valid the request of its call is, and the severity that follows
// from the input. t must be the test with which find was called last.
func (f *faultIndex) classify(fault *model.Fault, t model.Test, call int) {
	if call >= 0 && call < len(f.exchanges) {
		fault.Input = f.rules.InputOf(t, f.exchanges, call)
		fault.Severity = oracle.SeverityWith(fault.Oracle, fault.Input)
	}
}

// mayReplace reports whether the test of a fault may be kept. If so, the input of the fault must be known before
// wantsTest decides.
func (f *faultIndex) mayReplace(fault model.Fault) bool {
	i, known := f.byKey[keyOf(fault)]
	return !known || fault.Calls < f.faults[i].Calls || fault.Severity != model.SeverityNote && f.faults[i].Input.Rank() > 0
}

// wantsTest reports whether the test of a fault should be kept: the fault is new, or its test is better than the kept
// one. Most findings of a search repeat known faults, whose tests need not be kept.
func (f *faultIndex) wantsTest(fault model.Fault) bool {
	i, known := f.byKey[keyOf(fault)]
	return !known || fault.IsBetterShown(f.faults[i])
}

func (f *faultIndex) count() int { return len(f.faults) }

func (f *faultIndex) at(i int) model.Fault { return f.faults[i] }

// all returns the faults in the order of discovery. The slice must not be changed.
func (f *faultIndex) all() []model.Fault { return f.faults }

func (f *faultIndex) enabled(oracle string) bool { return f.rules.Enabled(oracle) }

// isKnown reports whether a finding belongs to a fault that is already in the index.
func (f *faultIndex) isKnown(fault model.Fault) bool {
	_, known := f.byKey[keyOf(fault)]
	return known
}

// setVerdict sets the verdict of a fault and returns the fault.
func (f *faultIndex) setVerdict(i int, v model.Verdict) model.Fault {
	f.faults[i].Verdict, f.faults[i].Unrepeated = v, ""
	return f.faults[i]
}

// setUnrepeated sets the reason why a fault has no verdict.
func (f *faultIndex) setUnrepeated(i int, reason string) { f.faults[i].Unrepeated = reason }

func (f *faultIndex) setTest(i int, t *model.Test) { f.faults[i].Test = t }

// setRenamed replaces the test of a fault by the same test with fresh values. The last call of the test
// shows the fault, and compared has the earlier calls that its oracle compares.
func (f *faultIndex) setRenamed(i int, t *model.Test, compared []int) {
	t.Pause = f.faults[i].Test.Pause // t may have been played without it
	f.faults[i].Test, f.faults[i].Calls, f.faults[i].Compared = t, len(t.Calls), compared
}

// restore adds a fault of the run that is resumed.
func (f *faultIndex) restore(fault model.Fault) {
	fault.Unrepeated = ""
	f.rules.RememberFault(fault)
	f.add(keyOf(fault), fault)
}

// record counts findings and returns those that are new faults of the index. It ignores findings of disabled oracles.
// A finding that must recur before it is a fault becomes a suspicion.
func (f *faultIndex) record(faults ...model.Fault) []model.Fault {
	var certain []model.Fault
	for _, fault := range faults {
		if oracle.IsRelation(fault.Oracle) && !f.isKnown(fault) {
			f.suspect(fault)
			continue
		}
		certain = append(certain, fault)
	}
	return f.recordCertain(certain...)
}

// suspect adds a finding to the suspicions. If it repeats a suspicion, it becomes the last finding of this suspicion.
// suspect ignores a finding without a test or of a disabled oracle, and a new one if there are maxSuspicions.
func (f *faultIndex) suspect(fault model.Fault) {
	if fault.Test == nil || !f.rules.Enabled(fault.Oracle) {
		return
	}
	at := slices.IndexFunc(f.suspicions, func(s suspicion) bool { return keyOf(s.first) == keyOf(fault) })
	switch {
	case at >= 0:
		f.suspicions[at].last = fault
	case len(f.suspicions) < maxSuspicions:
		f.suspicions = append(f.suspicions, suspicion{first: fault})
	}
}

// eachSuspicion calls confirm with the first finding of each suspicion. After that, it calls confirm with the last
// finding of each suspicion that has not become a fault. confirm may add suspicions.
func (f *faultIndex) eachSuspicion(confirm func(model.Fault)) {
	firsts := 0
	for i := 0; ; i++ {
		for ; firsts < len(f.suspicions); firsts++ {
			confirm(f.suspicions[firsts].first)
		}
		if i == len(f.suspicions) {
			return
		}
		if s := f.suspicions[i]; s.last.Test != nil && !f.isKnown(s.first) {
			confirm(s.last)
		}
	}
}

// maxSuspicions bounds the suspicions of a run, because each is repeated once or twice with a pause.
const maxSuspicions = 50

// recordCertain is like record, but makes no suspicions. A new finding becomes a fault at once, unless it only raises
// the count Merged of another fault; see maxSignatures.
func (f *faultIndex) recordCertain(faults ...model.Fault) []model.Fault {
	var fresh []model.Fault
	for _, fault := range faults {
		if !f.rules.Enabled(fault.Oracle) {
			continue
		}
		key := keyOf(fault)
		if i, known := f.byKey[key]; known {
			f.recordAgain(i, fault)
			continue
		}
		if fault.Oracle == oracle.AuthIgnored && f.firstUnauthenticated >= 0 && !f.rules.EnforcesAuth() {
			f.faults[f.firstUnauthenticated].Merged++ // a fault at the first operation is enough: the service requires credentials nowhere
			continue
		}
		if same := f.perRule[key.faultRule]; f.isFull(same, fault.Severity) {
			f.faults[f.firstOf(same, fault.Severity)].Merged++
			continue
		}
		fault.Count = 1
		f.add(key, fault)
		fresh = append(fresh, f.faults[len(f.faults)-1])
	}
	return fresh
}

// firstOf returns the index of the first of some faults that has the given severity. If none has it, firstOf returns the
// index of the first of them. same has the indexes of these faults.
func (f *faultIndex) firstOf(same []int, severity model.Severity) int {
	for _, i := range same {
		if f.faults[i].Severity == severity {
			return i
		}
	}
	return same[0]
}

// isFull reports whether the index takes no further fault of the given severity. same has the indexes of the faults
// that have the same operation and oracle.
func (f *faultIndex) isFull(same []int, severity model.Severity) bool {
	if len(same) < maxSignatures {
		return false
	}
	errors := 0
	for _, i := range same {
		if f.faults[i].Severity == model.SeverityError {
			errors++
		}
	}
	return severity != model.SeverityError || errors >= maxSignatures
}

func (f *faultIndex) add(key faultKey, fault model.Fault) {
	if fault.Oracle == oracle.AuthIgnored && f.firstUnauthenticated < 0 {
		f.firstUnauthenticated = len(f.faults)
	}
	f.perRule[key.faultRule], f.byKey[key] = append(f.perRule[key.faultRule], len(f.faults)), len(f.faults)
	fault.ID = model.FaultID(len(f.faults))
	f.faults = append(f.faults, fault)
}

// recordAgain counts a known fault and keeps the better one of the two tests.
func (f *faultIndex) recordAgain(i int, fault model.Fault) {
	f.faults[i].Count++
	if fault.IsBetterShown(f.faults[i]) {
		f.replaceTest(i, fault)
	}
}

// replaceTest replaces the test, the exchanges, the texts and the input of a known fault by those of fault.
func (f *faultIndex) replaceTest(i int, fault model.Fault) {
	known := &f.faults[i]
	known.Calls, known.Test, known.Exchanges = fault.Calls, fault.Test, fault.Exchanges
	known.Text, known.Expected = fault.Text, fault.Expected
	known.Input, known.Severity = fault.Input, fault.Severity
}
