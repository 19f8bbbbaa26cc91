package rest

import (
	"iter"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/gene"
	"sonde/runner/pool"
)

// Len is the number of calls.
func (ind *Individual) Len() int { return len(ind.calls) }

// Only returns the individual with some of its calls, whose indexes are given in
// order. What was linked to a call that is gone has its own value again. It
// follows no template any more.
func (ind *Individual) Only(keep []int) *Individual {
	less, at := &Individual{free: true, stubs: cloneStubs(ind.stubs)}, map[int]int{}
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

// unlock gives a parameter back to the search that a link had locked.
func (ind *Individual) unlock(l model.Link, to int) {
	for i, p := range ind.calls[to].op.Params {
		if p.In == l.In && p.Name == l.Name {
			ind.calls[to].genes[i] = gene.Unlock(ind.calls[to].genes[i])
		}
	}
}

// Plain returns the individual with all values plain but those that are kept,
// which are numbered as Plainable counts them. Values whose place a link takes
// are plain, too.
func (ind *Individual) Plain(keep []int) *Individual {
	c := ind.clone()
	for _, p := range c.places(true) {
		*p = gene.Plain(*p)
	}
	for i, p := range c.plainable() {
		if !slices.Contains(keep, i) {
			*p = gene.Plain(*p)
		}
	}
	return c
}

// Least returns the individual with bodies, and otherwise without the values that may be
// left out, but those whose place a link takes.
func (ind *Individual) Least(r *rand.Rand) *Individual {
	c := ind.clone()
	for n := range c.calls {
		if p := c.calls[n].payload; p != nil {
			gene.Least(r, p)
		}
		for i, p := range c.calls[n].op.Params {
			if !c.linked(n, pool.Input{In: p.In, Name: p.Name}) {
				gene.Bare(c.calls[n].genes[i])
			}
		}
	}
	return c
}

// Plainable is how many values are not plain: those of parameters, and of the
// fields of bodies.
func (ind *Individual) Plainable() int { return len(ind.clone().plainable()) }

// plainable returns the places of these values.
func (ind *Individual) plainable() []*gene.Gene {
	var all []*gene.Gene
	for _, tree := range ind.places(false) {
		for _, p := range gene.Places(tree) {
			if !gene.IsPlain(*p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// places returns the roots of the values that are sent: those whose place a link
// takes, or all others.
func (ind *Individual) places(linked bool) []*gene.Gene {
	var all []*gene.Gene
	for n := range ind.calls {
		c := &ind.calls[n]
		for i, p := range c.op.Params {
			if linked == slices.ContainsFunc(ind.links, func(l model.Link) bool { return l.To == n && l.In == p.In && l.Name == p.Name }) {
				all = append(all, &c.genes[i])
			}
		}
		if c.payload != nil && !linked {
			all = append(all, &c.payload)
		}
	}
	return all
}

// Plainer returns individuals of which one call has no flaw any more, one host has
// less to say, or one value is plainer.
func (ind *Individual) Plainer() iter.Seq[*Individual] {
	return func(yield func(*Individual) bool) {
		if !ind.fewerStubs(yield) {
			return
		}
		for n, call := range ind.calls {
			if c := ind.clone(); call.flaw.in != "" {
				c.calls[n].flaw = (flaw{})
				if !yield(c) {
					return
				}
			}
		}
		for i, tree := range ind.places(false) {
			for g := range gene.Plainer(*tree) {
				c := ind.clone()
				*c.places(false)[i] = g
				if !yield(c) {
					return
				}
			}
		}
	}
}
