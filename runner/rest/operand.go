package rest

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/gene"
)

// Hint is a value of a test that the service compared with another, which it knows
// by what the value is: an input that reaches a comparison is tried with the other
// operand. Slot is the outcome that did not come.
type Hint struct {
	Slot int
	leaf int // of the individual's
	view view
	op   model.Relation // with the value on its left side
	with model.Operand
}

// The bounds of what is kept of a test.
const (
	mostHintsOfTest = 64
	mostViews       = 4 // of one operand
)

// Match tells which values of a test are operands of the service's comparisons.
// Where none is one, numbers and times may have become one by a sum.
func (p *Problem) Match(ind *Individual, compared []model.Compared) []Hint {
	if len(compared) == 0 || p.sampling.Operands == 0 {
		return nil
	}
	leaves := ind.leaves()
	texts := make([]string, len(leaves))
	for i, l := range leaves {
		texts[i] = gene.Text(l.gene)
	}
	var all []Hint
	for _, c := range compared {
		if len(all) >= mostHintsOfTest {
			break
		}
		all = append(all, matched(texts, leaves, c)...)
	}
	expect(leaves, texts, all)
	return all
}

// matched are the hints of one comparison.
func matched(texts []string, leaves []leaf, c model.Compared) []Hint {
	if c.A == c.B {
		return others(texts, leaves, c)
	}
	all := slices.Concat(seen(texts, c.Slot, c.A, c.Op, c.B), rests(texts, leaves, c), missing(leaves, c), tails(leaves, c.Slot, c.A, c.Op, c.B),
		counts(leaves, c.Slot, c.A, c.Op, c.B))
	if c.Op != model.Matches { // a value that is an expression is none to be matched
		all = slices.Concat(all, seen(texts, c.Slot, c.B, flipped(c.Op), c.A), tails(leaves, c.Slot, c.B, flipped(c.Op), c.A),
			counts(leaves, c.Slot, c.B, flipped(c.Op), c.A))
	}
	if len(all) > 0 {
		return all
	}
	gap, ok := gapOf(c.A, c.B)
	for i := 0; ok && i < len(texts) && len(all) < mostViews; i++ {
		if isNumber(texts[i]) || isTime(texts[i]) {
			all = append(all, Hint{Slot: c.Slot, leaf: i, view: view{kind: shifted, gap: gap}, op: c.Op, with: c.B})
		}
	}
	return all
}

// seen are the values in which an operand is seen.
func seen(texts []string, slot int, operand model.Operand, op model.Relation, with model.Operand) []Hint {
	var all []Hint
	for i, text := range texts {
		for _, v := range views(text, operand) {
			all = append(all, Hint{Slot: slot, leaf: i, view: v, op: op, with: with})
			if len(all) == mostViews {
				return all
			}
		}
	}
	return all
}

// flipped is a relation for its operands in the other order. What begins with
// something is that itself, at the least.
func flipped(op model.Relation) model.Relation {
	switch op {
	case model.Less:
		return model.More
	case model.NoMore:
		return model.NoLess
	case model.More:
		return model.Less
	case model.NoLess:
		return model.NoMore
	case model.Begins, model.Ends, model.Has:
		return model.Equal
	}
	return op
}

// togetherChance is how often all values that a predicate compared are tried at
// once: those of a query's row belong together.
const togetherChance = 0.3

// try gives a value of a test what it was compared with, and reports whether it did.
func (p *Problem) try(r *rand.Rand, ind *Individual, hints []Hint) bool {
	leaves := ind.leaves()
	for range min(len(hints), someTries) {
		h := hints[r.IntN(len(hints))]
		done := h.put(r, leaves)
		if r.Float64() < togetherChance {
			for _, other := range hints {
				if other.Slot == h.Slot && other.leaf != h.leaf {
					done = other.put(r, leaves) || done
				}
			}
		}
		if done {
			return true
		}
	}
	return false
}

// put reports whether it changed the value.
func (h Hint) put(r *rand.Rand, leaves []leaf) bool {
	if h.leaf >= len(leaves) {
		return false
	}
	l := leaves[h.leaf]
	switch {
	case h.view.kind == tail:
		return l.said != nil && h.putTail(r, l)
	case h.view.kind == behind:
		return l.said != nil && h.putBehind(r, l)
	case h.view.kind == count:
		return l.said != nil && h.putCount(r, l)
	}
	g := l.gene
	was := gene.Text(g)
	if l.said != nil && h.op == model.Unequal && h.with.Text == was {
		return gene.Take(g, l.said.Other(r, l.name, was))
	}
	text, ok := h.view.put(r, was, h.op, h.with)
	return ok && text != was && gene.Take(g, text)
}

// tries reports whether it is time for such a value. As with constants, chance is not
// asked where there is none.
func (p *Problem) tries(r *rand.Rand, hints []Hint) bool {
	return len(hints) > 0 && r.Float64() < p.sampling.Operands
}
