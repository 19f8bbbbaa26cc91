package runner

import (
	"slices"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/oracle"
)

// ledger groups what is wrong with the service: each operation, oracle and
// signature is one fault. Where the status of the answer matters, the signature has it.
type ledger struct {
	judge  *oracle.Judge
	faults []model.Fault
	place  map[signed]int
	others map[broken]others

	open int // the first fault of a call without credentials, -1 for none

	exchanges []model.Exchange // that were judged last; kept for its memory
}

// signed is what makes two findings the same fault.
type signed struct {
	broken
	signature string
}

type broken struct {
	op     model.OpID
	oracle string
}

// others are the faults that break the same oracle at the same operation.
type others struct{ first, count int }

// maxSignatures is how many faults an operation and an oracle may have. What has
// yet another signature is counted as Merged by the first of them, which says so
// wherever it is shown: a service that puts something new into each message would
// otherwise fill the memory and the list.
const maxSignatures = 10

func newLedger(j *oracle.Judge) ledger {
	return ledger{judge: j, place: map[signed]int{}, others: map[broken]others{}, open: -1}
}

func keyOf(f model.Fault) signed {
	return signed{broken: broken{f.Op, f.Oracle}, signature: f.Signature}
}

// judged returns what is wrong with the answers to a test, of which the last
// call has the number at. Faults have their tests where those tell something
// new.
func (l *ledger) judged(t model.Test, results []client.Result, contacts []model.Contact, at int) []model.Fault {
	l.exchanges = l.exchanges[:0]
	for _, r := range results {
		l.exchanges = append(l.exchanges, r.Exchange)
	}
	found := l.judge.Judge(t, l.exchanges, contacts...)
	faults := make([]model.Fault, len(found))
	for i, f := range found {
		faults[i] = model.Fault{
			Op: t.Calls[f.Call].Op, Oracle: f.Oracle, Severity: oracle.SeverityOf(f.Oracle), Status: results[f.Call].Exchange.Reply.Status,
			Expected: f.Expected, Text: f.Came, Signature: f.Signature,
			Calls: f.Call + 1, At: at - len(results) + f.Call + 1,
		}
		if l.lacks(faults[i]) {
			faults[i].Test, faults[i].Seen = head(t, f.Call+1), seenIn(results[:f.Call+1])
		}
	}
	return faults
}

// lacks reports whether the test of a fault is wanted: nobody knows the fault, or
// only a longer test that shows it. Most faults of a search are found again and
// again.
func (l *ledger) lacks(f model.Fault) bool {
	i, known := l.place[keyOf(f)]
	return !known || f.Calls < l.faults[i].Calls
}

// head is the first calls of a test, with what ties them together.
func head(t model.Test, calls int) *model.Test {
	links := slices.DeleteFunc(slices.Clone(t.Links), func(l model.Link) bool { return l.To >= calls })
	return &model.Test{Origin: t.Origin, Calls: slices.Clip(t.Calls[:calls]), Links: slices.Clip(links), Stubs: t.Stubs}
}

// enter counts faults, and returns those that are new.
func (l *ledger) enter(faults ...model.Fault) []model.Fault {
	var fresh []model.Fault
	for _, f := range faults {
		if !l.judge.On(f.Oracle) {
			continue
		}
		key := keyOf(f)
		if i, known := l.place[key]; known {
			l.again(i, f)
			continue
		}
		if f.Oracle == oracle.AuthIgnored && l.open >= 0 && !l.judge.Enforces() {
			l.faults[l.open].Merged++ // the service asks nobody for credentials
			continue
		}
		if first, full := l.crowded(key.broken); full {
			l.faults[first].Merged++
			continue
		}
		f.Count = 1
		l.add(key, f)
		fresh = append(fresh, l.faults[len(l.faults)-1])
	}
	return fresh
}

// crowded returns the first fault of a kind, if there are too many to add another.
func (l *ledger) crowded(key broken) (first int, ok bool) {
	rest := l.others[key]
	return rest.first, rest.count >= maxSignatures
}

func (l *ledger) add(key signed, f model.Fault) {
	rest, some := l.others[key.broken]
	if !some {
		rest.first = len(l.faults)
	}
	rest.count++
	if f.Oracle == oracle.AuthIgnored && l.open < 0 {
		l.open = len(l.faults)
	}
	l.others[key.broken], l.place[key] = rest, len(l.faults)
	f.ID = model.FaultID(len(l.faults))
	l.faults = append(l.faults, f)
}

// again counts a fault that is known, and keeps the shorter test.
func (l *ledger) again(i int, f model.Fault) {
	l.faults[i].Count++
	if f.Calls < l.faults[i].Calls {
		l.show(i, f)
	}
}

// show lets a fault be shown by another test, which showed it, too.
func (l *ledger) show(i int, f model.Fault) {
	known := &l.faults[i]
	known.Calls, known.Test, known.Seen, known.Text, known.Expected = f.Calls, f.Test, f.Seen, f.Text, f.Expected
}
