package runner

import (
	"context"
	"slices"

	"sonde/model"
	"sonde/runner/shrink"
)

// proveFault repeats a fault of a run without a reset. Each time its test has values that
// no test sent before, so that nothing which is left from others can be why it comes.
func (c *checking) proveFault(ctx context.Context, i int) {
	if i >= c.trimmed {
		c.trimAnew(ctx, i)
	}
	if c.broken[i] {
		c.conclude(i, model.EarlierState)
		return
	}
	c.shortenAnew(ctx, i)
	t := *c.book.faults[i].Test
	if c.comesAnew(ctx, i, t, true) {
		return
	}
	shown := 0
	for range repetitions {
		p, ok := c.aside.play(ctx, t)
		switch {
		case !ok:
			return
		case c.shows(i, p):
			shown++
		case shown == 0 && !sameWay(t.Calls, p.test.Calls):
			c.conclude(i, model.EarlierState)
			return
		default:
			c.conclude(i, model.Flaky)
			return
		}
		if c.history.wavering(p.test, p.results) >= 0 {
			c.conclude(i, model.EarlierState)
			return
		}
	}
	if len(c.history.borrowed(t)) > 0 {
		c.conclude(i, model.EarlierState)
		return
	}
	c.conclude(i, model.Reproducible)
}

// trimAnew cuts a fault's test to the calls that its last one takes something from, unless
// the fault is one of a state: there any calls show it.
func (c *checking) trimAnew(ctx context.Context, i int) {
	if c.fails(ctx, i) {
		c.broken[i] = true
		return
	}
	c.slice(ctx, i)
}

// fails reports whether calls that went well before now show a fault: then an earlier test
// brought the service into a state in which they do.
func (c *checking) fails(ctx context.Context, i int) bool {
	f := c.book.faults[i]
	t, ok := c.history.control(f.Test.Calls[len(f.Test.Calls)-1], keyOf(f))
	return ok && c.goesAs(ctx, t, func(p played) bool { return c.shows(i, p) })
}

// goesAs reports whether something is so of a test with values that no test sent before,
// and of the test as it is: such values may be why it is so.
func (a *aside) goesAs(ctx context.Context, t model.Test, is func(played) bool) bool {
	own, renamed := a.renamer(nil).rename(t)
	p, ok := a.play(ctx, own)
	if !ok || !is(p) {
		return false
	}
	if renamed {
		p, ok = a.play(ctx, t)
	}
	return ok && is(p)
}

// shortenAnew looks for the fewest calls that show a fault with values of their own. What
// a call takes from another one stays: it may be there from earlier tests, too.
func (c *checking) shortenAnew(ctx context.Context, i int) {
	defer func(limit int) { c.limit = limit }(c.limit)
	c.limit -= c.due(i)
	t := *c.book.faults[i].Test
	last := len(t.Calls) - 1
	free := slices.DeleteFunc(numbers(last), func(k int) bool { return slices.Contains(needed(t, last), k) })
	shrink.Subset(&shrink.Limit{Left: faultQuestions}, len(free), func(keep []int) bool {
		calls := []int{last}
		for _, k := range keep {
			calls = append(calls, free[k])
		}
		_, ok := c.shownAnew(ctx, i, only(t, needed(t, calls...)))
		return ok
	})
}

// confirmFaults plays the tests of reproducible faults once more, after those of all others
// and in the opposite order. What does not come again depends on a state of the service
// that later calls ended.
func (c *checking) confirmFaults(ctx context.Context) {
	for i, f := range slices.Backward(c.book.faults) {
		if f.Verdict != model.Reproducible || f.Test == nil || f.Status == 0 || c.lasting(i) {
			continue
		}
		own, _ := c.renamer(nil).rename(*f.Test)
		if p, ok := c.aside.play(ctx, own); ok && !c.shows(i, p) {
			c.conclude(i, model.EarlierState)
		}
	}
}

// comesAnew reports whether a fault comes each time with values of its own, and
// concludes that it can be reproduced. Its test then has such values. Where the faulty
// answer shows only what other tests created, the test first creates that itself, if it
// may be mended.
func (c *checking) comesAnew(ctx context.Context, i int, t model.Test, mend bool) bool {
	var last played
	for range repetitions {
		p, ok := c.shownAnew(ctx, i, t)
		if !ok {
			return false
		}
		last = p
	}
	if left := c.history.leftover(last.results); left != "" {
		if whole, ok := c.history.preceded(t, []string{left}); ok && mend && c.comesAnew(ctx, i, whole, false) {
			return true
		}
		c.conclude(i, model.EarlierState)
		return true
	}
	c.onceMore(ctx, i)
	c.conclude(i, model.Reproducible)
	return true
}

// onceMore plays a fault's test again with the same values, and notes what then differs, or
// that it could not be played.
func (c *checking) onceMore(ctx context.Context, i int) {
	t := *c.book.faults[i].Test
	p, ok := c.aside.play(ctx, t)
	if !ok {
		t.EarlierState = notProven
		c.book.faults[i].Test = &t
		return
	}
	ok = c.shows(i, p)
	if ok {
		t, ok = tolerant(t, p.test)
	}
	if !ok {
		t.EarlierState = "its values can be used once"
	}
	c.book.faults[i].Test = &t
}

// tolerant returns a test whose calls before the last may be answered in any way where
// they were answered otherwise when it was played again, and false if one may not.
func tolerant(t, again model.Test) (model.Test, bool) {
	ok := true
	for k := range t.Calls[:len(t.Calls)-1] {
		if ok && again.Calls[k].Status != t.Calls[k].Status {
			t, ok = loosen(t, k)
		}
	}
	return t, ok
}

// shownAnew reports whether a test shows a fault with values of its own, and stands for
// the fault from then on.
func (c *checking) shownAnew(ctx context.Context, i int, t model.Test) (played, bool) {
	own, _ := c.renamer(nil).rename(t)
	p, ok := c.aside.play(ctx, own)
	if !ok || !c.shows(i, p) || c.history.wavering(p.test, p.results) >= 0 {
		return p, false
	}
	f := &c.book.faults[i]
	f.Test, f.Calls = &p.test, len(p.test.Calls)
	return p, true
}

// shows reports whether the last call of a played test shows a fault, and enters those
// that were not known.
func (c *checking) shows(i int, p played) bool {
	key := keyOf(c.book.faults[i])
	wrong := c.wrong(p)
	for _, f := range wrong {
		if _, known := c.book.place[keyOf(f)]; !known {
			c.report(nil, 0, c.book.enter(f))
		}
	}
	return slices.ContainsFunc(wrong, func(f model.Fault) bool { return keyOf(f) == key && f.Calls == len(p.test.Calls) })
}
