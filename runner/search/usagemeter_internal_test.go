package search

import (
	"testing"
	"time"

	"sonde/model"
)

// A run that repeats an earlier run with a time limit ignores the clock. The record of the earlier run says which
// share of the budget is used after a number of tests and requests.
func TestUsageOfARepeatedRun(t *testing.T) {
	b := &budget{limits: model.Limits{Time: time.Nanosecond}, start: time.Now().Add(-time.Hour)}
	m := newUsageMeter(b, &model.ReplayedRun{Asked: 3, Calls: 30, Used: []model.Progress{
		{Asked: 1, Call: 4, Used: 0.2},
		{Asked: 2, Call: 9, Used: 0.3},
		{Asked: 2, Call: 15, Used: 0.5}, // the second test was played again
		{Asked: 4, Call: 30, Used: 1},   // the time ended during a fourth test, which was not judged
	}})
	for _, c := range []struct {
		asked, calls int
		want         float64
	}{{0, 0, 0}, {1, 4, 0.2}, {2, 9, 0.3}, {2, 14, 0.3}, {2, 15, 0.5}, {3, 20, 0.5}} {
		b.calls = c.calls
		m.advance(c.asked)
		if m.used != c.want || b.exhausted() {
			t.Errorf("after %d tests and %d requests %g is used, want %g; exhausted: %t", c.asked, c.calls, m.used, c.want, b.exhausted())
		}
	}
	if !m.ended(3) {
		t.Error("the run does not end after the tests of the repeated one")
	}
	if m.finish(); m.used != 1 || !b.exhausted() {
		t.Errorf("at the end %g is used; exhausted: %t", m.used, b.exhausted())
	}
}
