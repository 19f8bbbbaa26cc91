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

// zoom is the amount of text in a box.
type zoom int

// The zooms, from the farthest to the nearest.
const (
	dots  zoom = iota - 1 // boxes show a sign
	names                 // boxes show the name
	facts                 // boxes show the name and the facts
)

// The maximum widths of a name and of a line of facts, in cells.
const (
	nameText = 30
	factText = 48
)

// String returns what a box shows.
func (z zoom) String() string { return [...]string{"signs", "names", "facts"}[z-dots] }

// node is a box: an operation, several folded operations or a resource.
type node struct {
	ops  []model.OpID // operations of the node, at least one; the first identifies the node
	name string       // "" for an operation
	// cluster is the name of the folded cluster in the box, "" for none.
	cluster string
	fact    string // "" if the fact is derived from the operation
}

// lead returns the operation that identifies the node.
func (n node) lead() model.OpID { return n.ops[0] }

// title returns the name of the node for the title of a pane, in at most width cells. The title of an operation
// always has its path, even if lists name operations in another way.
func (n node) title(width int) draw.Line {
	if n.name != "" {
		return draw.TextLine(n.name, theme.Plain).Cut(width)
	}
	return draw.OperationLine(string(n.lead()), width)
}

// label returns the name of a node in lists, in at most width cells.
func (p *picture) label(n node, width int) draw.Line {
	if n.name != "" {
		return n.title(width)
	}
	return p.names.Operation(n.lead(), width)
}

// box returns the box of a node for the layout. width is the maximum width of the name, in cells. The name may be
// longer if the box shows facts or a cluster.
func (p *picture) box(n *flowGraph, nd node, width int) layout.Node {
	if p.zoom == dots {
		return layout.Node{Lines: []string{theme.Untried}, Kind: layout.DotNode}
	}
	mark := ""
	if p.zoom == facts {
		width = min(width+factText-nameText, factText)
	}
	if nd.lead() == p.middle() {
		mark = "◆ "
	}
	name := nd.title(width)
	if nd.cluster != "" { // the name is all that tells the user which cluster this is
		name = nd.title(max(width, factText))
	}
	if nd.name == "" {
		name = p.names.Box(nd.lead(), width)
	}
	lines := []string{mark + name.Text()}
	if p.zoom == facts {
		lines = append(lines, n.fact(nd))
	}
	return layout.Node{Lines: lines}
}

// fact describes how many values a node takes and gives, and its group.
func (n *flowGraph) fact(nd node) string {
	if nd.fact != "" {
		return nd.fact
	}
	takes, gives := map[string]bool{}, map[string]bool{}
	for _, u := range n.Matcher.UsesOf(n.ops[nd.lead()]) {
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
