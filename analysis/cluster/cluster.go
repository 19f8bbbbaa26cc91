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
	// Name is a noun that the operations share, or up to three that most of them have: "issues, pulls". No other
	// cluster of the API has the same name or one that differs from it only in form.
	Name string
	// Operations are in the order of the document.
	Operations []model.OpID
	// Parts are the clusters that the operations are divided into, in the order of their first operations. A
	// cluster is divided if it joins several that belong together; Parts is nil otherwise.
	Parts []*Cluster
}

const (
	// fineness is the resolution of the modularity (Reichardt and Bornholdt 2006) for the smallest clusters. A
	// higher one gives more clusters.
	fineness = 4.0
	// screenful is the largest number of clusters that are not joined to larger ones.
	screenful = 36
	// perCluster is the mean number of operations of a cluster that is not joined to others.
	perCluster = 4
	// maxMembers is the largest number of members that the Louvain method divides.
	maxMembers = 3000
	// largestShare is the maximum share of the operations of a large API in a cluster that joins others.
	largestShare = 0.15
)

// Divide returns the clusters of operations whose values the matcher has, in the order of their first
// operations. Each operation is in exactly one. It finds the smallest clusters by the Louvain method (Blondel
// et al. 2008), and joins those that are most alike until there are at most screenful, or no two are alike. The
// result is always the same for the same document.
func Divide(m *match.Matcher, ops []*model.Operation) []*Cluster {
	tree := newResourceTree(m, ops)
	areas := tree.areas(ops)
	f := newFeatures(m, ops, tree, areas)
	largest := len(ops)
	if len(ops) >= screenful*perCluster {
		largest = int(largestShare * float64(len(ops)))
	}
	level := newJoiner(f, f.smallest(indivisible(ops)), largest).joinTo(min(screenful, len(ops)/perCluster))
	for _, c := range level {
		c.flatten()
	}
	n := namer{newCandidates(ops, tree, areas), map[*member]string{}, map[string]bool{}}
	return n.clusters(level)
}

// member is an element to be joined: an operation, a few operations with similar paths, or a cluster.
type member struct {
	ops   []int     // indices of operations, in order
	parts []*member // the joined members, nil for those that are not divided
}

// indivisible returns the members that are not divided further, in the order of their first operations. These
// are single operations. In an API with more than maxMembers operations they are the operations whose paths
// begin with the same segments: as many segments as give at most maxMembers members, because the time of the
// Louvain method grows with the square of their number.
func indivisible(ops []*model.Operation) []*member {
	if len(ops) <= maxMembers {
		var all []*member
		for i := range ops {
			all = append(all, &member{ops: []int{i}})
		}
		return all
	}
	depth := 0
	for _, op := range ops {
		depth = max(depth, strings.Count(op.Path, "/"))
	}
	all := belowSegments(ops, depth)
	for depth--; len(all) > maxMembers && depth > 0; depth-- {
		all = belowSegments(ops, depth)
	}
	return all
}

// belowSegments returns a member for the operations of all paths that begin with the same segments, as many as
// given. The members are in the order of their first operations.
func belowSegments(ops []*model.Operation, segments int) []*member {
	var all []*member
	at := map[string]*member{}
	for i, op := range ops {
		parts := strings.SplitN(op.Path, "/", segments+2)
		begin := strings.Join(parts[:min(len(parts), segments+1)], "/")
		if at[begin] == nil {
			at[begin] = &member{}
			all = append(all, at[begin])
		}
		at[begin].ops = append(at[begin].ops, i)
	}
	return all
}

// joined returns the member that joins others.
func joined(parts ...*member) *member {
	m := &member{parts: parts}
	for _, p := range parts {
		m.ops = append(m.ops, p.ops...)
	}
	slices.Sort(m.ops)
	slices.SortFunc(m.parts, byFirst)
	return m
}

// smallest returns the clusters into which the Louvain method divides members, in the order of their first
// operations.
func (f *features) smallest(members []*member) []*member {
	var found []*member
	for _, nodes := range community.Modularize(f.bipartite(members), fineness, rand.NewPCG(1, 1)).Communities() {
		var parts []*member
		for _, n := range nodes {
			if n.ID() < int64(len(members)) { // the others are features
				parts = append(parts, members[n.ID()])
			}
		}
		switch len(parts) {
		case 0:
		case 1:
			found = append(found, parts[0])
		default:
			found = append(found, joined(parts...))
		}
	}
	slices.SortFunc(found, byFirst)
	return found
}

func byFirst(a, b *member) int { return a.ops[0] - b.ops[0] }

// clusters returns the members as named clusters.
func (n *namer) clusters(members []*member) []*Cluster {
	n.nameAll(members, "")
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

// flatten replaces parts of the member by their own parts, the largest first, as long as all parts fit on a
// screen.
func (m *member) flatten() {
	if !m.divided() {
		return
	}
	for {
		largest := -1
		for i, p := range m.parts {
			if p.divided() && (largest < 0 || len(p.ops) > len(m.parts[largest].ops)) {
				largest = i
			}
		}
		if largest < 0 || len(m.parts)+len(m.parts[largest].parts) > screenful+1 {
			break
		}
		m.parts = slices.Replace(m.parts, largest, largest+1, m.parts[largest].parts...)
	}
	slices.SortFunc(m.parts, byFirst)
	for _, p := range m.parts {
		p.flatten()
	}
}

// divided reports whether the member joins clusters rather than only operations, and is large enough for its
// parts to be of interest.
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
