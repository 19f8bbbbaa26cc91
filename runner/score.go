package runner

import (
	"slices"

	"sonde/model"
	"sonde/runner/client"
)

// The rungs of a partial score. The paper knows only 0 and 1 for a status, by
// which Algorithm 1's populations would stay empty; so a call on the way to a
// declared status earns a rung for each thing that already went right. All
// together they stay below 1.
const (
	rungSent     = 0.1  // sent, or waiting for the creation that it is linked to
	rungWaiting  = 0.1  // waiting: up to so much more, the further the chain came
	rungLinked   = 0.3  // sent, and its resource was created before
	rungAllowed  = 0.1  // linked, and the answer does not forbid it to the sender
	rungAccepted = 0.1  // nor does it refuse the input
	rungClass    = 0.2  // linked, and the class of the status is right
	rungByChance = 0.05 // the class is right, on a resource that nobody created
)

// scores says how near a played test came to each target: those that are covered
// already are passed over unless they are covered again. The list is the targets'
// own: the next call makes it anew.
func (t *targets) scores(test model.Test, results []client.Result) []model.Score {
	t.list, t.listed = t.list[:0], t.listed[:0]
	for i, c := range test.Calls {
		if i < len(results) {
			t.answered(c.Op, results[i].Exchange.Reply.Status, t.linked(test, i, results[i]))
		} else {
			t.waiting(t.goals[c.Op], progress(i, results))
		}
	}
	for _, target := range t.listed {
		t.at[target] = 0
	}
	return t.list
}

// linked reports whether a call's chain is complete: it names nothing that could
// have been created before, or what it names was.
func (t *targets) linked(test model.Test, i int, r client.Result) bool {
	return r.Linked && t.named(test, i)
}

// named reports whether what a call names was created before it, as far as it
// could have been.
func (t *targets) named(test model.Test, i int) bool {
	return !t.goals[test.Calls[i].Op].chained || slices.ContainsFunc(test.Links, func(l model.Link) bool { return l.To == i })
}

// lucky counts the calls that went well on a resource that could have been
// created before and was not: without a reset it is somebody else's, and not
// there the next time.
func (t *targets) lucky(test model.Test) int {
	n := 0
	for i, c := range test.Calls {
		if c.Status/100 == 2 && !t.named(test, i) {
			n++
		}
	}
	return n
}

// progress tells how far a chain came before the call i that it did not reach:
// the calls that went well, and half a call where the one that failed was at
// least allowed to its sender.
func progress(i int, results []client.Result) float64 {
	done := float64(succeeded(results))
	if n := len(results); n > 0 {
		if last := results[n-1].Exchange.Reply.Status; last > 0 && !forbidden(last) {
			done += 0.5
		}
	}
	return done / float64(i+1)
}

func succeeded(results []client.Result) int {
	n := 0
	for _, r := range results {
		if r.Exchange.Reply.Status/100 == 2 {
			n++
		}
	}
	return n
}

// add keeps the best score of each target, in the order of the calls.
func (t *targets) add(target int, h float64) {
	at := t.at[target]
	if at == 0 {
		t.list, t.listed = append(t.list, t.score(target, h)), append(t.listed, target)
		t.at[target] = len(t.list)
		return
	}
	t.list[at-1].H = max(t.list[at-1].H, h)
}

// waiting scores a call that was not reached.
func (t *targets) waiting(g *goals, progress float64) {
	h := rungSent + rungWaiting*(0.1+0.9*progress)
	t.add(g.hope, h)
	for _, p := range g.declared {
		if !t.covered[p.target] {
			t.add(p.target, h)
		}
	}
}

// answered scores a call that was made.
func (t *targets) answered(op model.OpID, got int, linked bool) {
	if got > 0 {
		t.add(t.answer(op, got), 1)
	}
	g := t.goals[op]
	t.add(g.hope, hope(got, linked))
	for _, p := range g.declared {
		if p.status != got && !t.covered[p.target] {
			t.add(p.target, partial(p.status, got, linked))
		}
	}
}

func partial(want, got int, linked bool) float64 {
	rightClass := got/100 == want/100
	switch {
	case !linked && rightClass:
		return rungSent + rungByChance
	case !linked:
		return rungSent
	}
	h := rungSent + rungLinked
	if got > 0 && !forbidden(got) {
		h += rungAllowed
		if !refused(got) {
			h += rungAccepted
		}
	}
	if rightClass {
		h += rungClass
	}
	return h
}

// hope is how good a call is to start from to the next server error: one that
// failed so is known, and its neighbours fail likewise.
func hope(got int, linked bool) float64 {
	if linked && got/100 == 5 {
		return rungSent + rungLinked
	}
	return partial(500, got, linked)
}

// forbidden reports whether a status is about who sent the request.
func forbidden(status int) bool { return status == 401 || status == 403 }

// refused reports whether a status says that the request did not get past the
// checks of its form.
func refused(status int) bool {
	switch status {
	case 400, 404, 405, 406, 410, 411, 413, 414, 415, 422, 429, 431:
		return true
	}
	return false
}
