package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/runner/search/gene"
)

// Probabilities and limits of variations.
const (
	sampledChance = 0.4 // probability of new random values for all inputs; a fault may need several changed values
	// newTextsChance is the probability of new texts in a call that creates a resource, because names often must
	// be unique.
	newTextsChance = 0.5
	bareChance     = 0.5 // probability of omitting optional values, except the varied value

	maxConstants  = 2  // constants of the service's source tried for each value
	maxViolations = 4  // variations that violate the spec
	maxOwnIDs     = 16 // variations with the id of an earlier created resource

	maxCopyTargets = 16     // present values that are replaced by copies, and the same number of absent values
	maxCopySources = 12     // other values tried for each of these values
	maxClonedGenes = 20_000 // genes that are cloned to vary one call, which may have thousands of genes
)

// variation is a call of a sweep's target that differs from the base call: in one value, or in all
// values outside the path.
type variation struct {
	call
	idField string // JSON pointer of the body field that gets the id of a resource of the target, or ""
	changed bool   // one value differs, and the schema allows it
}

// variations returns all variations of the sweep's target. A variation differs from the base call in one of these
// ways:
//   - An optional value is present or absent.
//   - A value is taken from its enumeration, or is at the edge of its range.
//   - A value is a copy of another value, or the id of a resource that the target created earlier.
//   - The call violates the spec.
func (s *sweepBuilder) variations() []variation {
	base := s.base()
	variants := base.variants(s.rand)
	copies := s.copies(base, variants)
	others := slices.Concat(asVariations(copies), s.withOwnID(base), s.withViolation(base))
	return s.mixed(asVariations(variants), others)
}

// sampled returns a call of the target with the same path, and new random values for everything else.
func (s *sweepBuilder) sampled() variation {
	base := s.ind.calls[s.target()]
	c := s.sweeper.calls.sample(s.rand, base.chromosome, "")
	c.user, c.step = base.user, base.step
	for i, p := range c.op.Params {
		if p.In == model.InPath {
			c.genes[i] = base.genes[i].Clone()
		}
	}
	return variation{call: c}
}

func asVariations(calls []call) []variation {
	var all []variation
	for _, c := range calls {
		all = append(all, variation{call: c, changed: true})
	}
	return all
}

