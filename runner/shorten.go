package runner

import (
	"context"
	"slices"

	"sonde/model"
	"sonde/runner/shrink"
)

// needed returns the calls of a test that some calls cannot do without, as far
// as links tell: they themselves, and those that they take something from, be it
// by way of others.
func needed(t model.Test, calls ...int) []int {
	var all []int
	for i := len(t.Calls) - 1; i >= 0; i-- {
		gives := func(l model.Link) bool { return l.From == i && slices.Contains(all, l.To) }
		if slices.Contains(calls, i) || slices.ContainsFunc(t.Links, gives) {
			all = append(all, i)
		}
	}
	slices.Reverse(all)
	return all
}

// only is a test with some of its calls, and the links between them.
func only(t model.Test, keep []int) model.Test {
	less := model.Test{Origin: t.Origin, Stubs: t.Stubs}
	for _, i := range keep {
		less.Calls = append(less.Calls, t.Calls[i])
	}
	for _, l := range t.Links {
		l.From, l.To = slices.Index(keep, l.From), slices.Index(keep, l.To)
		if l.From >= 0 && l.To >= 0 {
			less.Links = append(less.Links, l)
		}
	}
	return less
}

// faultQuestions is how often it is tried to show one fault with fewer calls.
const faultQuestions = 16

// trim tries to show each fault by the calls alone that its last one needs, as far as links
// tell. One play of few calls saves all plays of many, so it comes before all else that is
// done with what was found, errors first. What does not answer is left for later: it takes its
// time.
func (c *checking) trim(ctx context.Context) {
	worst := []model.Severity{model.SeverityError, model.SeverityWarning, model.SeverityNote}
	c.trimmed = len(c.book.faults)
	for _, severity := range worst {
		for i := range c.trimmed {
			switch f := c.book.faults[i]; {
			case f.Severity != severity || f.Status == 0 || f.Test == nil || c.endsUser(*f.Test):
			case c.resets:
				c.slice(ctx, i)
			default:
				c.trimAnew(ctx, i)
			}
		}
	}
}

// slice tries the calls that the last one of a fault's test takes something from. Without a
// reset what is left out may be there from earlier tests: then they have values of their own.
func (c *checking) slice(ctx context.Context, i int) {
	t := *c.book.faults[i].Test
	slim := needed(t, len(t.Calls)-1)
	switch {
	case len(slim) == len(t.Calls):
	case c.resets:
		c.shown(ctx, i, only(t, slim))
	default:
		c.shownAnew(ctx, i, only(t, slim))
	}
}

// shorten looks for the fewest calls that show a fault: those that its last one
// takes something from, and of these as few as will do. Room is left to repeat
// this fault and those after it. A service that does not answer is asked once
// only, for that takes its time. Without a reset only links tell what is not needed: a call
// that is left out may have been made by an earlier test.
func (c *checking) shorten(ctx context.Context, i int) {
	defer func(limit int) { c.limit = limit }(c.limit)
	c.limit -= c.due(i)
	if i >= c.trimmed || c.book.faults[i].Status == 0 {
		c.slice(ctx, i)
	}
	if c.book.faults[i].Status == 0 || !c.resets {
		return
	}
	t := *c.book.faults[i].Test
	last := len(t.Calls) - 1
	shrink.Subset(&shrink.Limit{Left: faultQuestions}, last, func(keep []int) bool {
		return c.shown(ctx, i, only(t, slices.Concat(keep, []int{last})))
	})
}

// shown reports whether a test shows a fault with fewer calls than before, for which
// it then stands. It may do so at a call before its last: then what is tried next
// may be longer than what is known.
func (c *checking) shown(ctx context.Context, i int, t model.Test) bool {
	now, _ := c.again(ctx, i, t)
	if now == nil || now.Test == nil {
		return false
	}
	c.book.show(i, *now)
	return true
}

// due is the number of requests that it takes to repeat the faults from one on.
func (c *checking) due(i int) int {
	n := 0
	for _, f := range c.book.faults[i:] {
		n += repetitions * (f.Calls + c.cost)
	}
	return n
}
