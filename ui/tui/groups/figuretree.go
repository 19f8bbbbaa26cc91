package groups

import (
	"slices"
	"strings"

	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
)

// treeRow is a row of the figure in the form of a tree: values, or an operation below them that emits or
// takes them. The node of a group's heading is -1.
type treeRow struct {
	node  int
	group string     // the heading of a group; "" for other rows
	head  string     // the values; "" for an operation
	arrow string     // the direction: the operation emits the values, takes them, or both
	op    model.OpID // "" for values
}

// tree returns a row for each value, followed by its operations, then rows for the operations without
// values. If the figure has all groups, these rows of each group follow its heading.
func (d *drawing) tree(f *valuegroup.Figure) []treeRow {
	if d.groups == nil {
		return d.treeOf(f, 0)
	}
	var out []treeRow
	for g, name := range d.names {
		if slices.Contains(f.OperationGroups, g) {
			out = append(append(out, treeRow{node: -1, group: name}), d.treeOf(f, g)...)
		}
	}
	return out
}

// treeOf returns the rows for one group of the figure.
func (d *drawing) treeOf(f *valuegroup.Figure, group int) []treeRow {
	var out []treeRow
	connected := make([]bool, len(d.ops))
	for k, v := range f.Values {
		if f.ValueGroups[k] != group {
			continue
		}
		out = append(out, treeRow{node: len(d.ops) + k, head: strings.Join(v.Names, ", ")})
		for i := range d.ops {
			if arrow := arrowAt(v, i); arrow != "" {
				connected[i] = true
				out = append(out, treeRow{node: i, arrow: arrow, op: d.ops[i]})
			}
		}
	}
	for i, op := range d.ops {
		if f.OperationGroups[i] == group && !connected[i] {
			out = append(out, treeRow{node: i, arrow: " ", op: op})
		}
	}
	return out
}

// arrowAt returns the direction of a value at an operation, "" if the operation does not have it.
func arrowAt(v valuegroup.ValueFlow, op int) string {
	emits, takes := slices.Contains(v.Emitters, op), slices.Contains(v.Takers, op)
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
	if t.group != "" {
		return append(line, draw.Span{Text: t.group, Style: theme.Strong})
	}
	if t.op == "" {
		return append(line, draw.Span{Text: "┆ " + draw.Clean(t.head), Style: theme.Value})
	}
	line = append(line, draw.Span{Text: "    " + t.arrow + " ", Style: theme.Dim})
	return append(line, names.Operation(t.op, width-line.Width()-1)...)
}