// mixed shuffles two lists of variations and merges them: two variations of the first list, then one of the second, and
// so on. This order matters because a sweep may end before it has tried all variations.
func (s *sweepBuilder) mixed(first, others []variation) []variation {
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

// base returns the call from which variations are made. With probability bareChance it has no optional
// values.
func (s *sweepBuilder) base() call {
	c := s.ind.calls[s.target()].clone()
	if s.rand.Float64() < bareChance {
		for _, g := range c.trees() {
			gene.OmitOptional(g)
		}
	}
	return c
}

// variants returns copies of the call with one gene changed in each. If the call is so large that
// making all copies would take too long, it returns a random part of them.
func (c call) variants(r *rand.Rand) []call {
	trees := c.trees()
	size := 0
	for _, g := range trees {
		size += gene.TreeSize(g)
	}
	limit := max(2*sweepCalls, maxClonedGenes/max(1, size))
	places := gene.DrawIndexes(r, len(trees), limit)
	var all []call
	for _, i := range places {
		for _, v := range gene.Variants(r, trees[i], limit/len(places)) {
			all = append(all, c.with(i, v))
		}
	}
	return all
}

// trees returns the genes of the call, the gene of the body last.
func (c call) trees() []gene.Gene {
	if c.payload == nil {
		return c.genes
	}
	return append(slices.Clip(c.genes), c.payload)
}

// with returns a copy of the call with g in place of one of its genes. tree is the index of this gene in trees.
func (c call) with(tree int, g gene.Gene) call {
	next := c.clone()
	if tree < len(next.genes) {
		next.genes[tree] = g
	} else {
		next.payload = g
	}
	return next
}

// withViolation returns variations with a violation. It returns few of them, because most services answer all
// violations alike.
func (s *sweepBuilder) withViolation(base call) []variation {
	var all []variation
	for _, v := range gene.DrawFrom(s.rand, base.violations(), maxViolations) {
		c := base.clone()
		c.violation = v
		all = append(all, variation{call: c})
	}
	return all
}

// copies returns copies of the call in which one scalar is replaced: by another scalar of the call, by
// a scalar of the same name in an earlier call, or by a constant of the service. For a scalar that is
// absent in the call, it copies a variant of the call that has the scalar.
func (s *sweepBuilder) copies(base call, variants []call) []call {
	var all []call
	known := map[string]bool{}
	scalars := s.scalars(base)
	for _, l := range scalars {
		known[l.name] = true
	}
	for _, k := range gene.DrawIndexes(s.rand, len(scalars), maxCopyTargets) {
		all = append(all, s.copiesOf(base, k)...)
	}
	for _, a := range gene.DrawFrom(s.rand, s.absent(variants, known), maxCopyTargets) {
		all = append(all, s.copiesOf(a.call, a.scalar)...)
	}
	return all
}

// absence is a scalar that a variant of a call has and the call itself does not have.
type absence struct {
	call       // the variant
	scalar int // index of the scalar
}

// absent returns scalars of variants whose names are not in known, the first one for each name. It adds their names
// to known.
func (s *sweepBuilder) absent(variants []call, known map[string]bool) []absence {
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

// scalars returns the scalars of a call of the target, except in parameters that a link sets.
func (s *sweepBuilder) scalars(c call) []leaf {
	alone := Individual{calls: []call{c}}
	for _, l := range s.ind.links {
		if l.To == s.target() {
			l.To = 0
			alone.links = append(alone.links, l)
		}
	}
	return alone.leaves()
}

// copiesOf returns copies of a call in which one scalar equals another scalar or a constant of the service.
func (s *sweepBuilder) copiesOf(c call, scalar int) []call {
	all := s.withConstants(c, scalar)
	scalars := s.scalars(c)
	for _, from := range gene.DrawFrom(s.rand, s.comparable(scalars[scalar], scalars), maxCopySources) {
		if next := c.clone(); gene.CopyValue(s.rand, s.scalars(next)[scalar].gene, from.gene) {
			all = append(all, next)
		}
	}
	return all
}

// comparable returns the scalars whose values may replace the value of scalar: the other scalars of its call, and the
// scalars of the same name in the sweep so far. All of these values differ from each other and from the value of
// scalar.
func (s *sweepBuilder) comparable(scalar leaf, own []leaf) []leaf {
	tried := map[string]bool{gene.Text(scalar.gene): true}
	named := slices.DeleteFunc(s.ind.leaves(), func(l leaf) bool { return l.name != scalar.name })
	return slices.DeleteFunc(slices.Concat(named, own), func(l leaf) bool {
		if !gene.Comparable(scalar.gene, l.gene) || tried[gene.Text(l.gene)] {
			return true
		}
		tried[gene.Text(l.gene)] = true
		return false
	})
}

// withConstants returns copies of a call in which one scalar is a constant of the service.
func (s *sweepBuilder) withConstants(c call, scalar int) []call {
	var all []call
	to := s.scalars(c)[scalar]
	for range maxConstants {
		text := s.sweeper.constants.draw(s.rand, to)
		if text == "" {
			continue
		}
		if next := c.clone(); gene.AssignText(s.scalars(next)[scalar].gene, text) {
			all = append(all, next)
		}
	}
	return all
}

// withOwnID returns, for the scalar fields of the body of a POST, variations in which the field has the id of a
// resource that the target created earlier. It returns at most maxOwnIDs variations.
func (s *sweepBuilder) withOwnID(base call) []variation {
	if base.op.Method != "POST" || base.payload == nil {
		return nil
	}
	var all []variation
	known := map[string]bool{}
	for _, v := range append([]call{base}, base.variants(s.rand)...) {
		for _, f := range gene.PresentFields(v.payload) {
			if !known[f.Name] && gene.IsScalar(f.Gene) {
				known[f.Name] = true
				all = append(all, variation{call: v, idField: "/" + pointer.Escape(f.Name)})
			}
		}
	}
	return gene.DrawFrom(s.rand, all, maxOwnIDs)
}

// resampleTexts gives the texts of a call new random values.
func (c call) resampleTexts(r *rand.Rand) {
	for _, g := range c.trees() {
		for _, l := range appendLeaves(nil, leaf{gene: g}) {
			gene.ResampleText(r, l.gene)
		}
	}
}
