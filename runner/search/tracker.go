package search

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"sonde/model"
	"sonde/runner/target/driver"
)

// tracker collects the coverage of one copy of the service test by test. A nil tracker collects
// nothing. One goroutine at a time owns it.
//
// What a service does after the last reading of a test is credited to that test until the next
// one begins, and after that to the next.
type tracker struct {
	observer observer
	blind    bool     // coverage is read only at the end, or not any more
	ids      []string // IDs of the targets, as of the last dropCovered
	dropped  int      // number of covered targets that are no longer wanted
	started  bool
	failures int             // tests in a row whose coverage could not be read
	ctx      context.Context // of the current test

	marking    bool                 // the current test is a sweep
	marks      map[string]int       // see played
	lastCall   int                  // index of the last call of the current test
	bestScores map[string]bestScore // of the current test, by target

	setUp, late, seen []model.Score // see played
	compared          []model.ComparedOperands
	nearCalls         []nearCall // see played
	err               error      // see played.unseen
}

// dropCovered tells the observer to stop reporting covered targets, as in the paper: only wanted
// targets are reported. Order are the targets in the order in which they were covered.
func (t *tracker) dropCovered(order []int, ids []string) {
	if t == nil {
		return
	}
	t.ids = ids
	for ; t.dropped < len(order); t.dropped++ {
		t.observer.setWanted(order[t.dropped], ids[order[t.dropped]], false)
	}
}

// request sets whether some covered targets are reported.
func (t *tracker) request(targets []int, want bool) {
	for _, i := range targets {
		t.observer.setWanted(i, t.ids[i], want)
	}
}

// afterCall returns the function to call after each call of a test, nil if coverage is not read.
func (t *tracker) afterCall() func(call int) {
	if t == nil || t.blind {
		return nil
	}
	return t.observeCall
}

// observeCall notes which call of a sweep is the first to cover a target, and how near calls of
// other tests came. Background work of a call may be missed, or be attributed to the next call.
func (t *tracker) observeCall(call int) {
	if t.blind || t.err != nil || !t.marking && call >= t.lastCall {
		return
	}
	var now []model.Score
	now, t.err = t.observer.reached(t.ctx)
	if !t.marking {
		t.noteBestScores(call, now)
		return
	}
	for _, sc := range now {
		if _, known := t.marks[sc.Target]; isCovered(sc) && !known {
			t.marks[sc.Target] = call
		}
	}
}

// startTest reads what has changed since the last reading of the test before.
func (t *tracker) startTest(ctx context.Context) {
	if t == nil {
		return
	}
	t.setUp, t.late, t.seen, t.nearCalls, t.compared, t.marks, t.err = nil, nil, nil, nil, nil, map[string]int{}, nil
	if t.started && !t.blind {
		t.late, t.err = t.observer.lateScores(ctx)
	}
}

// begin is called when the service is ready and a test begins. Before the first test it reads what
// starting and resetting the service covered.
func (t *tracker) begin(ctx context.Context) {
	if t == nil || t.blind || t.err != nil {
		return
	}
	t.ctx = ctx
	if !t.started {
		t.setUp, t.err = t.observer.reached(ctx)
		if t.err != nil {
			return
		}
		t.started = true
	}
	t.bestScores = map[string]bestScore{}
	t.err = t.observer.begin(ctx)
}

// end is called after a test was played.
func (t *tracker) end() {
	if t == nil || t.blind || t.err != nil {
		return
	}
	t.seen, t.err = t.observer.settled(t.ctx)
	t.nearCalls = t.findNearCalls()
	if e, ok := t.observer.(operandObserver); ok {
		t.compared = e.compared()
	}
}

// conclude is called at the end of a test. After an error the tracker becomes blind, unless the
// driver only did not answer: that is tolerated a few times in a row.
func (t *tracker) conclude(ctx context.Context) {
	switch {
	case t.err == nil:
		t.failures = 0
	case ctx.Err() != nil:
		t.err = nil
	default:
		t.failures++
		t.blind = t.blind || !errors.Is(t.err, driver.ErrNoAnswer) || t.failures == maxFailures
	}
}

func isCovered(s model.Score) bool { return s.H >= 1 }

// ignoreActivity is called after calls that belong to no test.
func (t *tracker) ignoreActivity() {
	if t != nil {
		t.observer.ignoreActivity()
	}
}

func (t *tracker) close() {
	if t != nil {
		t.observer.close()
	}
}

// nearCall is a target, by its number in the search, and the call of a test that came nearest to
// it.
type nearCall struct{ target, call int32 }

func (n nearCall) compare(target int32) int { return cmp.Compare(n.target, target) }

// approach is the best score of a target during a test, and the first call that reached it.
type bestScore struct {
	score float64
	call  int
}

// noteApproach notes how near a call of the test came.
func (t *tracker) noteBestScores(call int, now []model.Score) {
	for _, sc := range now {
		if sc.H > t.bestScores[sc.Target].score {
			t.bestScores[sc.Target] = bestScore{sc.H, call}
		}
	}
}

// earlierCalls returns the targets to which a call before the last came as near as the whole test.
func (t *tracker) findNearCalls() []nearCall {
	var all []nearCall
	for _, sc := range t.seen {
		if on, known := t.bestScores[sc.Target]; known && on.score >= sc.H && !isCovered(sc) && sc.Number > 0 {
			all = append(all, nearCall{int32(sc.Number), int32(on.call)})
		}
	}
	slices.SortFunc(all, func(a, b nearCall) int { return a.compare(b.target) })
	return all
}
