// Package cluster divides the operations of an API into clusters of related operations. Operations are
// related if they are near each other in the tree of resources, or if they share rare nouns or rare values.
//
// In a large API, one value-sharing group has nearly all operations. Clusters are smaller: at each level there are
// few enough for one screen, and each has a name.
package cluster

import (
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"

	"gonum.org/v1/gonum/graph/community"
)

// Cluster is a set of related operations.
type Cluster struct {
	// Name is usually a noun that most of the operations have in common, or a list of up to three nouns: "issues,
	// pulls". See namer for the other cases. No two clusters of an API have names that differ only in form, such as
	// "issues" and "Issue".
	Name string
	// Operations are in the order of the document.
	Operations []model.OpID
	// Parts are the clusters that were joined to this one, in the order of their first operations. It is nil for a
	// cluster without parts.
	Parts []*Cluster
}

const (
	// fineness is the resolution of the modularity (Reichardt and Bornholdt 2006) for the smallest clusters. A higher
	// resolution gives more clusters.
	fineness = 4.0
	// screenful is the maximum number of clusters at one level.
	screenful = 36
	// perCluster is the intended mean number of operations in a smallest cluster.
	perCluster = 4
	// maxMembers is the maximum number of members that the Louvain method divides.
	maxMembers = 3000
	// largestShare is the maximum share of a large API's operations that a joined cluster may have.
	largestShare = 0.15
)

// Divide returns the clusters of operations, in the order of their first operations. The matcher must have the values
// of these operations. Each operation is in exactly one cluster. Equal documents give equal clusters.
//
// Divide finds the smallest clusters by the Louvain method (Blondel et al. 2008). It then joins the most similar
// clusters until one of these conditions holds:
//   - At most screenful clusters are left, and at most one for each perCluster operations.
//   - No two clusters are similar.
//
// After that, it still joins clusters that are very similar. In a large API, no joined cluster has more than
// largestShare of the operations.
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

// member is something that can be joined with others to a cluster: an operation, several operations with similar
// paths, or a cluster.
type member struct {
	ops   []int     // indices of operations, in order
	parts []*member // the members that were joined to this one; nil if it is indivisible
}

// indivisible returns the members that are not divided further, in the order of their first operations. In most APIs,
// each of them is a single operation.
//
// If an API has more than maxMembers operations, a member has all operations whose paths begin with the same segments.
// The number of these segments is the largest one that gives at most maxMembers members, or 1 if there is none. The
// reason for this limit is that the time of the Louvain method grows with the square of the number of members.
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

// belowSegments returns one member for all paths that begin with the same segments. segments is the number of these
// segments. The members are in the order of their first operations.
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

// joined returns a member that consists of the given parts.
func joined(parts ...*member) *member {
	m := &member{parts: parts}
	for _, p := range parts {
		m.ops = append(m.ops, p.ops...)
	}
	slices.Sort(m.ops)
	slices.SortFunc(m.parts, byFirst)
	return m
}

// smallest returns the smallest clusters. These are the clusters into which the Louvain method divides the members.
// They are in the order of their first operations.
func (f *features) smallest(members []*member) []*member {
	var found []*member
	for _, nodes := range community.Modularize(f.bipartite(members), fineness, rand.NewPCG(1, 1)).Communities() {
		var parts []*member
		for _, n := range nodes {
			if n.ID() < int64(len(members)) { // all other nodes are features
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

// clusters names the members and returns them as clusters, each with its parts.
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

// flatten removes levels of parts. It replaces a part by the parts of this part, starting with the largest, as long
// as all parts fit on a screen. It then flattens each remaining part.
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

// divided reports whether the member is shown with its parts. It must have at least one part that is a cluster, and
// more than 2*perCluster operations.
func (m *member) divided() bool {
	return len(m.ops) > 2*perCluster && slices.ContainsFunc(m.parts, func(p *member) bool { return p.parts != nil })
}

// Leaves returns the clusters that have no parts, in order. It searches the given clusters and their parts at all
// levels.
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

// Find returns the cluster with a name, at any level, or nil if there is none. It ignores case.
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
