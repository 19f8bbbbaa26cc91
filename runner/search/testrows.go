package search

import (
	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/search/individual"
	"sonde/runner/search/mio"
)

// testRows inserts the rows of tests into the database of one copy of the service, and collects which queries return
// no rows. A nil testRows does nothing.
type testRows struct {
	box   *probedata.RowBox
	empty []model.EmptyQuery // queries of the last test that returned no rows
}

func newTestRows() (*testRows, error) {
	box, err := probedata.NewRowBox()
	if err != nil {
		return nil, err
	}
	return &testRows{box: box}, nil
}

// begin lets the service insert the rows of a test, and delete those of earlier tests. If the test continues on the state
// of the previous one and has no rows, begin keeps the rows of earlier tests.
func (d *testRows) begin(rows []model.Row, continues bool) error {
	if d == nil || continues && len(rows) == 0 {
		return nil
	}
	d.empty = nil
	return d.box.Begin(rows)
}

// afterCall returns a function that calls next and then notes the end of a call.
func (d *testRows) afterCall(next func(call int)) func(call int) {
	if d == nil {
		return next
	}
	return func(call int) {
		if next != nil {
			next(call)
		}
		d.box.EndCall(call)
	}
}

// end removes from a test the rows that the service has not inserted, such as those that a constraint of the database
// forbids. It also notes the queries that returned no rows.
func (d *testRows) end(t *model.Test) (err error) {
	if d == nil {
		return nil
	}
	t.Rows, d.empty, err = d.box.End()
	return err
}

// found returns the queries of the last test that returned no rows, and describes the tables that they name.
func (d *testRows) found() ([]model.EmptyQuery, []model.Table) {
	if d == nil {
		return nil, nil
	}
	return d.empty, d.box.Tables(d.empty)
}

func (d *testRows) close() {
	if d != nil {
		_ = d.box.Close() // an error leaves a temporary folder, nothing else
	}
}

// rowReplays has tests that wait to be played again. In the replay, the database has rows for a query that returned
// no rows before.
type rowReplays struct {
	waiting []rowReplay
	counts  map[string]int // key of a query → replays that were added
	sent    int            // requests sent for replays
}

// rowReplay has a call during which the service made a query, and the earlier calls from which the call takes values.
type rowReplay struct {
	individual *individual.Individual
	query      *individual.RowQuery
	parent     string // the ID of the whole test
}

const (
	// firstRowReplays is the number of replays after a query of an operation has returned no rows for the first time.
	firstRowReplays = 3
	// maxRowReplays bounds the replays for one query of an operation.
	maxRowReplays = 15
)

// observeQueries records the queries of a test that returned no rows, and plans to play the test again with rows. For a
// new query, it plans several replays. Each later test without rows that makes the query gets one replay, until there
// are maxRowReplays.
func (p *proposer) observeQueries(t *trial, done played) {
	if t.individual == nil || t.resumed != nil {
		return
	}
	a := &p.rowReplays
	if a.counts == nil {
		a.counts = map[string]int{}
	}
	for _, q := range p.tests.Rows.Observe(t.individual, done.emptyQueries, done.tables) {
		n := 0
		switch {
		case q.Call() >= len(t.test.Calls):
		case q.IsNew():
			n = firstRowReplays
		case len(t.test.Rows) == 0 && a.counts[q.Key()] < maxRowReplays:
			n = 1
		}
		a.counts[q.Key()] += n
		for range n {
			part := t.individual.KeepCalls(neededCalls(t.test, q.Call()))
			a.waiting = append(a.waiting, rowReplay{individual: part, query: q, parent: t.test.ID})
		}
	}
}

// nextRowReplay returns the next test to play again with rows. It returns nil if no such test is waiting, or if these
// tests have used up their share of the requests.
func (p *proposer) nextRowReplay() *mio.Candidate[*trial] {
	a := &p.rowReplays
	for len(a.waiting) > 0 && a.sent < p.shareOfCalls(p.plan.Sampling.Rows) {
		q := a.waiting[0]
		a.waiting = a.waiting[1:]
		ind := p.tests.Rows.With(p.chance, q.individual, q.query)
		if ind == nil {
			continue
		}
		a.sent += ind.Len() + p.pool.resetCost
		lineage := &model.TestLineage{Call: p.pool.requestsSent(), Rule: model.FromMutation, Parent: q.parent, Change: ind.Change()}
		return &mio.Candidate[*trial]{Individual: &trial{individual: ind, lineage: lineage}, Rule: mio.Sampled}
	}
	return nil
}
