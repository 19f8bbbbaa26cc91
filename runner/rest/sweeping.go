package rest

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/gene"
)

// How a sweep is made.
const (
	sweepCalls    = 30   // of the target, each with another value changed
	mostCalls     = 60   // after which no other of the target begins
	targetChance  = 0.85 // that the target is varied, and not what it needs
	extremeChance = 0.15 // that all numbers of the chain are as large, or as small, as may be
	provenChance  = 0.7  // that a call of the chain is one that went well before
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
}

func (p *Problem) sweeping(r *rand.Rand, t model.Template) *sweeping {
	steps := p.varying(t)
	if steps[0] == len(t.Steps)-1 && r.Float64() < targetChance {
		steps = steps[:1]
	}
	of := upTo(t, steps[r.IntN(len(steps))])
	user := p.sweeper(r, of.Target())
	s := &sweeping{Problem: p, rand: r, whole: t, of: of, ind: p.chain(r, of, user), place: make([]int, len(of.Steps)), user: user}
	s.ind.turn = &turn{op: t.Target(), whole: of.Target() != t.Target()}
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

// chain follows a template with calls that went well before, as far as there are
// such.
func (p *Problem) chain(r *rand.Rand, t model.Template, user string) *Individual {
	ind := p.follow(r, t, user)
	for i := range ind.calls {
		if last := i == len(ind.calls)-1; last || r.Float64() < provenChance {
			p.prove(&ind.calls[i])
		}
	}
	if r.Float64() < extremeChance {
		ind.stretch(r.IntN(2) == 0)
	}
	for _, l := range ind.links {
		ind.lock(l)
	}
	return ind
}

// sweeper is who makes the calls of a sweep: any user, or the one who could call
// the target. That it needs no user does not say so of what comes before it.
func (p *Problem) sweeper(r *rand.Rand, target model.OpID) string {
	user := p.anyUser(r)
	if c, ok := p.proven(target, user); ok && c.user != "" {
		return c.user
	}
	return user
}

// stretch lets all numbers of a test be the most that they may be, or the least:
// what each may be alone can be too much together.
func (ind *Individual) stretch(most bool) {
	for _, l := range ind.leaves() {
		gene.Extreme(l.gene, most)
	}
}

// prove gives a call the values of one that went well, if there is any.
func (p *Problem) prove(c *call) {
	good, ok := p.proven(c.op.ID, c.user)
	if !ok {
		return
	}
	good = good.clone()
	c.genes, c.payload, c.user = good.genes, good.payload, good.user
	for i, g := range c.genes {
		c.genes[i] = gene.Unlock(g)
	}
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
		if v.plain && v.op.Method == "POST" && s.rand.Float64() < freshChance {
			v.refresh(s.rand)
		}
		place := s.one(v, slices.Clone(s.place[:anew]))
		if len(looks) > 0 && s.rand.Float64() < lookChance {
			s.look(looks, place)
		}
	}
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
