package search

import (
	"fmt"

	"sonde/model"
	"sonde/runner/search/oracle"
	"sonde/runner/target/client"
)

// lastTest describes the end of a test.
type lastTest struct {
	test model.Test // the calls that were sent; none once the test was blamed
	at   int        // number of the last request

	results []client.CallResult // of the calls, possibly more
}

// blame returns a fault of the last call the first time it is called, later nil.
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

// faultScore returns the target that a test covers if it left the service without an answer. F may
// be nil.
func faultScores(f *model.Fault) []model.Score {
	if f == nil {
		return nil
	}
	return []model.Score{{Target: fmt.Sprintf("%s %s", f.Op, f.Label()), H: 1}}
}
