package cluster

import (
	"math"
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// Weights of features. They were chosen by comparing the clusters of twelve large documents with the tags of the
// operations; see docs/benchmarks.md.
const (
	areaWeight     = 2
	resourceWeight = 1
	nounWeight     = 0.25
	valueWeight    = 0.25
)

// feature is a property that several operations share.
type feature struct {
	ops    []int // indices of the operations that have the feature, in order
	weight float64
}

// features has the features that at least two operations of an API have in common. An operation has these features:
//   - the noun of its area in the tree of paths
//   - each resource in its path
//   - each word of its path, in the singular
//   - each identifier or reference that it takes or emits
//
// The weight of a feature is the weight of its kind times the square of its rarity. The rarity is the inverse
// document frequency (Spärck Jones 1972), divided by the maximum. Frequent features have a low weight: "owner" and
// "repo", which 900 of 1,200 operations take, have nearly no weight.
type features struct{ list []feature }

func newFeatures(m *match.Matcher, ops []*model.Operation, tree *resourceTree, areas []*resource.Resource) *features {
	c := collector{at: map[string]int{}}
	for i, op := range ops {
		if areas[i] != nil {
			c.add("area "+noun(areas[i]), i, areaWeight)
		}
		for r := tree.of[op]; r != nil && r.Parent != nil; r = r.Parent {
			c.add("resource "+r.Path, i, resourceWeight)
			if !r.Param {
				for _, w := range match.Nouns(resource.Element(r.Segment)) {
					c.add("noun "+w, i, nounWeight)
				}
			}
		}
		for _, u := range m.UsesOf(op) {
			if u.Kind == match.KindIdentifier || u.Kind == match.KindReference {
				c.add("value "+u.ID, i, valueWeight)
			}
		}
	}
	f := &features{}
	for _, found := range c.found {
		if n := len(found.ops); n > 1 {
			found.weight *= math.Pow(rarity(n, len(ops)), 2)
			f.list = append(f.list, found)
		}
	}
	return f
}

// rarity returns the rarity of a feature that n of all operations have, from 0 to 1. It is the inverse document
// frequency, divided by the maximum.
func rarity(n, all int) float64 { return math.Log(float64(all)/float64(n)) / math.Log(float64(all)) }

// collector collects the features of operations.
type collector struct {
	at    map[string]int // index into found
	found []feature
}

func (c *collector) add(name string, op int, weight float64) {
	i, known := c.at[name]
	if !known {
		i = len(c.found)
		c.at[name] = i
		c.found = append(c.found, feature{weight: weight})
	}
	if f := &c.found[i]; !slices.Contains(f.ops[max(0, len(f.ops)-1):], op) {
		f.ops = append(f.ops, op)
	}
}

// bipartite returns the graph of members and features. An edge leads from each member to each feature of its
// operations, except for features that all operations have. The weight of the edge is the weight of the feature times
// the number of the member's operations that have it.
func (f *features) bipartite(members []*member) *weightedGraph {
	at := memberOf(members)
	g := newWeightedGraph(len(members) + len(f.list))
	for k, feature := range f.list {
		if feature.weight == 0 {
			continue
		}
		for _, i := range feature.ops {
			g.add(at[i], len(members)+k, feature.weight)
		}
	}
	return g
}

// memberOf returns, by the index of an operation, the index of the member that has the operation.
func memberOf(members []*member) map[int]int {
	at := map[int]int{}
	for k, m := range members {
		for _, op := range m.ops {
			at[op] = k
		}
	}
	return at
}
