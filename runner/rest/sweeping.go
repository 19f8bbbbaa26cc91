package rest

import (
	"maps"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/gene"
)

// How a sweep is made.
const (
	sweepCalls    = 20   // of the target, each with another value changed
	mostCalls     = 45   // after which no other of the target begins
	targetChance  = 0.85 // that the target is varied, and not what it needs
	stretchChance = 0.1  // that what is made anew has all its numbers as large, or as small, as may be
	mostChance    = 0.7  // that they are large
	extremeChance = 0.7  // that at the end the chain is there once more, like that
	againChance   = 0.8  // that what can be used once is made anew for each call
	pairChance    = 0.3  // that what is made anew is varied, too
)

// sweeping is a sweep in the making.
type sweeping struct {
	*Problem
	rand  *rand.Rand
	whole model.Template
	of    model.Template // the same up to the operation that is varied
	ind   *Individual
	place []int // of the template's steps: the call that stands for it
	user  string
	led   map[model.OpID]call // those by which the target, or what is varied, went well
}

func (p *Problem) sweeping(r *rand.Rand, t model.Template) *sweeping {
	steps := p.varying(t)
	if steps[0] == len(t.Steps)-1 && r.Float64() < targetChance {
		steps = steps[:1]
	}
	of := upTo(t, steps[r.IntN(len(steps))])
	user := p.sweeper(r, of.Target())
	s := &sweeping{Problem: p, rand: r, whole: t, of: of, place: make([]int, len(of.Steps)), user: user}
	s.led = p.led(of.Target(), user)
	maps.Copy(s.led, p.led(t.Target(), user))
	s.ind = s.chain()
	s.ind.turn = &turn{op: t.Target(), whole: of.Target() != t.Target(), steps: len(t.Steps)}
	for i, c := range s.ind.calls {
		s.place[c.step] = i
	}
	return s
}

// upTo is a template that ends with one of its steps.
func upTo(t model.Template, step int) model.Template {
	t.Steps = t.Steps[:step+1]
	t.Links = slices.DeleteFunc(slices.Clone(t.Links), func(l model.Link) bool { return l.To > step })
	return t
}

// target is the call that is varied.
func (s *sweeping) target() int { return s.place[len(s.place)-1] }

// again appends a call in the place of one that is there, with the same links.
func (s *sweeping) again(at int, c call) int {
	end := len(s.ind.calls)
	s.ind.calls = append(s.ind.calls, c)
	for _, l := range slices.Clone(s.ind.links) {
		if l.To == at {
			s.ind.link(l, l.From, end)
		}
	}
	return end
}

// vary calls the target with some of its variations.
func (s *sweeping) vary() {
	all, looks, anew := s.variations(), s.looks(), s.anew()
	s.ind.turn.variations = len(all)
	for _, v := range all[:min(sweepCalls, len(all))] {
		if len(s.ind.calls) >= mostCalls {
			break
		}
		if s.rand.Float64() < sampledChance {
			v = s.sampled()
		}
		if v.plain && v.op.Method == "POST" && s.rand.Float64() < freshChance {
			v.refresh(s.rand)
		}
		place := slices.Clone(s.place[:anew])
		if s.rand.Float64() < stretchChance {
			place = s.stretch(v, place)
		} else {
			place = s.one(v, place)
		}
		if len(looks) > 0 && s.rand.Float64() < lookChance {
			s.look(looks, place)
		}
	}
	if len(all) > 0 && !s.mutes() && s.rand.Float64() < extremeChance {
		s.stretch(all[s.rand.IntN(len(all))], nil)
	}
}

// mutes reports whether a call of the chain is needed, but not wanted again.
func (s *sweeping) mutes() bool {
	return slices.ContainsFunc(s.of.Steps, func(step model.Step) bool { return s.weights.Of(step.Op) <= 0 })
}

// stretch calls the target with a variation, and lets all numbers of what is made
// anew for it be the most that they may be, or the least: what each may be alone
// can be too much together.
func (s *sweeping) stretch(v variation, place []int) []int {
	from, most := len(s.ind.calls), s.rand.Float64() < mostChance
	place = s.one(v, place)
	for _, l := range s.ind.leaves() {
		if l.call >= from && l.call != place[len(s.of.Steps)-1] {
			gene.Extreme(l.gene, most)
		}
	}
	return place
}

// one calls the target with a variation, behind those steps that have no place
// yet, and what comes after it in the whole template. It returns the places of
// all.
func (s *sweeping) one(v variation, place []int) []int {
	last := len(s.of.Steps) - 1
	for step := len(place); step < last; step++ {
		place = append(place, s.remake(upTo(s.of, step), place))
	}
	at := s.again(s.target(), v.call)
	s.relink(at, place)
	if v.own != "" {
		s.ind.link(model.Link{In: model.InBody, Name: v.own, Header: "Location", Loose: true}, s.earlier(at), at)
	}
	place = append(place, at)
	for step := last + 1; step < len(s.whole.Steps); step++ {
		if step < len(s.whole.Steps)-1 && s.rand.Float64() < otherwiseChance {
			place = append(place, place[step-1]) // does for it: a new cart has an item already
			continue
		}
		place = append(place, s.remake(upTo(s.whole, step), place))
	}
	return place
}

// remake attaches a step of the template itself, which may be varied, too.
func (s *sweeping) remake(t model.Template, place []int) int {
	at := s.attach(t, place)
	if s.rand.Float64() < pairChance {
		if all := s.ind.calls[at].variants(s.rand); len(all) > 0 {
			s.ind.calls[at] = all[s.rand.IntN(len(all))]
		}
	}
	return at
}

// anew is the first step that is made anew for each variation: usually that which
// is varied, but some things can be used only once.
func (s *sweeping) anew() int {
	last := len(s.place) - 1
	if last > 1 && s.rand.Float64() < againChance && s.once[s.of.Target()] {
		return 1 + s.rand.IntN(last-1)
	}
	return last
}

// relink ties a call of the target to the calls that stand for the steps before.
func (s *sweeping) relink(at int, place []int) {
	for i := range s.ind.links {
		l := &s.ind.links[i]
		if step := slices.Index(s.place, l.From); l.To == at && step >= 0 && step < len(place) {
			l.From, l.Loose = place[step], true
		}
	}
}

// earlier returns a call of the target before another one.
func (s *sweeping) earlier(at int) int {
	var all []int
	for i, c := range s.ind.calls[:at] {
		if c.op.ID == s.of.Target() {
			all = append(all, i)
		}
	}
	return all[s.rand.IntN(len(all))]
}
