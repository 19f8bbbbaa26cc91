package groups

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
)

// treeRow is a row of the figure in the form of a tree: values, or an operation below them that emits or
// takes them.
type treeRow struct {
	node  int
	head  string     // the values; "" for an operation
	arrow string     // the direction: the operation emits the values, takes them, or both
	op    model.OpID // "" for values
}

// tree returns a row for each value, followed by its operations, then rows for the operations without
// values.
func (d *drawing) tree(values []exchange) []treeRow {
	var out []treeRow
	connected := make([]bool, len(d.ops))
	for k, x := range values {
		out = append(out, treeRow{node: len(d.ops) + k, head: strings.Join(x.names, ", ")})
		for i := range d.ops {
			if arrow := x.arrow(i); arrow != "" {
				connected[i] = true
				out = append(out, treeRow{node: i, arrow: arrow, op: d.ops[i]})
			}
		}
	}
	for i, op := range d.ops {
		if !connected[i] {
			out = append(out, treeRow{node: i, arrow: " ", op: op})
		}
	}
	return out
}

// arrow returns the direction of the value at an operation, "" if the operation does not have it.
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

func (t treeRow) draw(names draw.SeqNames, mark string, width int) draw.Line {
	line := draw.TextLine(mark+" ", theme.Active)
	if t.op == "" {
		return append(line, draw.Span{Text: "┆ " + draw.Clean(t.head), Style: theme.Value})
	}
	line = append(line, draw.Span{Text: "    " + t.arrow + " ", Style: theme.Dim})
	return append(line, names.Operation(t.op, width-line.Width()-1)...)
}
