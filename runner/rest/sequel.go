package rest

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// sequelTries is how many templates are looked at for one that goes on from a
// test.
const sequelTries = 10

// sequel lets a test that follows a template go on: with its last call once
// more, the same values again; or with another template that needs what the
// first has created, and sometimes then with the last call after all. So a
// service is asked for what its state forbids: a second thing of the same name,
// an item more for a cart that was ordered.
func (p *Problem) sequel(r *rand.Rand, ind *Individual) bool {
	if r.IntN(3) == 0 || p.paths.total() == 0 {
		return ind.encore(len(ind.calls) - 1)
	}
	last := len(ind.calls) - 1
	for range sequelTries {
		if p.goOn(r, ind, p.template(r), maxCalls) {
			if r.IntN(2) == 0 && ind.encore(last) && !ind.gives(last) {
				ind.remove(last)
			}
			return true
		}
	}
	return false
}

// gives reports whether later calls take something from a call.
func (ind *Individual) gives(at int) bool {
	return slices.ContainsFunc(ind.links, func(l model.Link) bool { return l.From == at })
}

// encore makes a call again at the end, as it was.
func (ind *Individual) encore(at int) bool {
	end := len(ind.calls)
	if end >= maxCalls {
		return false
	}
	again := ind.calls[at].clone()
	again.step = ind.fixed(again.op.ID)
	ind.calls = append(ind.calls, again)
	for _, l := range slices.Clone(ind.links) {
		if l.To == at {
			ind.link(l, l.From, end)
		}
	}
	for i, prm := range again.op.Params {
		if prm.In == model.InPath {
			ind.keep(at, end, i)
		}
	}
	return true
}

// keep ties a path parameter of a call to the same one of an earlier call of
// the operation, so that both go on naming the same thing.
func (ind *Individual) keep(from, to, param int) {
	p := ind.calls[to].op.Params[param]
	if slices.ContainsFunc(ind.links, func(l model.Link) bool { return l.To == to && l.In == p.In && l.Name == p.Name }) {
		return
	}
	ind.link(model.Link{In: p.In, Name: p.Name, Param: p.Name}, from, to)
}

// fixed adds a step that is called once.
func (ind *Individual) fixed(op model.OpID) int {
	ind.steps = append(slices.Clip(ind.steps), model.Step{Op: op, Min: 1, Max: 1})
	return len(ind.steps) - 1
}

// goOn appends the steps of a template that the test lacks, and ties them to
// those that it has. It does nothing where it has none, lacks none or would have
// more calls than most.
func (p *Problem) goOn(r *rand.Rand, ind *Individual, t model.Template, most int) bool {
	at, lacks := ind.place(t)
	if lacks == len(t.Steps) || len(ind.calls)+lacks > most {
		return false
	}
	user := p.maker(r, ind)
	for i, s := range t.Steps {
		if at[i] < 0 {
			c := p.sampleCall(r, p.byOp[s.Op], user)
			c.step = ind.fixed(s.Op)
			at[i] = len(ind.calls)
			ind.calls = append(ind.calls, c)
			for _, l := range t.Links {
				if l.To == i && at[l.From] >= 0 {
					ind.link(l, at[l.From], at[i])
				}
			}
		}
	}
	return true
}

// place finds the calls of a test that do for the steps of a template, -1 for
// none, and counts the steps that it lacks. The target is always lacking, and
// so is what comes after a step that is.
func (ind *Individual) place(t model.Template) (at []int, lacks int) {
	at = make([]int, len(t.Steps))
	for i, s := range t.Steps {
		at[i] = -1
		if i < len(t.Steps)-1 && lacks == 0 {
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

// maker is the user who makes the test's calls, or any where none of them asks.
func (p *Problem) maker(r *rand.Rand, ind *Individual) string {
	for _, c := range ind.calls {
		if c.user != "" {
			return c.user
		}
	}
	return p.anyUser(r)
}
