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
	begun    bool
	failures int             // tests in a row whose coverage could not be read
	ctx      context.Context // of the current test

	marking    bool                // the current test is a sweep
	marks      map[string]int      // see played
	lastCall   int                 // index of the last call of the current test
	approaches map[string]approach // of the current test, by target

	setUp, late, seen []model.Score // see played
	compared          []model.ComparedOperands
	nearCalls         []nearCall // see played
	err               error      // see played.unseen
}

// dropCovered tells the observer to stop reporting covered targets, as in the paper: only wanted
// targets are reported. Order are the targets in the order in which they were covered.
func (w *tracker) dropCovered(order []int, ids []string) {
	if w == nil {
		return
	}
	w.ids = ids
	for ; w.dropped < len(order); w.dropped++ {
		w.observer.setWanted(order[w.dropped], ids[order[w.dropped]], false)
	}
}

// request sets whether some covered targets are reported.
func (w *tracker) request(targets []int, want bool) {
	for _, i := range targets {
		w.observer.setWanted(i, w.ids[i], want)
	}
}

// afterCall returns the function to call after each call of a test, nil if coverage is not read.
func (w *tracker) afterCall() func(call int) {
	if w == nil || w.blind {
		return nil
	}
	return w.observeCall
}

// observeCall notes which call of a sweep is the first to cover a target, and how near calls of
// other tests came. Background work of a call may be missed, or be attributed to the next call.
func (w *tracker) observeCall(call int) {
	if w.blind || w.err != nil || !w.marking && call >= w.lastCall {
		return
	}
	var now []model.Score
	now, w.err = w.observer.reached(w.ctx)
	if !w.marking {
		w.noteApproach(call, now)
		return
	}
	for _, sc := range now {
		if _, known := w.marks[sc.Target]; isCovered(sc) && !known {
			w.marks[sc.Target] = call
		}
	}
}

// startTest reads what has changed since the last reading of the test before.
func (w *tracker) startTest(ctx context.Context) {
	if w == nil {
		return
	}
	w.setUp, w.late, w.seen, w.nearCalls, w.compared, w.marks, w.err = nil, nil, nil, nil, nil, map[string]int{}, nil
	if w.begun && !w.blind {
		w.late, w.err = w.observer.lateScores(ctx)
	}
}

// begin is called when the service is ready and a test begins. Before the first test it reads what
// starting and resetting the service covered.
func (w *tracker) begin(ctx context.Context) {
	if w == nil || w.blind || w.err != nil {
		return
	}
	w.ctx = ctx
	if !w.begun {
		w.setUp, w.err = w.observer.reached(ctx)
		if w.err != nil {
			return
		}
		w.begun = true
	}
	w.approaches = map[string]approach{}
	w.err = w.observer.begin(ctx)
}

// end is called after a test was played.
func (w *tracker) end() {
	if w == nil || w.blind || w.err != nil {
		return
	}
	w.seen, w.err = w.observer.settled(w.ctx)
	w.nearCalls = w.earlierCalls()
	if e, ok := w.observer.(operandObserver); ok {
		w.compared = e.compared()
	}
}

// conclude is called at the end of a test. After an error the tracker becomes blind, unless the
// driver only did not answer: that is tolerated a few times in a row.
func (w *tracker) conclude(ctx context.Context) {
	switch {
	case w.err == nil:
		w.failures = 0
	case ctx.Err() != nil:
		w.err = nil
	default:
		w.failures++
		w.blind = w.blind || !errors.Is(w.err, driver.ErrNoAnswer) || w.failures == maxFailures
	}
}

func isCovered(s model.Score) bool { return s.H >= 1 }

// ignoreActivity is called after calls that belong to no test.
func (w *tracker) ignoreActivity() {
	if w != nil {
		w.observer.ignoreActivity()
	}
}

func (w *tracker) close() {
	if w != nil {
		w.observer.close()
	}
}

// nearCall is a target, by its number in the search, and the call of a test that came nearest to
// it.
type nearCall struct{ target, call int32 }

func (n nearCall) compare(target int32) int { return cmp.Compare(n.target, target) }

// approach is the best score of a target during a test, and the first call that reached it.
type approach struct {
	score float64
	call  int
}

// noteApproach notes how near a call of the test came.
func (w *tracker) noteApproach(call int, now []model.Score) {
	for _, sc := range now {
		if sc.H > w.approaches[sc.Target].score {
			w.approaches[sc.Target] = approach{sc.H, call}
		}
	}
}

// earlierCalls returns the targets to which a call before the last came as near as the whole test.
func (w *tracker) earlierCalls() []nearCall {
	var all []nearCall
	for _, sc := range w.seen {
		if on, known := w.approaches[sc.Target]; known && on.score >= sc.H && !isCovered(sc) && sc.Number > 0 {
			all = append(all, nearCall{int32(sc.Number), int32(on.call)})
		}
	}
	slices.SortFunc(all, func(a, b nearCall) int { return a.compare(b.target) })
	return all
}
