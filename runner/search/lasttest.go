package search

import (
	"fmt"

	"sonde/model"
	"sonde/runner/search/oracle"
	"sonde/runner/target/client"
)

// lastTest is the last test of a worker. It is kept because a fault of the test may be noticed at its end or later.
type lastTest struct {
	test    model.Test          // has the calls that were sent; none after takeFault
	at      int                 // number of the last request in the run
	results []client.CallResult // at least one for each call
}

// takeFault returns a fault of the last call. It returns nil if there is no call, or if takeFault was called
// before.
func (l *lastTest) takeFault(kind model.FaultKind, text string) *model.Fault {
	n := len(l.test.Calls)
	if n == 0 {
		return nil
	}
	f := &model.Fault{
		Op:        l.test.Calls[n-1].Op,
		Oracle:    string(kind),
		Severity:  oracle.SeverityOf(string(kind)),
		Expected:  "an answer, and a service that keeps running",
		Text:      model.Excerpt([]byte(text)),
		Calls:     n,
		At:        l.at,
		Test:      testHead(l.test, n),
		Exchanges: excerptsOf(l.results[:min(n, len(l.results))]),
	}
	l.test.Calls = nil
	return f
}

// faultScores returns the score of the target that a fault of takeFault covers. It returns nil if f is nil.
func faultScores(f *model.Fault) []model.Score {
	if f == nil {
		return nil
	}
	return []model.Score{{Target: fmt.Sprintf("%s %s", f.Op, f.Label()), H: 1}}
}
