package runner

import (
	"context"
	"slices"

	"sonde/model"
)

// proveFault repeats a fault of a run without a reset. Each time its test has values that
// no test sent before, so that nothing which is left from others can be why it comes.
func (c *checking) proveFault(ctx context.Context, i int) {
	if i >= c.trimmed {
		c.slice(ctx, i)
	}
	t := *c.book.faults[i].Test
	if f := c.book.faults[i]; c.history.turned(f.Op, f.Status) {
		c.conclude(i, model.EarlierState)
		return
	}
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

// onceMore plays a fault's test again with the same values, and notes what then differs.
func (c *checking) onceMore(ctx context.Context, i int) {
	t := *c.book.faults[i].Test
	p, ok := c.aside.play(ctx, t)
	if ok = ok && c.shows(i, p); ok {
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
