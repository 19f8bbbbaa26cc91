package search

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"sonde/model"
	"sonde/runner/target/driver"
)

// observer sees what one copy of the service does. It is for one goroutine.
type observer interface {
	// begin lets go of all that was seen: a test begins.
	begin(ctx context.Context) error
	// reached is how near the service came since then to the targets that are asked for.
	reached(ctx context.Context) ([]model.Score, error)
	// settled is now behind a test, with what the service still does for it, as far
	// as it is waited for.
	settled(ctx context.Context) ([]model.Score, error)
	// lateScores is what the service came nearer to behind rested.
	lateScores(ctx context.Context) ([]model.Score, error)
	// ignoreActivity is called when calls of no test have moved the service.
	ignoreActivity()
	// setWanted asks for a target, which has a number and an ID, from the next begin on; or
	// not any more.
	setWanted(target int, id string, want bool)
	close()
}

// operandObserver is an eye that also sees what predicates compared in the test.
type operandObserver interface{ compared() []model.Compared }

// tracker keeps what an eye sees of one copy of the service, test by test. A nil
// one keeps nothing. One goroutine at a time owns it.
//
// What a service does behind the last look at a test counts for it still, as long
// as the next one has not begun. What it does later than that counts for another
// test.
type tracker struct {
	observer observer
	blind    bool     // nobody looks before the end, or any more
	ids      []string // of the targets that the run knew when it told
	dropped  int      // how many of those that it covered are not asked for
	begun    bool
	failures int             // tests in a row in which the eye saw nothing for an error
	ctx      context.Context // of the test of this moment

	marking    bool                // the next test is a sweep
	marks      map[string]int      // see played
	lastCall   int                 // the last call of the next test
	approaches map[string]approach // of the test of this moment, by target

	setUp, late, seen []model.Score // see played
	compared          []model.Compared
	nearCalls         []nearCall // see played
	err               error      // see played.unseen
}

// dropCovered lets the eye ask no more for what is covered: the paper's "only what is
// asked for". Order are the targets in the order in which they were covered.
func (w *tracker) dropCovered(order []int, ids []string) {
	if w == nil {
		return
	}
	w.ids = ids
	for ; w.dropped < len(order); w.dropped++ {
		w.observer.setWanted(order[w.dropped], ids[order[w.dropped]], false)
	}
}

// request lets the eye ask for some targets that are covered, or not any more.
func (w *tracker) request(targets []int, want bool) {
	for _, i := range targets {
		w.observer.setWanted(i, w.ids[i], want)
	}
}

// afterCall is what looks behind each call what is covered since the one before, nil
// where nobody sees.
func (w *tracker) afterCall() func(call int) {
	if w == nil || w.blind {
		return nil
	}
	return w.observeCall
}

// observeCall notes what a call of a sweep is the first to cover, and how near one of
// another test came that is not the last. What the service does for it in the
// background may be missed, or taken for the next call's.
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

// startTest looks at what has moved since the last look at the test before.
func (w *tracker) startTest(ctx context.Context) {
	if w == nil {
		return
	}
	w.setUp, w.late, w.seen, w.nearCalls, w.compared, w.marks, w.err = nil, nil, nil, nil, nil, map[string]int{}, nil
	if w.begun && !w.blind {
		w.late, w.err = w.observer.lateScores(ctx)
	}
}

// begin is called when the service is as it should be and a test begins. What it
// took to start and reset the service shows before the first.
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

// end is called when a test was played.
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

// conclude is called behind a test. An eye that fails sees nothing any more, unless
// it is only that nobody is there, who may come back: but not time and again.
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

// ignoreActivity is called when calls of no test have moved the service.
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

// aimedShare is how often a mutation of several calls that is to come nearer to a place
// in the source changes nothing but the call that came nearest.
const aimedShare = 0.8

// nearCall is a target, by its number in the search, and the call of a test that came
// nearest to it.
type nearCall struct{ target, call int32 }

func (n nearCall) compare(target int32) int { return cmp.Compare(n.target, target) }

// nearest returns the call that came nearest to a target: the last, or one before
// it that is known to.
func (t *trial) nearest(target int) int {
	if i, earlier := slices.BinarySearchFunc(t.nearCalls, int32(target), nearCall.compare); earlier {
		return int(t.nearCalls[i].call)
	}
	return len(t.test.Calls) - 1
}

// approach is how near the calls of a test came to a target by now, and which of them was
// the first to come so near.
type approach struct {
	score float64
	call  int
}

// noteApproach notes how near a test came by one of its calls.
func (w *tracker) noteApproach(call int, now []model.Score) {
	for _, sc := range now {
		if sc.H > w.approaches[sc.Target].score {
			w.approaches[sc.Target] = approach{sc.H, call}
		}
	}
}

// earlierCalls are the targets to which a call before the last came as near as the whole
// test.
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
