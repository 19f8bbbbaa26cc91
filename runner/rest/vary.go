package rest

import (
	"math/rand/v2"
	"slices"

	"sonde/model/pointer"
	"sonde/runner/gene"
)

// How a call is varied.
const (
	freshChance = 0.5 // that one that makes something has new texts: names are often to be unique
	bareChance  = 0.5 // that what may be absent is, but for what is varied
	mostHints   = 2   // how many constants of the service's source each value may be
	mostFlaws   = 4   // how many variations are what the document forbids
)

// variation is a sweep's target with one value changed.
type variation struct {
	call
	own string // the place in the body that gets the id of what the target made
}

// variations are all of the sweep's target: what may be absent there or not, all
// of a list, what is at the edge, what another call has under the same name or
// the same call under another, the id of what it made before, and what the
// document forbids.
func (s *sweeping) variations() []variation {
	base := s.base()
	variants := base.variants(s.rand)
	echoes := s.echoes(base, variants)
	if base.op.Method == "POST" {
		for _, c := range slices.Concat(variants, echoes) {
			if s.rand.Float64() < freshChance {
				c.refresh(s.rand)
			}
		}
	}
	others := slices.Concat(plainly(echoes), s.owns(base), s.flawed(base))
	return s.mixed(plainly(variants), others)
}

func plainly(calls []call) []variation {
	var all []variation
	for _, c := range calls {
		all = append(all, variation{call: c})
	}
	return all
}

// mixed are two of the first after one of the others, as long as there are both: a
// sweep may end before it comes to all.
func (s *sweeping) mixed(first, others []variation) []variation {
	var all []variation
	for _, list := range [][]variation{first, others} {
		s.rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	for len(first) > 0 && len(others) > 0 {
		n := min(2, len(first))
		all = append(append(all, first[:n]...), others[0])
		first, others = first[n:], others[1:]
	}
	return slices.Concat(all, first, others)
}

// base is the call that is varied, or that without what may be absent.
func (s *sweeping) base() call {
	c := s.ind.calls[s.target()].clone()
	if s.rand.Float64() < bareChance {
		for _, g := range c.genes {
			gene.Bare(g)
		}
		if c.payload != nil {
			gene.Bare(c.payload)
		}
	}
	return c
}

// variants are the call with one gene changed.
func (c call) variants(r *rand.Rand) []call {
	var all []call
	for i, g := range c.genes {
		for _, v := range gene.Variants(r, g) {
			next := c.clone()
			next.genes[i] = v
			all = append(all, next)
		}
	}
	if c.payload != nil {
		for _, v := range gene.Variants(r, c.payload) {
			next := c.clone()
			next.payload = v
			all = append(all, next)
		}
	}
	return all
}

// flawed are the call with a few of its flaws: most services answer them alike.
func (s *sweeping) flawed(base call) []variation {
	var all []variation
	flaws := base.flaws()
	for _, i := range s.rand.Perm(len(flaws))[:min(len(flaws), mostFlaws)] {
		c := base.clone()
		c.flaw = flaws[i]
		all = append(all, variation{call: c})
	}
	return all
}

// echoes are the call with one value that another has: of it, or of a call before
// under the same name; or one that the service is known to compare with. What is absent in the call is taken from its variants.
func (s *sweeping) echoes(base call, variants []call) []call {
	all := s.echoed(base.clone(), nil)
	known := map[string]bool{}
	for _, l := range s.leavesWith(base.clone()) {
		known[l.name] = true
	}
	for _, v := range variants {
		for _, l := range s.leavesWith(v.clone()) {
			if l.call == len(s.ind.calls) && !known[l.name] {
				known[l.name] = true
				all = append(all, s.echoed(v, &l.name)...)
			}
		}
	}
	return all
}

// leavesWith are the scalars of the test, and those of a call behind it that has
// the links of the target.
func (s *sweeping) leavesWith(c call) []leaf {
	with := sweeping{ind: &Individual{calls: slices.Clip(s.ind.calls), links: slices.Clip(s.ind.links)}, place: s.place}
	with.again(s.target(), c)
	return with.ind.leaves()
}

// echoed are the call with one scalar echoed, of those with a name if one is
// given.
func (s *sweeping) echoed(c call, name *string) []call {
	at, leaves := len(s.ind.calls), s.leavesWith(c)
	var all []call
	for k, to := range leaves {
		if to.call != at || name != nil && to.name != *name {
			continue
		}
		all = append(all, s.hinted(c, k)...)
		tried := map[string]bool{gene.Text(to.gene): true}
		for _, from := range leaves {
			text := gene.Text(from.gene)
			if tried[text] || from.call != at && from.name != to.name {
				continue
			}
			tried[text] = true
			if next := c.clone(); gene.Echo(s.rand, s.leavesWith(next)[k].gene, from.gene) {
				all = append(all, next)
			}
		}
	}
	return all
}

// hinted are the call with one scalar of the test, that of an index, as the
// service's source has it in comparisons.
func (s *sweeping) hinted(c call, k int) []call {
	var all []call
	for range mostHints {
		next := c.clone()
		l := s.leavesWith(next)[k]
		if text := s.constants.draw(s.rand, l); text != "" && gene.PutText(l.gene, text) {
			all = append(all, next)
		}
	}
	return all
}

// owns are the call with the id of what it made before in one place of the body
// after the other.
func (s *sweeping) owns(base call) []variation {
	if base.op.Method != "POST" || base.payload == nil {
		return nil
	}
	var all []variation
	for _, v := range append([]call{base}, base.variants(s.rand)...) {
		for _, f := range gene.Fields(v.payload) {
			place := "/" + pointer.Escape(f.Name)
			if gene.Scalar(f.Gene) && !slices.ContainsFunc(all, func(v variation) bool { return v.own == place }) {
				all = append(all, variation{v, place})
			}
		}
	}
	return all
}

// refresh gives a call new texts.
func (c call) refresh(r *rand.Rand) {
	for _, g := range append(slices.Clip(c.genes), c.payload) {
		if g == nil {
			continue
		}
		for _, l := range appendLeaves(nil, leaf{gene: g}) {
			gene.Refresh(r, l.gene)
		}
	}
}
