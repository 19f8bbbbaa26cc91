package cluster

import (
	"slices"
	"strings"
	"unicode"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// source says where a candidate for a name comes from.
type source int

const (
	fromTag     source = iota
	fromArea           // the path segment that names the area
	fromSegment        // a path segment
	fromPair           // a path segment and the one above it, such as "databases/pools"
	fromTriple         // a path segment and the two above it, such as "orgs/actions/secrets"
)

// candidate is a possible name of a cluster. The operations of the cluster propose candidates.
type candidate struct {
	name string
	source
	upper string // the upper segment of a pair, "" if too many operations are below that segment
}

// label is the visible part of a candidate: its text and its source.
type label struct {
	name string
	source
}

// maxDistinctShare limits which resources can distinguish clusters with equal names, as in "user settings" and "team
// settings". At most this share of the API's operations may be below such a resource.
const maxDistinctShare = 0.25

// candidates has the names that the operations of an API propose for clusters.
type candidates struct {
	ops   []*model.Operation
	of    [][]candidate     // for each operation, its candidates without duplicates
	count map[label]int     // number of operations with the label
	order map[candidate]int // the order in which the candidates were found
	// scopes has the nouns of scopes, in the form of readsLike.
	scopes map[string]bool
}

func newCandidates(ops []*model.Operation, tree *resourceTree, areas []*resource.Resource) *candidates {
	n := &candidates{ops: ops, count: map[label]int{}, order: map[candidate]int{}, scopes: tree.scopeNouns()}
	prefix := tagPrefix(ops)
	for i, op := range ops {
		list := n.propose(op, tree.of[op], areas[i], tree, len(prefix))
		n.of = append(n.of, list)
		for _, c := range list {
			n.count[label{c.name, c.source}]++
			if _, known := n.order[c]; !known {
				n.order[c] = len(n.order)
			}
		}
	}
	return n
}

// propose returns the candidates of an operation. at is the resource of the operation. prefix is the length of the
// prefix that all tags have; see tagPrefix.
func (n *candidates) propose(op *model.Operation, at, area *resource.Resource, tree *resourceTree, prefix int) (list []candidate) {
	add := func(c candidate) {
		if c.name != "" && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	for _, tag := range op.Tags {
		add(candidate{tag[prefix:], fromTag, ""})
	}
	if area != nil {
		add(candidate{resource.Element(area.Segment), fromArea, ""})
	}
	for r := at; r != nil; r = tree.above(r) {
		up := tree.above(r)
		if !tree.canName(r) || up != nil && match.IsAction(strings.ToLower(r.Segment)) {
			continue
		}
		name := resource.Element(r.Segment)
		add(candidate{name, fromSegment, ""})
		if up == nil {
			continue
		}
		upper := resource.Element(up.Segment)
		c := candidate{upper + "/" + name, fromPair, ""}
		if float64(tree.below[up]) <= maxDistinctShare*float64(tree.total) {
			c.upper = upper
		}
		add(c)
		if top := tree.above(up); top != nil {
			add(candidate{resource.Element(top.Segment) + "/" + c.name, fromTriple, ""})
		}
	}
	return list
}

// tagPrefix returns the words with which all tags begin, such as "Api20100401" for the tags "Api20100401Call" and
// "Api20100401Queue". It returns "" if there are no such words, or if there are only few tags.
func tagPrefix(ops []*model.Operation) string {
	tags := map[string]bool{}
	prefix := ""
	for _, op := range ops {
		for _, tag := range op.Tags {
			if len(tags) == 0 {
				prefix = tag
			}
			for !strings.HasPrefix(tag, prefix) {
				prefix = prefix[:len(prefix)-1]
			}
			tags[tag] = true
		}
	}
	if len(tags) < 3 {
		return ""
	}
	// In each tag, the prefix must end where a word ends.
	for ; prefix != ""; prefix = prefix[:len(prefix)-1] {
		ends := true
		for tag := range tags {
			rest := []rune(tag[len(prefix):])
			ends = ends && len(rest) > 1 && unicode.IsUpper(rest[0]) && unicode.IsLower(rest[1])
		}
		if ends {
			return prefix
		}
	}
	return ""
}

// has returns the candidates of some operations, each with the number of these operations that have the candidate.
// ops are indices.
func (n *candidates) has(ops []int) map[candidate]int {
	has := map[candidate]int{}
	for _, i := range ops {
		for _, c := range n.of[i] {
			has[c]++
		}
	}
	return has
}

// countOf returns the number of operations that have a candidate or another candidate with the same text and source.
// For a segment that names an area, all operations with this segment count, because a reader does not see that the
// segment names an area.
func (n *candidates) countOf(c candidate) int {
	if c.source == fromArea {
		return max(n.count[label{c.name, fromArea}], n.count[label{c.name, fromSegment}])
	}
	return n.count[label{c.name, c.source}]
}

// f1 returns how well a candidate describes a set of operations, as the harmonic mean of precision and recall. size
// is the size of the set. both is the number of operations in the set that have the candidate.
func (n *candidates) f1(both, size int, c candidate) float64 {
	return 2 * float64(both) / float64(size+n.countOf(c))
}

// rank orders candidates with equal scores. The lowest rank is best. outer is the name of the enclosing cluster. A
// pair comes before an area and a segment if its upper segment is not too common (see candidate.upper) and is not in
// outer.
func (c candidate) rank(outer string) int {
	if c.source == fromPair && c.upper != "" && !within(outer, c.upper) {
		return 1
	}
	return 2 * int(c.source)
}
