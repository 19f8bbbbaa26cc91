package graph

import (
	"fmt"
	"strings"

	"sonde/analysis/layout"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// zoom is how much a box says.
type zoom int

// From the farthest to the nearest.
const (
	dots zoom = iota - 1 // a sign
	names
	facts
)

// The widest name of a box, by how much it says.
const (
	nameText = 30
	factText = 48
)

// String says what a box shows.
func (z zoom) String() string { return [...]string{"signs", "names", "facts"}[z-dots] }

// node is what a box stands for.
type node struct {
	ops  []model.OpID // at least one; the first speaks for all
	name string       // "" for an operation
	fact string       // "" for what its operations take and give
}

func (n node) lead() model.OpID { return n.ops[0] }

// label names the node in at most so many cells.
func (n node) label(width int) draw.Line {
	if n.name != "" {
		return draw.TextLine(n.name, theme.Plain).Cut(width)
	}
	return draw.OperationLine(string(n.lead()), width)
}

// box is a node as the layout has it, with at most so many cells of its name.
func (p *picture) box(n *net, nd node, width int) layout.Node {
	if p.zoom == dots {
		return layout.Node{Lines: []string{theme.Untried}, Kind: layout.Dot}
	}
	mark := ""
	if p.zoom == facts {
		width += factText - nameText
	}
	if nd.lead() == p.middle() {
		mark = "◆ "
	}
	lines := []string{mark + nd.label(width).Text()}
	if p.zoom == facts {
		lines = append(lines, n.fact(nd))
	}
	return layout.Node{Lines: lines}
}

// fact says what a node takes and gives, and to which group it belongs.
func (n *net) fact(nd node) string {
	if nd.fact != "" {
		return nd.fact
	}
	takes, gives := map[string]bool{}, map[string]bool{}
	for _, u := range n.Matcher.Uses(n.ops[nd.lead()]) {
		if u.Out {
			gives[u.ID] = true
		} else {
			takes[u.ID] = true
		}
	}
	parts := []string{fmt.Sprintf("takes %s, gives %s", words.Count(len(takes)), words.Count(len(gives)))}
	if group, ok := n.GroupOf[nd.lead()]; ok {
		parts = append(parts, fmt.Sprintf("group %d", group+1))
	}
	return strings.Join(parts, " · ")
}
