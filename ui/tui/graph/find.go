package graph

import (
	"sonde/model"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"
)

// matches is a search text and the nodes of a picture that match it.
type matches struct {
	finder.FilterLine
	index  *filter.Index
	marked []bool // index: node; value: whether the node matches
	count  int
	near   []filter.Relevance // index: node; value: relevance of the node's best operation
}

func newMatches() matches { return matches{FilterLine: finder.New("what to find")} }

// Look sets the index of the spec to search.
func (m *matches) Look(index *filter.Index) {
	m.index = index
	m.FilterLine.SetIndex(index)
}

// find marks the nodes of a picture whose names or facts match the search text. If no node matches, find marks the
// nodes whose operations take or emit a matching value. The picture may be nil.
func (m *matches) find(p *picture, run model.Snapshot) {
	m.marked, m.count, m.near = nil, 0, nil
	if p == nil || m.IsEmpty() {
		return
	}
	best, ranks := filter.ContentMatch, make([]filter.MatchRank, len(p.nodes))
	for i, nd := range p.nodes {
		ranks[i] = m.Match(m.row(nd, run))
		best = max(best, ranks[i])
	}
	m.marked, m.near = make([]bool, len(ranks)), make([]filter.Relevance, len(ranks))
	for i, r := range ranks {
		if r == best {
			m.marked[i] = true
			m.count++
			m.near[i] = m.relevance(p.nodes[i])
		}
	}
}

// relevance returns the relevance of a node's best matching operation.
func (m *matches) relevance(nd node) (best filter.Relevance) {
	for _, op := range nd.ops {
		best = max(best, m.Relevance(op))
	}
	return best
}

// nearest returns the node that matches best, or -1 if no node matches. If several nodes match equally well, it
// returns the first of them at or after from.
func (m *matches) nearest(from int) int {
	best := m.next(from, 0)
	for i := range m.marked {
		at := (from + i) % len(m.marked)
		if m.has(at) && m.near[at] > m.near[best] {
			best = at
		}
	}
	return best
}

// row returns a node in the form that a filter needs.
func (m *matches) row(nd node, run model.Snapshot) filter.Row {
	row := filter.Row{Operations: nd.ops, Words: []string{nd.name}}
	if m.MentionsFact("status") {
		for _, op := range nd.ops {
			row.Statuses = append(row.Statuses, m.index.StatusesOf(op, run)...)
		}
	}
	return row
}

// has reports whether a node matches.
func (m *matches) has(node int) bool { return node < len(m.marked) && m.marked[node] }

// next returns the first matching node at or after from+step, or -1 if no node matches. If step is negative, next
// searches backwards. It wraps around.
func (m *matches) next(from, step int) int {
	n := len(m.marked)
	for i := range n {
		at := from + step + i
		if step < 0 {
			at = from + step - i
		}
		at = (at%n + n) % n
		if m.has(at) {
			return at
		}
	}
	return -1
}
