// Package cluster divides the operations of an API into clusters of operations that belong together, because
// they are near each other in the tree of resources, or share rare nouns or rare values.
//
// A value-sharing group of a large API has nearly all of its operations. Its clusters are what a person looks
// at instead: a handful, each with a name.
package cluster

import (
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"

	"gonum.org/v1/gonum/graph/community"
)

// Cluster is operations that belong together.
type Cluster struct {
	// Name is a noun that the operations share. No other cluster of the API has it.
	Name string
	// Operations are in the order of the document.
	Operations []model.OpID
	// Parts are the clusters that the operations are divided into, in the order of their first operations. A
	// cluster is divided if it joins several that belong together; Parts is nil otherwise.
	Parts []*Cluster
}

const (
	// fineness is the resolution of the modularity (Reichardt and Bornholdt 2006) for the smallest clusters of
	// a large API. A higher one gives more clusters. It is 1 for each opsPerFineness operations of a smaller
	// one, at least 1.
	fineness       = 4.0
	opsPerFineness = 40
	// screenful is the largest number of clusters that are not joined to larger ones.
	screenful = 36
	// perCluster is the mean number of operations of a cluster that is not joined to others.
	perCluster = 4
	// largestShare is the largest share of the operations of a large API that clusters are joined to.
	largestShare = 0.15
)

// Divide returns the clusters of operations whose values the matcher has, in the order of their first
// operations. Each operation is in exactly one. It finds the smallest clusters by the Louvain method (Blondel
// et al. 2008), and joins them by the same method until there are at most screenful, or no two belong
// together. The result is always the same for the same document.
func Divide(m *match.Matcher, ops []*model.Operation) []*Cluster {
	f := newFeatures(m, ops)
	var level []*member
	for i := range ops {
		level = append(level, &member{ops: []int{i}})
	}
	level = f.join(level, fineness)
	most := min(screenful, len(ops)/perCluster)
	for resolution := float64(fineness) / 2; len(level) > most && resolution > 0.1; resolution /= 2 {
		level = withoutLargest(f.join(level, resolution), len(ops))
	}
	for _, c := range level {
		c.flatten()
	}
	n := newNamer(m, ops)
	return n.clusters(level)
}

// member is what the method of Louvain joins: an operation, or a cluster.
type member struct {
	ops   []int     // indices of operations, in order
	parts []*member // the joined members, nil for an operation
}

// withoutLargest replaces each joined cluster of a large API that has more than a largestShare of the ops
// operations by its parts.
func withoutLargest(level []*member, ops int) []*member {
	if ops < screenful*perCluster {
		return level
	}
	var kept []*member
	for _, m := range level {
		if m.divided() && float64(len(m.ops)) > largestShare*float64(ops) {
			kept = append(kept, m.parts...)
		} else {
			kept = append(kept, m)
		}
	}
	slices.SortFunc(kept, byFirst)
	return kept
}

// join returns the clusters of some members at a resolution, in the order of their first operations. A member
// that is in no cluster with others is returned as it is.
func (f *features) join(members []*member, resolution float64) []*member {
	g := f.bipartite(members)
	var joined []*member
	for _, nodes := range community.Modularize(g, resolution, rand.NewPCG(1, 1)).Communities() {
		var c member
		for _, n := range nodes {
			if n.ID() < int64(len(members)) { // the others are features
				c.parts = append(c.parts, members[n.ID()])
			}
		}
		switch len(c.parts) {
		case 0:
			continue
		case 1:
			joined = append(joined, c.parts[0])
			continue
		}
		slices.SortFunc(c.parts, byFirst)
		for _, p := range c.parts {
			c.ops = append(c.ops, p.ops...)
		}
		slices.Sort(c.ops)
		joined = append(joined, &c)
	}
	slices.SortFunc(joined, byFirst)
	return joined
}

func byFirst(a, b *member) int { return a.ops[0] - b.ops[0] }

// clusters returns the members as named clusters.
func (n *namer) clusters(members []*member) []*Cluster {
	n.addAll(members, 0)
	n.nameAll()
	var build func([]*member) []*Cluster
	build = func(members []*member) []*Cluster {
		var all []*Cluster
		for _, m := range members {
			c := &Cluster{Name: n.names[m]}
			for _, i := range m.ops {
				c.Operations = append(c.Operations, n.ops[i].ID)
			}
			if m.divided() {
				c.Parts = build(m.parts)
			}
			all = append(all, c)
		}
		return all
	}
	return build(members)
}

// flatten makes the smallest clusters below the member its parts, without the levels between, if they are few
// enough to look at.
func (m *member) flatten() {
	if !m.divided() {
		return
	}
	if leaves := m.leaves(); len(leaves) <= screenful {
		m.parts = leaves
		return
	}
	for _, p := range m.parts {
		p.flatten()
	}
}

func (m *member) leaves() []*member {
	if !m.divided() {
		return []*member{m}
	}
	var all []*member
	for _, p := range m.parts {
		all = append(all, p.leaves()...)
	}
	slices.SortFunc(all, byFirst)
	return all
}

// divided reports whether the member joins clusters, not only operations, and is large enough that they are
// worth a look.
func (m *member) divided() bool {
	return len(m.ops) > 2*perCluster && slices.ContainsFunc(m.parts, func(p *member) bool { return p.parts != nil })
}

// Leaves returns the smallest clusters below some clusters, in order.
func Leaves(all []*Cluster) []*Cluster {
	var leaves []*Cluster
	for _, c := range all {
		if c.Parts == nil {
			leaves = append(leaves, c)
		} else {
			leaves = append(leaves, Leaves(c.Parts)...)
		}
	}
	return leaves
}

// Find returns the cluster with a name, at any level, or nil. It ignores case.
func Find(all []*Cluster, name string) *Cluster {
	for _, c := range all {
		if strings.EqualFold(c.Name, name) {
			return c
		}
		if part := Find(c.Parts, name); part != nil {
			return part
		}
	}
	return nil
}
