package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/runner/network/hostmodel"
	"sonde/runner/search/gene"
)

// leaf is a scalar in a call, in the answer of a host, or in a row.
type leaf struct {
	call int // index of the call, hostCall for a host, rowCall for a row
	name string
	gene gene.Gene
	stub *hostmodel.StubValue // nil unless a host sends the scalar
}

// leaves returns the scalars that are present in a test, except in parameters that a link sets. The scalars of
// hosts come after those of calls, and the scalars of rows last.
func (ind *Individual) leaves() []leaf {
	var all []leaf
	for i, c := range ind.calls {
		for j, g := range c.genes {
			if p := c.op.Params[j]; !ind.links.sets(i, p.In, p.Name) {
				all = appendLeaves(all, leaf{call: i, name: p.Name, gene: g})
			}
		}
		if c.payload != nil {
			all = appendLeaves(all, leaf{call: i, gene: c.payload})
		}
	}
	return append(append(all, ind.stubs.leaves()...), ind.rows.leaves()...)
}

// appendLeaves appends the scalars inside the gene of l. The items of a list have the name of the
// list.
func appendLeaves(all []leaf, l leaf) []leaf {
	if gene.IsScalar(l.gene) {
		return append(all, l)
	}
	for _, f := range gene.PresentFields(l.gene) {
		all = appendLeaves(all, leaf{call: l.call, name: f.Name, gene: f.Gene, stub: l.stub})
	}
	for _, item := range gene.Elements(l.gene) {
		all = appendLeaves(all, leaf{call: l.call, name: l.name, gene: item, stub: l.stub})
	}
	return all
}

// maxTries is the number of scalars that are tried to find one that can be changed.
const maxTries = 8

// setEdge sets one of the scalars to a value at the edge of its range, and reports whether it did.
func setEdge(r *rand.Rand, all []leaf) bool {
	for range min(len(all), maxTries) {
		if gene.SetEdge(r, all[r.IntN(len(all))].gene) {
			return true
		}
	}
	return false
}

// copyValue sets one of a test's scalars to the value of another scalar, as copyOne does. It reports whether
// it did.
func (ind *Individual) copyValue(r *rand.Rand) bool {
	all := ind.leaves()
	return copyOne(r, all, all)
}

// copyOne sets a scalar to the value of another scalar, or to a combination of two other scalars. It takes the first
// from some and the others from all, at random. It reports whether it set the scalar. A scalar of a call gets a value of
// the same or an earlier call, of a host or of a row. A scalar of a host or a row gets any value. With probability 1/2,
// copyOne copies from a scalar with the same name, if there is one.
func copyOne(r *rand.Rand, some, all []leaf) bool {
	for range min(len(some), maxTries) {
		to := some[r.IntN(len(some))]
		from := slices.DeleteFunc(slices.Clone(all), func(l leaf) bool {
			return to.call >= 0 && l.call > to.call || l.gene == to.gene
		})
		if r.Float64() < combineChance && to.combine(r, from) {
			return true
		}
		named := slices.DeleteFunc(slices.Clone(from), func(l leaf) bool { return l.name != to.name })
		if len(named) > 0 && r.IntN(2) == 0 {
			from = named
		}
		if len(from) > 0 && gene.CopyValue(r, to.gene, from[r.IntN(len(from))].gene) {
			return true
		}
	}
	return false
}

// combineChance is the probability of combining two values, if that is possible, instead of copying one.
const combineChance = 0.3

// combine sets a number or a time to a combination of two other scalars, such as their sum. The two mostly belong to
// the same call. It reports whether it did.
func (to leaf) combine(r *rand.Rand, from []leaf) bool {
	own := slices.DeleteFunc(slices.Clone(from), func(l leaf) bool { return l.call != to.call })
	if len(own) > 0 && r.IntN(4) > 0 {
		from = own
	}
	first := slices.DeleteFunc(slices.Clone(from), func(l leaf) bool { return !gene.CanCombine(to.gene, l.gene) })
	if len(first) == 0 {
		return false
	}
	a := first[r.IntN(len(first))].gene
	second := slices.DeleteFunc(slices.Clone(from), func(l leaf) bool { return !gene.CanCombineWith(to.gene, a, l.gene) })
	b := a
	if len(second) > 0 {
		b = second[r.IntN(len(second))].gene
	}
	return gene.Combine(r, to.gene, a, b)
}
