package groups

import (
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
)

// twig is a line of the tree that says what the figure shows: values, and below
// each who emits and who takes it.
type twig struct {
	node int
	head string // the values; "" for an operation
	// arrow reports whether the operation emits, takes, or both.
	arrow string
	op    string
}

// tree writes the values shown as lines, then the operations without any.
func (d *drawing) tree(values []exchange) []twig {
	var out []twig
	tied := make([]bool, len(d.ops))
	for k, x := range values {
		out = append(out, twig{node: len(d.ops) + k, head: strings.Join(x.names, ", ")})
		for i := range d.ops {
			if arrow := x.arrow(i); arrow != "" {
				tied[i] = true
				out = append(out, twig{node: i, arrow: arrow, op: string(d.ops[i])})
			}
		}
	}
	for i, op := range d.ops {
		if !tied[i] {
			out = append(out, twig{node: i, arrow: " ", op: string(op)})
		}
	}
	return out
}

// arrow shows how the value flows at an operation, "" where it doesn't.
func (x exchange) arrow(op int) string {
	emits, takes := slices.Contains(x.emitters, op), slices.Contains(x.takers, op)
	switch {
	case emits && takes:
		return "↔"
	case emits:
		return "←"
	case takes:
		return "→"
	}
	return ""
}

func (t twig) draw(mark string, width int) draw.Line {
	line := draw.TextLine(mark+" ", theme.Active)
	if t.op == "" {
		return append(line, draw.Span{Text: "┆ " + draw.Clean(t.head), Style: theme.Value})
	}
	line = append(line, draw.Span{Text: "    " + t.arrow + " ", Style: theme.Dim})
	return append(line, draw.OperationLine(t.op, width-line.Width()-1)...)
}
