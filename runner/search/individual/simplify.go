package individual

import (
	"iter"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Len returns the number of calls.
func (ind *Individual) Len() int { return len(ind.calls) }

// KeepCalls returns a copy of the individual with only the calls at the given indexes, in order. Inputs that were
// linked to a removed call have their own values again. The copy follows no template.
func (ind *Individual) KeepCalls(keep []int) *Individual {
	less := &Individual{free: true, stubs: ind.stubs.clone(), rows: ind.rows.clone(), afterRedirect: ind.afterRedirect}
	at := map[int]int{}
	for n, i := range keep {
		at[i] = n
		less.calls = append(less.calls, ind.calls[i].clone())
	}
	for _, l := range ind.links {
		from, stays := at[l.From]
		to, wanted := at[l.To]
		switch {
		case stays && wanted:
			l.From, l.To = from, to
			less.links = append(less.links, l)
		case wanted:
			less.unlock(l, to)
		}
	}
	return less
}

// unlock unlocks the parameter of a call that a removed link l had set.
func (ind *Individual) unlock(l model.Link, call int) {
	for i, p := range ind.calls[call].op.Params {
		if p.In == l.In && p.Name == l.Name {
			ind.calls[call].genes[i] = gene.UnlockValue(ind.calls[call].genes[i])
		}
	}
}

// Simplified returns a copy of the individual in which all values are as simple as possible. It keeps the values
// whose indexes are in keep; indexes are from 0 to SimplifiableCount()-1. It also simplifies the values that
// links replace.
func (ind *Individual) Simplified(keep []int) *Individual {
	c := ind.clone()
	for _, p := range c.places(true) {
		*p = gene.Simplest(*p)
	}
	for i, p := range c.simplifiable() {
		if !slices.Contains(keep, i) {
			*p = gene.Simplest(*p)
		}
	}
	return c
}

// RequiredOnly returns a copy of the individual without optional values. It keeps bodies, and parameters that
// links set.
func (ind *Individual) RequiredOnly(r *rand.Rand) *Individual {
	c := ind.clone()
	for n := range c.calls {
		if p := c.calls[n].payload; p != nil {
			gene.RequiredOnly(r, p)
		}
		for i, p := range c.calls[n].op.Params {
			if !c.links.sets(n, p.In, p.Name) {
				gene.OmitOptional(c.calls[n].genes[i])
			}
		}
	}
	return c
}

// SimplifiableCount returns how many values of parameters and body fields can be made simpler.
func (ind *Individual) SimplifiableCount() int { return len(ind.clone().simplifiable()) }

// simplifiable returns pointers to the values that can be made simpler.
func (ind *Individual) simplifiable() []*gene.Gene {
	var all []*gene.Gene
	for _, tree := range ind.places(false) {
		for _, p := range gene.SimplifiableParts(tree) {
			if !gene.IsSimplest(*p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// places returns pointers to the genes of parameters, bodies and rows. If linked is true, these are the parameters that
// links set; otherwise they are all other parameters, the bodies and the rows.
func (ind *Individual) places(linked bool) []*gene.Gene {
	var all []*gene.Gene
	for n := range ind.calls {
		c := &ind.calls[n]
		for i, p := range c.op.Params {
			if linked == ind.links.sets(n, p.In, p.Name) {
				all = append(all, &c.genes[i])
			}
		}
		if c.payload != nil && !linked {
			all = append(all, &c.payload)
		}
	}
	if !linked {
		all = append(all, ind.rows.places()...)
	}
	return all
}

// Simpler yields copies of the individual with one simplification each: a row is missing, a stub is missing or sends
// less, a call has no violation, or a value is simpler.
func (ind *Individual) Simpler() iter.Seq[*Individual] {
	return func(yield func(*Individual) bool) {
		if !simplerRows(ind, yield) || !ind.simplerStubs(yield) {
			return
		}
		for n, call := range ind.calls {
			if c := ind.clone(); call.violation.in != "" {
				c.calls[n].violation = violation{}
				if !yield(c) {
					return
				}
			}
		}
		for i, tree := range ind.places(false) {
			for g := range gene.Simpler(*tree) {
				c := ind.clone()
				*c.places(false)[i] = g
				if !yield(c) {
					return
				}
			}
		}
	}
}
