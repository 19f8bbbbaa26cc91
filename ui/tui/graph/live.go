package graph

import (
	"strings"

	"sonde/model"
	"sonde/ui/theme"
)

// answers is what the search saw of all operations of a node, by status.
func (s *Screen) answers(n node) map[int]int {
	if len(n.ops) == 1 {
		return s.run.Grid[n.lead()]
	}
	all := map[int]int{}
	for _, op := range n.ops {
		for status, count := range s.run.Grid[op] {
			all[status] += count
		}
	}
	return all
}

// sign is on a node's box as soon as there is a search.
func (s *Screen) sign(node int) string {
	if s.run.Grid == nil {
		return ""
	}
	sign, _ := theme.Answers(s.answers(s.picture.nodes[node]))
	return sign
}

// reached is the style of a box's border: of what the search reached, or of the
// method where it tried nothing yet.
func (s *Screen) reached(node int) theme.Style {
	counts := s.answers(s.picture.nodes[node])
	if len(counts) == 0 {
		return s.methodOf(node)
	}
	_, style := theme.Answers(counts)
	return style
}

// methodOf is the style of the method that all operations of a node share.
func (s *Screen) methodOf(at int) theme.Style {
	ops := s.picture.nodes[at].ops
	for _, op := range ops {
		if method(op) != method(ops[0]) {
			return theme.Plain
		}
	}
	return theme.Method(method(ops[0]))
}

func method(op model.OpID) string {
	m, _, _ := strings.Cut(string(op), " ")
	return m
}
