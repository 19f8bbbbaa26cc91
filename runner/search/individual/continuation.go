package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// continuationTries is how many templates are drawn to find one that can continue a test.
const continuationTries = 10

// continueTest extends a test that follows a template, and reports whether it did. It does one of these:
//   - It repeats the last call with the same values.
//   - It appends another template that needs a resource which the test creates. After that, it sometimes appends a
//     copy of the call that was last before. If no link starts at the original of this copy, it removes the original.
//
// Such tests make requests that the state of the service forbids: they create a second resource with the same name,
// or add an item to a cart that was already ordered. continueTest returns false if the test is too long, or if no
// drawn template fits.
func (e *extender) continueTest(r *rand.Rand, ind *Individual) bool {
	if r.IntN(3) == 0 || !e.templates.drawable() {
		return ind.repeatAtEnd(len(ind.calls)-1, e.maxCalls)
	}
	last := len(ind.calls) - 1
	for range continuationTries {
		if e.continueWith(r, ind, e.templates.draw(r), e.maxCalls) {
			if r.IntN(2) == 0 && ind.repeatAtEnd(last, e.maxCalls) && !isSource(ind.links, last) {
				ind.remove(last)
			}
			return true
		}
	}
	return false
}

// isSource reports whether at least one link starts at a call.
func isSource(links []model.Link, call int) bool {
	return slices.ContainsFunc(links, func(l model.Link) bool { return l.From == call })
}

// repeatAtEnd appends a copy of a call, with copies of the links into the call. Path parameters of the copy without a
// link get a link to the same parameter of the call, so that both calls name the same resource. repeatAtEnd returns
// false if the test has limit calls already.
func (ind *Individual) repeatAtEnd(at, limit int) bool {
	end := len(ind.calls)
	if end >= limit {
		return false
	}
	again := ind.calls[at].clone()
	again.step = ind.addStep(again.op.ID)
	ind.calls = append(ind.calls, again)
	for _, l := range slices.Clone(ind.links) {
		if l.To == at {
			ind.link(l, l.From, end)
		}
	}
	for i, prm := range again.op.Params {
		if prm.In == model.InPath {
			ind.linkParam(at, end, i)
		}
	}
	return true
}

// linkParam links a path parameter of a call to the same parameter of an earlier call of the same
// operation, so that both calls name the same resource. It does nothing if a link already sets the parameter.
func (ind *Individual) linkParam(from, to, param int) {
	p := ind.calls[to].op.Params[param]
	if ind.links.sets(to, p.In, p.Name) {
		return
	}
	ind.link(model.Link{In: p.In, Name: p.Name, Param: p.Name}, from, to)
}

// addStep adds a step of one call, and returns its index.
func (ind *Individual) addStep(op model.OpID) int {
	ind.steps = append(slices.Clip(ind.steps), model.TemplateStep{Op: op, Min: 1, Max: 1})
	return len(ind.steps) - 1
}

// continueWith appends the template's steps for which the test has no call, and links them to the
// test's calls. It changes nothing and returns false if the test has a call for none of the steps, or
// would have more than limit calls.
func (e *extender) continueWith(r *rand.Rand, ind *Individual, t model.Template, limit int) bool {
	at, lacks := ind.findSteps(t)
	if lacks == len(t.Steps) || len(ind.calls)+lacks > limit {
		return false
	}
	user := e.calls.users.userOf(r, ind)
	ind.appendMissing(t, at, func(op model.OpID) call { return e.calls.sample(r, e.calls.operations.byID[op], user) })
	return true
}

// appendMissing appends calls for the missing steps of a template, and links these calls. at is the result of
// findSteps; appendMissing replaces the -1 of each missing step by the index of the new call. sample returns a call
// of an operation.
func (ind *Individual) appendMissing(t model.Template, at []int, sample func(model.OpID) call) {
	for i, s := range t.Steps {
		if at[i] >= 0 {
			continue
		}
		c := sample(s.Op)
		c.step = ind.addStep(s.Op)
		at[i] = len(ind.calls)
		ind.calls = append(ind.calls, c)
		for _, l := range t.Links {
			if l.To == i && at[l.From] >= 0 {
				ind.link(l, at[l.From], at[i])
			}
		}
	}
}

// findSteps returns, for each step of a template, the index of the test's call that can serve as the
// step, or -1 if the step is missing. The last step always counts as missing, and so does a step that
// takes a value from a missing step. lacks is the number of missing steps.
func (ind *Individual) findSteps(t model.Template) (at []int, lacks int) {
	at = make([]int, len(t.Steps))
	for i, s := range t.Steps {
		at[i] = -1
		needsMissing := slices.ContainsFunc(t.Links, func(l model.Link) bool { return l.To == i && at[l.From] < 0 })
		if i < len(t.Steps)-1 && !needsMissing {
			for k, c := range ind.calls {
				if c.op.ID == s.Op {
					at[i] = k
				}
			}
		}
		if at[i] < 0 {
			lacks++
		}
	}
	return at, lacks
}
