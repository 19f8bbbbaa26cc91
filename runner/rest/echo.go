package rest

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/gene"
	"sonde/runner/outside"
)

// leaf is a scalar of a call, or of what a host says.
type leaf struct {
	call int
	name string
	gene gene.Gene
	said *outside.Said // by a host, nil of a call's
}

// leaves are the scalars of a test that are in it and not carried by a link, those
// that hosts say last.
func (ind *Individual) leaves() []leaf {
	var all []leaf
	for i, c := range ind.calls {
		for j, g := range c.genes {
			p := c.op.Params[j]
			if !slices.ContainsFunc(ind.links, func(l model.Link) bool { return l.To == i && l.In == p.In && l.Name == p.Name }) {
				all = appendLeaves(all, leaf{call: i, name: p.Name, gene: g})
			}
		}
		if c.payload != nil {
			all = appendLeaves(all, leaf{call: i, gene: c.payload})
		}
	}
	return append(all, ind.hosted()...)
}

// appendLeaves goes down to the scalars of a gene. Items have the name of their
// list.
func appendLeaves(all []leaf, at leaf) []leaf {
	if gene.Scalar(at.gene) {
		return append(all, at)
	}
	for _, f := range gene.Fields(at.gene) {
		all = appendLeaves(all, leaf{call: at.call, name: f.Name, gene: f.Gene, said: at.said})
	}
	for _, item := range gene.Items(at.gene) {
		all = appendLeaves(all, leaf{call: at.call, name: at.name, gene: item, said: at.said})
	}
	return all
}

// edge gives one of a test's scalars a value at the edge of what it may be, and
// reports whether it has one.
func (ind *Individual) edge(r *rand.Rand) bool { return edgeOne(r, ind.leaves()) }

func edgeOne(r *rand.Rand, all []leaf) bool {
	for range min(len(all), someTries) {
		if gene.Edge(r, all[r.IntN(len(all))].gene) {
			return true
		}
	}
	return false
}

// echo gives one of a test's scalars the value of another one, of the same call
// or an earlier one: half the time of one with the same name, if there is any.
func (ind *Individual) echo(r *rand.Rand) bool {
	all := ind.leaves()
	return echoOne(r, all, all)
}

// echoOne gives one of some scalars the value of another one among all of a test: of an
// earlier call, or, to what a host says, of any.
func echoOne(r *rand.Rand, some, all []leaf) bool {
	for range min(len(some), someTries) {
		to := some[r.IntN(len(some))]
		from := slices.DeleteFunc(slices.Clone(all), func(l leaf) bool { return l.call > to.call && to.said == nil || l.gene == to.gene })
		if named := slices.DeleteFunc(slices.Clone(from), func(l leaf) bool { return l.name != to.name }); len(named) > 0 && r.IntN(2) == 0 {
			from = named
		}
		if len(from) > 0 && gene.Echo(r, to.gene, from[r.IntN(len(from))].gene) {
			return true
		}
	}
	return false
}

// someTries is how many scalars are looked at for one that can be changed.
const someTries = 8
