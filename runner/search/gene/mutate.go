package gene

import (
	"math/rand/v2"
	"slices"
)

// ActiveGenes returns the genes of the trees that are in the phenotype and may mutate, outer genes before inner ones.
// It leaves out locked genes, genes inside an absent Optional, and wrappers with examples, which never change
// themselves. A date-time, for example, has nine genes. Trees may be nil.
func ActiveGenes(trees ...Gene) []Gene {
	genes := make([]Gene, 0, 4*len(trees))
	for _, g := range trees {
		if g != nil {
			genes = appendActive(genes, g)
		}
	}
	return genes
}

func appendActive(genes []Gene, g Gene) []Gene {
	if d, ok := g.(*Disruptive); ok && d.probability <= 0 {
		return genes
	}
	if _, ok := g.(*seeded); !ok {
		genes = append(genes, g)
	}
	if c, ok := g.(composite); ok {
		for _, inner := range c.inside() {
			genes = appendActive(genes, inner)
		}
	}
	return genes
}

// ActiveCount returns the number of genes that ActiveGenes returns.
func ActiveCount(trees ...Gene) int { return len(ActiveGenes(trees...)) }

// Mutate mutates the values of a test, given as the trees of all its calls (the EvoMaster paper, section
// 4.2). Each of the k active genes mutates with probability 1/k, and at least one gene changes. It returns
// false if no gene can change.
//
// If a composite without a value of its own is drawn, a gene inside it mutates. No gene mutates twice,
// because the second mutation might undo the first.
func Mutate(r *rand.Rand, trees []Gene, p Pace) bool {
	genes := ActiveGenes(trees...)
	if len(genes) == 0 {
		return false
	}
	changed := false
	for _, g := range movers(r, genes) {
		changed = g.MutateValue(r, p) || changed
	}
	return changed || mutateAny(r, genes, p)
}

// movers draws the genes that mutate.
func movers(r *rand.Rand, genes []Gene) []Gene {
	var drawn []Gene
	for _, g := range genes {
		if r.IntN(len(genes)) != 0 {
			continue
		}
		if m := mover(r, g); m != nil && !slices.Contains(drawn, m) {
			drawn = append(drawn, m)
		}
	}
	if len(drawn) == 0 {
		if m := mover(r, genes[r.IntN(len(genes))]); m != nil {
			drawn = append(drawn, m)
		}
	}
	return drawn
}

// mover returns the gene that mutates when g is drawn: g or a gene inside it. It returns nil if there is none.
func mover(r *rand.Rand, g Gene) Gene {
	for {
		c, ok := g.(composite)
		if !ok {
			return g
		}
		next := c.pick(r)
		if next == nil || next == g {
			return next
		}
		g = next
	}
}

// mutateAny mutates the first gene that can change, starting at a random index. It returns false if no gene
// can change.
func mutateAny(r *rand.Rand, genes []Gene, p Pace) bool {
	from := r.IntN(len(genes))
	for i := range genes {
		if genes[(from+i)%len(genes)].MutateValue(r, p) {
			return true
		}
	}
	return false
}

// pickOne returns a random gene, nil if there are no genes.
func pickOne(r *rand.Rand, genes []Gene) Gene {
	if len(genes) == 0 {
		return nil
	}
	return genes[r.IntN(len(genes))]
}
