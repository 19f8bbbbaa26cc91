package search

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"sonde/model"
	"sonde/runner/target/driver"
)

// testCoverage is what a tracker collects for one test. It is empty if coverage of the source is not measured.
type testCoverage struct {
	// codeScores are the scores of the code targets that the test reached.
	codeScores []model.Score
	// setUpScores are the scores of starting and resetting the service. Only the first test of a worker
	// has them.
	setUpScores []model.Score
	// lateScores are the scores that the previous test of the worker reached after its end.
	lateScores []model.Score
	// firstCalls maps the ID of a code target to the index of the first call that covered it. Only sweeps have entries.
	firstCalls map[string]int
	// nearCalls has an entry for each uncovered code target to which a call before the last call came nearest. It is
	// sorted by target. Sweeps have no nearCalls.
	nearCalls []nearCall
	// operands are the operands that the service compared.
	operands []model.ComparedOperands
	// coverageErr is the reason why the coverage could not be read, nil if it was read or not wanted.
	coverageErr error
}

// tracker collects the coverage of one copy of the service, test by test. A nil tracker collects
// nothing. It is owned by one goroutine at a time.
//
// Work that a service does between the last reading of a test and the start of the next test is
// credited to the first of the two tests. Later work is credited to the next test.
type tracker struct {
	observer     observer
	blind        bool     // coverage is read only at the end of the run, or no longer
	ids          []string // IDs of the targets, as of the last dropCovered
	droppedCount int      // number of covered targets that are no longer wanted
	started      bool     // setUpScores were read
	failures     int      // number of tests in a row whose coverage could not be read

	// The fields below are about the current test.
	testCoverage
	ctx        context.Context
	isSweep    bool
	lastCall   int                  // index of the last call
	bestScores map[string]bestScore // target ID → best score
}

// dropCovered makes the observer report no covered targets any more, as in the EvoMaster paper. order has the indexes of
// all covered targets in the order in which they were covered; ids has the IDs of all targets.
func (t *tracker) dropCovered(order []int, ids []string) {
	if t == nil {
		return
	}
	t.ids = ids
	for ; t.droppedCount < len(order); t.droppedCount++ {
		t.observer.setWanted(order[t.droppedCount], ids[order[t.droppedCount]], false)
	}
}

// setWanted sets whether the observer reports some targets, given by index.
func (t *tracker) setWanted(targets []int, want bool) {
	for _, i := range targets {
		t.observer.setWanted(i, t.ids[i], want)
	}
}

// afterCall returns the function that the client calls after each call of a test. It is nil if the coverage of
// tests is not read.
func (t *tracker) afterCall() func(call int) {
	if t == nil || t.blind {
		return nil
	}
	return t.observeCall
}

// observeCall reads the coverage after a call. For a sweep it notes which targets the call is the first to
// cover. For other tests it notes how near each call before the last came to each target. Background work of
// a call may be missed, or be attributed to the next call.
func (t *tracker) observeCall(call int) {
	if t.blind || t.coverageErr != nil || !t.isSweep && call >= t.lastCall {
		return
	}
	var now []model.Score
	now, t.coverageErr = t.observer.reached(t.ctx)
	if !t.isSweep {
		t.noteBestScores(call, now)
		return
	}
	for _, sc := range now {
		if _, known := t.firstCalls[sc.Target]; isCovered(sc) && !known {
			t.firstCalls[sc.Target] = call
		}
	}
}

// beginStart forgets what the service has covered, because the service starts again.
func (t *tracker) beginStart() error {
	if t == nil {
		return nil
	}
	if p, ok := t.observer.(*probeObserver); ok {
		return p.beginStart()
	}
	return nil
}

// startTest clears the results, and reads the scores that the previous test reached after its end. It is
// called before the service is reset.
func (t *tracker) startTest(ctx context.Context) {
	if t == nil {
		return
	}
	t.testCoverage = testCoverage{firstCalls: map[string]int{}}
	if t.started && !t.blind {
		t.lateScores, t.coverageErr = t.observer.lateScores(ctx)
	}
}

// begin begins to read the coverage of a test. It is called after the reset, just before the first call of
// the test. Before the first test it reads what starting and resetting the service covered.
func (t *tracker) begin(ctx context.Context) {
	if t == nil || t.blind || t.coverageErr != nil {
		return
	}
	t.ctx = ctx
	if !t.started {
		t.setUpScores, t.coverageErr = t.observer.reached(ctx)
		if t.coverageErr != nil {
			return
		}
		t.started = true
	}
	t.bestScores = map[string]bestScore{}
	t.coverageErr = t.observer.begin(ctx)
}

// end reads the coverage of a test. It is called after the last call.
func (t *tracker) end() {
	if t == nil || t.blind || t.coverageErr != nil {
		return
	}
	t.codeScores, t.coverageErr = t.observer.settled(t.ctx)
	t.nearCalls = t.findNearCalls()
	if e, ok := t.observer.(operandObserver); ok {
		t.operands = e.compared()
	}
}

// noteError handles the coverageErr of the current test, if it is set. The tracker becomes blind. If the error is
// that the driver did not answer, the tracker becomes blind only after maxFailures such tests in a row. If ctx has
// ended, noteError only clears the error.
func (t *tracker) noteError(ctx context.Context) {
	switch {
	case t.coverageErr == nil:
		t.failures = 0
	case ctx.Err() != nil:
		t.coverageErr = nil
	default:
		t.failures++
		t.blind = t.blind || !errors.Is(t.coverageErr, driver.ErrNoAnswer) || t.failures == maxFailures
	}
}

// isCovered reports whether a score means that its target is covered.
func isCovered(s model.Score) bool { return s.H >= 1 }

// ignoreActivity excludes what the service has done since the last reading. It is called after requests that
// belong to no test.
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

// nearCall is a target, given by its number in the search, and the index of the call that came nearest to
// the target.
type nearCall struct{ target, call int32 }

func (n nearCall) compare(target int32) int { return cmp.Compare(n.target, target) }

// bestScore is the best score of a target during a test, and the first call that reached it.
type bestScore struct {
	score float64
	call  int
}

// noteBestScores notes the scores after a call that are better than the scores after earlier calls.
func (t *tracker) noteBestScores(call int, now []model.Score) {
	for _, sc := range now {
		if sc.H > t.bestScores[sc.Target].score {
			t.bestScores[sc.Target] = bestScore{sc.H, call}
		}
	}
}

// findNearCalls returns, sorted by target, the uncovered targets for which a call before the last already had the
// best score of the whole test.
func (t *tracker) findNearCalls() []nearCall {
	var all []nearCall
	for _, sc := range t.codeScores {
		if on, known := t.bestScores[sc.Target]; known && on.score >= sc.H && !isCovered(sc) && sc.Number > 0 {
			all = append(all, nearCall{int32(sc.Number), int32(on.call)})
		}
	}
	slices.SortFunc(all, func(a, b nearCall) int { return a.compare(b.target) })
	return all
}
