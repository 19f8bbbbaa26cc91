package runner

import (
	"context"
	"errors"

	"sonde/model"
	"sonde/runner/driver"
)

// eye sees what one copy of the service does. It is for one goroutine.
type eye interface {
	// begin lets go of all that was seen: a test begins.
	begin(ctx context.Context) error
	// now is how near the service came since then to the targets that are asked for.
	now(ctx context.Context) ([]model.Score, error)
	// rested is now behind a test, with what the service still does for it, as far
	// as it is waited for.
	rested(ctx context.Context) ([]model.Score, error)
	// late is what the service came nearer to behind rested.
	late(ctx context.Context) ([]model.Score, error)
	// calm is called when calls of no test have moved the service.
	calm()
	// ask asks for a target, which has a number and an ID, from the next begin on; or
	// not any more.
	ask(target int, id string, want bool)
	close()
}

// comparer is an eye that also sees what predicates compared in the test.
type comparer interface{ compared() []model.Compared }

// watch keeps what an eye sees of one copy of the service, test by test. A nil
// one keeps nothing. One goroutine at a time owns it.
//
// What a service does behind the last look at a test counts for it still, as long
// as the next one has not begun. What it does later than that counts for another
// test.
type watch struct {
	eye   eye
	blind bool     // nobody looks before the end, or any more
	ids   []string // of the targets that the run knew when it told
	told  int      // how many of those that it covered are not asked for
	begun bool
	vain  int             // tests in a row in which the eye saw nothing for an error
	ctx   context.Context // of the test of this moment

	marking bool           // the next test is a sweep
	marks   map[string]int // see played
	last    int            // the last call of the next test
	ways    map[string]way // of the test of this moment, by target

	setUp, late, seen []model.Score // see played
	compared          []model.Compared
	sooner            []near // see played
	err               error  // see played.unseen
}

// tell lets the eye ask no more for what is covered: the paper's "only what is
// asked for". Order are the targets in the order in which they were covered.
func (w *watch) tell(order []int, ids []string) {
	if w == nil {
		return
	}
	w.ids = ids
	for ; w.told < len(order); w.told++ {
		w.eye.ask(order[w.told], ids[order[w.told]], false)
	}
}

// also lets the eye ask for some targets that are covered, or not any more.
func (w *watch) also(targets []int, want bool) {
	for _, i := range targets {
		w.eye.ask(i, w.ids[i], want)
	}
}

// behind is what looks behind each call what is covered since the one before, nil
// where nobody sees.
func (w *watch) behind() func(call int) {
	if w == nil || w.blind {
		return nil
	}
	return w.mark
}

// mark notes what a call of a sweep is the first to cover, and how near one of
// another test came that is not the last. What the service does for it in the
// background may be missed, or taken for the next call's.
func (w *watch) mark(call int) {
	if w.blind || w.err != nil || !w.marking && call >= w.last {
		return
	}
	var now []model.Score
	now, w.err = w.eye.now(w.ctx)
	if !w.marking {
		w.follow(call, now)
		return
	}
	for _, sc := range now {
		if _, known := w.marks[sc.Target]; covering(sc) && !known {
			w.marks[sc.Target] = call
		}
	}
}

// before looks at what has moved since the last look at the test before.
func (w *watch) before(ctx context.Context) {
	if w == nil {
		return
	}
	w.setUp, w.late, w.seen, w.sooner, w.compared, w.marks, w.err = nil, nil, nil, nil, nil, map[string]int{}, nil
	if w.begun && !w.blind {
		w.late, w.err = w.eye.late(ctx)
	}
}

// begin is called when the service is as it should be and a test begins. What it
// took to start and reset the service shows before the first.
func (w *watch) begin(ctx context.Context) {
	if w == nil || w.blind || w.err != nil {
		return
	}
	w.ctx = ctx
	if !w.begun {
		w.setUp, w.err = w.eye.now(ctx)
		if w.err != nil {
			return
		}
		w.begun = true
	}
	w.ways = map[string]way{}
	w.err = w.eye.begin(ctx)
}

// end is called when a test was played.
func (w *watch) end() {
	if w == nil || w.blind || w.err != nil {
		return
	}
	w.seen, w.err = w.eye.rested(w.ctx)
	w.sooner = w.earlier()
	if e, ok := w.eye.(comparer); ok {
		w.compared = e.compared()
	}
}

// conclude is called behind a test. An eye that fails sees nothing any more, unless
// it is only that nobody is there, who may come back: but not time and again.
func (w *watch) conclude(ctx context.Context) {
	switch {
	case w.err == nil:
		w.vain = 0
	case ctx.Err() != nil:
		w.err = nil
	default:
		w.vain++
		w.blind = w.blind || !errors.Is(w.err, driver.ErrGone) || w.vain == patience
	}
}

func covering(s model.Score) bool { return s.H >= 1 }

// calm is called when calls of no test have moved the service.
func (w *watch) calm() {
	if w != nil {
		w.eye.calm()
	}
}

func (w *watch) close() {
	if w != nil {
		w.eye.close()
	}
}
