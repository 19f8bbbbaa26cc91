package runner

import (
	"context"
	"errors"
	"slices"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/oracle"
)

const (
	// checkShare is the share of the budget that may be used to look closer at
	// what was found. What is left of it goes back to the search.
	checkShare = 0.1
	// closerShare is the part of that which may be used to look for what a
	// search does not meet by itself.
	closerShare = 0.5
	// repetitions is how often a fault must come again to be reproducible.
	repetitions = 3
	// mostSilent is how many faults without an answer are repeated: each costs
	// as long as a call may take.
	mostSilent = 3
)

// checking is the part of a run that looks closer at what was found.
type checking struct {
	aside
	trimmed int // faults, from the first on, whose tests were tried with fewer calls
	// broken are the faults of a run without a reset that calls show which went well before.
	broken map[int]bool
}

// check makes the tests of faults short, looks for what a search does not meet by
// itself, and then repeats each fault.
func (e *engine) check(ctx context.Context) {
	e.budget.inCheck = true
	defer func() { e.budget.inCheck = false }()
	e.forget() // a service that dies now did not die of the last trial
	whole := e.portion(checkShare)
	c := &checking{aside: aside{engine: e, limit: whole}, broken: map[int]bool{}}
	c.trim(ctx)
	c.limit = c.sent + int(closerShare*float64(whole-c.sent))
	for _, t := range e.closer() {
		c.look(ctx, t)
	}
	c.limit = whole
	silent := 0
	for i := 0; i < len(e.book.faults); i++ {
		f := e.book.faults[i]
		if f.Status == 0 {
			silent++
		}
		switch {
		case f.Test == nil:
		case c.endsUser(*f.Test):
			c.book.faults[i].Unrepeated = "a call of it ended a user, and is not sent again"
		case f.Status > 0 || silent <= mostSilent:
			c.repeat(ctx, i)
		}
	}
	if !e.resets {
		c.confirmFaults(ctx)
	}
}

// play plays a test if there is room for it, and returns what is wrong with the
// answers. It reports whether they say anything.
func (c *checking) play(ctx context.Context, t model.Test) (done model.Test, wrong []model.Fault, ok bool) {
	p, ok := c.aside.play(ctx, t)
	if !ok {
		return t, nil, false
	}
	return p.test, c.wrong(p), true
}

// look plays a test that may show more than the search met. Without a reset it may have
// values that can be used once; it is played with values of its own first.
func (c *checking) look(ctx context.Context, t model.Test) {
	tests := []model.Test{t}
	if own, renamed := c.renamer(nil).rename(t); renamed && !c.resets {
		tests = []model.Test{own, t}
	}
	for _, t := range tests {
		done, wrong, ok := c.play(ctx, t)
		if ok {
			c.report(nil, 0, c.book.enter(wrong...))
		}
		if !ok || sameWay(t.Calls, done.Calls) {
			return
		}
	}
}

// repeat plays a fault's test until it is plain whether it comes again, after
// it has tried to make it shorter.
func (c *checking) repeat(ctx context.Context, i int) {
	if !c.resets && c.book.faults[i].Status > 0 && !c.lasting(i) {
		c.proveFault(ctx, i)
		return
	}
	c.shorten(ctx, i)
	for range repetitions {
		now, told := c.again(ctx, i, *c.book.faults[i].Test)
		switch {
		case !told:
			if c.more() && ctx.Err() == nil {
				c.book.faults[i].Unrepeated = "the calls before it were answered otherwise than at first"
			}
			return
		case now == nil && c.lasting(i):
			c.book.faults[i].Unrepeated = "it did not come again, but once is enough"
			return
		case now == nil:
			c.conclude(i, model.Flaky)
			return
		}
	}
	c.conclude(i, model.Reproducible)
}

// lasting reports whether a fault is one even if it came only once: a service
// that died has died.
func (c *checking) lasting(i int) bool {
	kind := model.FaultKind(c.book.faults[i].Oracle)
	return kind == model.ServiceDied || kind == model.ServiceHangs || kind == oracle.ConnectionLeak
}

// again plays a fault's test and returns the fault if it came again. Nothing is
// told by a test that could not be played, or that took another way before its
// last call because of what earlier tests left behind.
func (c *checking) again(ctx context.Context, i int, t model.Test) (now *model.Fault, told bool) {
	key := keyOf(c.book.faults[i])
	played, wrong, ok := c.play(ctx, t)
	if !ok {
		return nil, false
	}
	for _, f := range wrong {
		if _, known := c.book.place[keyOf(f)]; !known {
			c.report(nil, 0, c.book.enter(f))
		}
		if keyOf(f) == key && now == nil { // a test may show it more than once
			now = &f
		}
	}
	return now, now != nil || c.resets || sameWay(t.Calls, played.Calls)
}

// sameWay reports whether all calls but the last were answered as before.
func sameWay(before, now []model.Call) bool {
	last := len(before) - 1
	return slices.EqualFunc(before[:last], now[:last], func(a, b model.Call) bool { return a.Status == b.Status })
}

func (c *checking) conclude(i int, v model.Verdict) {
	f := &c.book.faults[i]
	f.Verdict, f.Unrepeated, c.unsaved = v, "", true
	told := *f
	told.Seen = nil // faults.json has it
	c.emit(model.Checked{Call: c.budget.calls, Fault: told})
}

// fail ends the run where an error leaves no other way.
func (e *engine) fail(ctx context.Context, err error) {
	if err != nil && !errors.Is(err, client.ErrBudget) && ctx.Err() == nil {
		e.err = err
	}
}

// explain says of each fault without a verdict why it has none.
func (e *engine) explain(ctx context.Context) {
	for i := range e.book.faults {
		f := &e.book.faults[i]
		switch {
		case f.Verdict != "" || f.Unrepeated != "":
		case ctx.Err() != nil:
			f.Unrepeated = "the run was stopped"
		case e.err != nil:
			f.Unrepeated = "the run ended before its time"
		case f.Test == nil:
			f.Unrepeated = "its calls were not kept"
		case f.Status == 0 && e.room():
			f.Unrepeated = "each try waits for an answer that does not come"
		default:
			f.Unrepeated = "no calls left"
		}
		if f.Test == nil || f.Test.EarlierState != "" {
			continue
		}
		t := *f.Test
		t.EarlierState = e.locksOut(t)
		if t.EarlierState == "" && e.history != nil && f.Verdict == "" && f.Status > 0 {
			t.EarlierState = notProven
		}
		f.Test = &t
	}
}
