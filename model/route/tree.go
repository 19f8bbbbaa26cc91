package route

import (
	"cmp"
	"slices"
)

// node is a node in the tree of templates. All templates below a node start with the same segments; only the names of
// their parameters may differ.
type node struct {
	fixed  map[string]*node
	byKey  map[string]*branch
	open   []*branch              // the branches of byKey, sorted by the length of fixed text, the longest first
	leaves map[string][]*template // the templates that end here, by method, the best first
}

// branch is an edge of the tree for a segment with parameters.
type branch struct {
	segment
	to *node
}

func newNode() *node {
	return &node{fixed: map[string]*node{}, byKey: map[string]*branch{}, leaves: map[string][]*template{}}
}

func (n *node) add(t *template) {
	for _, s := range t.segments {
		n = n.next(s)
	}
	n.leaves[t.op.Method] = append(n.leaves[t.op.Method], t)
}

// next returns the node after a segment. It creates the node if necessary.
func (n *node) next(s segment) *node {
	if text := s.texts[0]; len(s.params) == 0 {
		if n.fixed[text] == nil {
			n.fixed[text] = newNode()
		}
		return n.fixed[text]
	}
	key := s.key()
	if n.byKey[key] == nil {
		n.byKey[key] = &branch{s, newNode()}
		n.open = append(n.open, n.byKey[key])
	}
	return n.byKey[key].to
}

// sort sorts branches and templates by precedence. {a}{b} comes before {a}, because it matches fewer texts. Branches
// and templates of equal precedence keep the order of the spec.
func (n *node) sort() {
	slices.SortStableFunc(n.open, func(a, b *branch) int {
		return cmp.Or(cmp.Compare(b.fixed(), a.fixed()), cmp.Compare(len(b.params), len(a.params)))
	})
	for _, all := range n.leaves {
		slices.SortStableFunc(all, func(a, b *template) int { return cmp.Compare(len(b.query), len(a.query)) })
	}
	for _, to := range n.fixed {
		to.sort()
	}
	for _, b := range n.open {
		b.to.sort()
	}
}

// find returns the template that matches the request's segments, starting at index from, or nil. It visits
// each node at most once, because only one path leads to each node.
func (n *node) find(q *request, from int) *template {
	if from == len(q.segments) {
		return n.leaf(q)
	}
	text := q.segments[from]
	if to := n.fixed[text]; to != nil {
		if t := to.find(q, from+1); t != nil {
			return t
		}
	}
	for _, b := range n.open {
		if _, fits := b.values(text); fits {
			if t := b.to.find(q, from+1); t != nil {
				return t
			}
		}
	}
	return nil
}

// leaf returns the template at this node with the most conditions. The query must satisfy all conditions of the
// template. leaf returns nil if there is no such template. If several have equally many conditions, leaf prefers a
// template whose path ends in a slash exactly if the path of the request does.
func (n *node) leaf(q *request) *template {
	var best *template
	for _, t := range n.leaves[q.method] {
		switch {
		case best != nil && len(t.query) < len(best.query):
			return best
		case !t.meets(q.query):
		case best == nil, t.slash == q.slash && best.slash != q.slash:
			best = t
		}
	}
	return best
}
