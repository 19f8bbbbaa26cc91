package rest

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/runner/gene"
)

// How a call is varied.
const (
	sampledChance = 0.4 // that a call has all its values anew instead: it may take several to go wrong

	freshChance = 0.5 // that one that makes something has new texts: names are often to be unique
	bareChance  = 0.5 // that what may be absent is, but for what is varied
	mostHints   = 2   // how many constants of the service's source each value may be
	mostFlaws   = 4   // how many variations are what the document forbids
	mostOwns    = 16  // and how many have the id of what was made before

	mostEchoing = 16     // how many values of a call are echoes, and how many of what it lacks
	mostEchoed  = 12     // of how many others each of them is
	mostCopied  = 20_000 // how many genes are copied to vary a call: it may have thousands
)

// variation is a sweep's target with one value changed, or all.
type variation struct {
	call
	own   string // the place in the body that gets the id of what the target made
	plain bool   // a value is another one, and no more
}

// variations are all of the sweep's target: what may be absent there or not, all
// of a list, what is at the edge, what another call has under the same name or
// the same call under another, the id of what it made before, and what the
// document forbids.
func (s *sweeping) variations() []variation {
	base := s.base()
	variants := base.variants(s.rand)
	echoes := s.echoes(base, variants)
	others := slices.Concat(plainly(echoes), s.owns(base), s.flawed(base))
	return s.mixed(plainly(variants), others)
}

// sampled is the target with other values all over, about the same thing.
func (s *sweeping) sampled() variation {
	base := s.ind.calls[s.target()]
	c := s.sampleCall(s.rand, base.chromosome, "")
	c.user, c.step = base.user, base.step
	for i, p := range c.op.Params {
		if p.In == model.InPath {
			c.genes[i] = base.genes[i].Clone()
		}
	}
	return variation{call: c}
}

func plainly(calls []call) []variation {
	var all []variation
	for _, c := range calls {
		all = append(all, variation{call: c, plain: true})
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
		for _, g := range c.trees() {
			gene.Bare(g)
		}
	}
	return c
}

// variants are the call with one gene changed: all, unless it is so large that
// to copy it so often would take long.
func (c call) variants(r *rand.Rand) []call {
	trees := c.trees()
	size := 0
	for _, g := range trees {
		size += gene.Size(g)
	}
	most := max(2*sweepCalls, mostCopied/max(1, size))
	places := gene.Draw(r, len(trees), most)
	var all []call
	for _, i := range places {
		for _, v := range gene.Variants(r, trees[i], most/len(places)) {
			all = append(all, c.with(i, v))
		}
	}
	return all
}

// trees are the genes of the call, that of the body the last.
func (c call) trees() []gene.Gene {
	if c.payload == nil {
		return c.genes
	}
	return append(slices.Clip(c.genes), c.payload)
}

// with is a copy of the call with another one of its trees.
func (c call) with(tree int, g gene.Gene) call {
	next := c.clone()
	if tree < len(next.genes) {
		next.genes[tree] = g
	} else {
		next.payload = g
	}
	return next
}

// flawed are the call with a few of its flaws: most services answer them alike.
func (s *sweeping) flawed(base call) []variation {
	var all []variation
	for _, f := range gene.Some(s.rand, base.flaws(), mostFlaws) {
		c := base.clone()
		c.flaw = f
		all = append(all, variation{call: c})
	}
	return all
}

// echoes are the call with one value that another has: of it, or of a call before
// under the same name; or one that the service is known to compare with. What is
// absent in the call is taken from its variants.
func (s *sweeping) echoes(base call, variants []call) []call {
	var all []call
	known := map[string]bool{}
	scalars := s.scalars(base)
	for _, l := range scalars {
		known[l.name] = true
	}
	for _, k := range gene.Draw(s.rand, len(scalars), mostEchoing) {
		all = append(all, s.echoed(base, k)...)
	}
	for _, a := range gene.Some(s.rand, s.absent(variants, known), mostEchoing) {
		all = append(all, s.echoed(a.call, a.scalar)...)
	}
	return all
}

// absence is a variant's scalar of a name that the call itself does not have.
type absence struct {
	call
	scalar int
}

func (s *sweeping) absent(variants []call, known map[string]bool) []absence {
	var all []absence
	for _, v := range variants {
		for k, l := range s.scalars(v) {
			if !known[l.name] {
				known[l.name] = true
				all = append(all, absence{v, k})
			}
		}
	}
	return all
}

// scalars are those of a call in the target's place that no link gives.
func (s *sweeping) scalars(c call) []leaf {
	alone := Individual{calls: []call{c}}
	for _, l := range s.ind.links {
		if l.To == s.target() {
			l.To = 0
			alone.links = append(alone.links, l)
		}
	}
	return alone.leaves()
}

// echoed are the call with one of its scalars as others are, or as the service's
// source has it in comparisons.
func (s *sweeping) echoed(c call, scalar int) []call {
	all := s.hinted(c, scalar)
	scalars := s.scalars(c)
	for _, from := range gene.Some(s.rand, s.like(scalars[scalar], scalars), mostEchoed) {
		if next := c.clone(); gene.Echo(s.rand, s.scalars(next)[scalar].gene, from.gene) {
			all = append(all, next)
		}
	}
	return all
}

// like are the scalars that one can be compared with: those of its own call, and
// those of the same name in the sweep so far. Each is another value.
func (s *sweeping) like(to leaf, own []leaf) []leaf {
	tried := map[string]bool{gene.Text(to.gene): true}
	named := slices.DeleteFunc(s.ind.leaves(), func(l leaf) bool { return l.name != to.name })
	return slices.DeleteFunc(slices.Concat(named, own), func(l leaf) bool {
		if !gene.Alike(to.gene, l.gene) || tried[gene.Text(l.gene)] {
			return true
		}
		tried[gene.Text(l.gene)] = true
		return false
	})
}

// hinted are the call with one of its scalars as the service's source has it in
// comparisons.
func (s *sweeping) hinted(c call, scalar int) []call {
	var all []call
	to := s.scalars(c)[scalar]
	for range mostHints {
		text := s.constants.draw(s.rand, to)
		if text == "" {
			continue
		}
		if next := c.clone(); gene.PutText(s.scalars(next)[scalar].gene, text) {
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
	known := map[string]bool{}
	for _, v := range append([]call{base}, base.variants(s.rand)...) {
		for _, f := range gene.Fields(v.payload) {
			if !known[f.Name] && gene.Scalar(f.Gene) {
				known[f.Name] = true
				all = append(all, variation{call: v, own: "/" + pointer.Escape(f.Name)})
			}
		}
	}
	return gene.Some(s.rand, all, mostOwns)
}

// refresh gives a call new texts.
func (c call) refresh(r *rand.Rand) {
	for _, g := range c.trees() {
		for _, l := range appendLeaves(nil, leaf{gene: g}) {
			gene.Refresh(r, l.gene)
		}
	}
}
