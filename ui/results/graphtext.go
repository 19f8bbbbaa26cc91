package results

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/resource"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// Limits of the text. The JSON is complete.
const (
	textFeeds = 50 // edges of an operation
	textRows  = 40 // rows of a section
	textCell  = 3  // operations of one role
	textWidth = 92
)

// Print writes the edges of the dataflow as text, and the sections that are derived from them.
func (x *Dataflow) Print(w io.Writer) error {
	b := bufio.NewWriter(w)
	switch {
	case x.Resources || x.Reduce:
		if err := x.printSketch(b); err != nil {
			return err
		}
	default:
		x.printFeeds(b)
	}
	x.printGrants(b)
	x.printSetUp(b)
	x.printRoles(b)
	x.printOutside(b)
	x.printUntaken(b)
	x.printCycles(b)
	return b.Flush()
}

func (x *Dataflow) printFeeds(w io.Writer) {
	for i, op := range x.graph.Operations {
		fmt.Fprintln(w, draw.Clean(string(op)))
		t := console.NewTable(w)
		edges, left := x.graph.FirstEdgesFrom(i, textFeeds)
		for _, e := range edges {
			t.Row("  → "+string(e.To), strings.Join(e.Values, ", "))
		}
		if left > 0 {
			t.Row(fmt.Sprintf("  → and %d more", left))
		}
		t.Flush()
	}
}

// printSketch writes each node with the nodes that it feeds. A node is an operation or a resource, or
// several that all feed each other.
func (x *Dataflow) printSketch(w io.Writer) error {
	s, err := x.sketch(PictureLimits{DotNodes, DotEdges})
	if err != nil {
		return err
	}
	next := 0
	for i, members := range s.Nodes {
		names := CleanTexts(x.nodeNames(members, textFeeds))
		fmt.Fprintln(w, strings.Join(names, "\n  ⇄ "))
		t := console.NewTable(w)
		for ; next < len(s.Flows) && s.Flows[next].From == i; next++ {
			f := s.Flows[next]
			to := x.nodeNames(s.Nodes[f.To], 1)
			t.Row("  → "+strings.Join(to, " "), strings.Join(f.Values, ", "))
		}
		t.Flush()
	}
	if note := x.leftOut(s); note != "" {
		fmt.Fprintln(w, note)
	}
	return nil
}

// nodeNames returns the names of a node's first members, at most limit of them. If the node has more members, the
// last string has the number of the other members.
func (x *Dataflow) nodeNames(members []int, limit int) []string {
	var list []string
	for _, k := range members[:min(len(members), limit)] {
		if x.Resources {
			list = append(list, x.inventory.Entities[k].Path)
		} else {
			list = append(list, string(x.graph.Operations[k]))
		}
	}
	if more := len(members) - limit; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return list
}

func heading(w io.Writer, text string) { fmt.Fprintf(w, "\n%s\n", text) }

// printSetUp writes the order in which to create resources. It lists the resources that can be created, and the
// resources that other resources need.
func (x *Dataflow) printSetUp(w io.Writer) {
	heading(w, "Set-up order")
	needed := map[int]bool{}
	for _, e := range x.inventory.Entities {
		for _, n := range e.Needs {
			needed[n.Entity] = true
		}
	}
	t := console.NewTable(w)
	step := 0
	for _, members := range x.inventory.SetUpOrder() {
		members = slices.DeleteFunc(slices.Clone(members), func(k int) bool {
			return !needed[k] && len(x.inventory.Entities[k].Operations[depend.RoleCreate]) == 0
		})
		if len(members) > 0 {
			step++
		}
		for _, k := range members {
			e := x.inventory.Entities[k]
			t.Row(fmt.Sprintf("  %d", step), e.Path, creator(e), x.needs(e, len(members) > 1))
		}
	}
	if step == 0 {
		t.Row("  nothing: no operation creates anything")
	}
	t.Flush()
}

// creator returns the first operation that creates a resource. If no operation creates it, creator returns the action
// on the resource's own path, such as POST /login. If there is no such action, it returns "nothing creates it".
func creator(e *depend.ResourceEntity) string {
	if ops := e.Operations[depend.RoleCreate]; len(ops) > 0 {
		return string(ops[0])
	}
	for _, op := range e.Operations[depend.RoleAction] {
		if _, path, _ := strings.Cut(string(op), " "); path == e.Path {
			return string(op)
		}
	}
	return "nothing creates it"
}

func (x *Dataflow) needs(e *depend.ResourceEntity, circle bool) string {
	var list []string
	for _, n := range e.Needs {
		list = append(list, fmt.Sprintf("%s (%s)", x.inventory.Entities[n.Entity].Path, strings.Join(n.Values, ", ")))
	}
	text := strings.Join(list, ", ")
	if text != "" {
		text = "needs " + text
	}
	if circle {
		text += "; in a cycle with the others of this step"
	}
	return text
}

// printRoles writes which operations create, read, update and delete each resource.
func (x *Dataflow) printRoles(w io.Writer) {
	heading(w, "Who does what")
	t := console.NewTable(w)
	t.Row("  resource", "create", "read", "update", "delete", "actions")
	for _, e := range x.inventory.Entities {
		cells := []any{"  " + e.Path}
		for _, ops := range e.Operations {
			cells = append(cells, cell(e.Path, ops))
		}
		t.Row(cells...)
	}
	t.Flush()
}

// cell lists operations on the resource with a path. It names each operation by its method and the rest of its path:
// "GET /{id}" is GET /a/{id} in the list of the resource /a.
func cell(path string, ops []model.OpID) string {
	if len(ops) == 0 {
		return "-"
	}
	skip := len(resource.Segments(path))
	var list []string
	for _, op := range ops[:min(len(ops), textCell)] {
		method, rest, _ := strings.Cut(string(op), " ")
		if steps := resource.Segments(rest); len(steps) > skip {
			method += " /" + strings.Join(steps[skip:], "/")
		}
		list = append(list, method)
	}
	if more := len(ops) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("+%d", more))
	}
	return strings.Join(list, ", ")
}

func (x *Dataflow) printOutside(w io.Writer) {
	heading(w, "Operations that need data from outside")
	all := x.inventory.MissingInputs
	t := console.NewTable(w)
	for _, l := range all[:min(len(all), textRows)] {
		t.Row("  "+string(l.Op), strings.Join(l.Values, ", "))
	}
	t.Flush()
	rest(w, len(all))
}

// rest writes the number of rows that a section leaves out. If the section has no rows, rest says so.
func rest(w io.Writer, rows int) {
	switch {
	case rows == 0:
		fmt.Fprintln(w, "  none")
	case rows > textRows:
		fmt.Fprintf(w, "  and %d more: --format json has them all\n", rows-textRows)
	}
}

// printUntaken writes the values that no operation takes, grouped by the operations that emit them.
func (x *Dataflow) printUntaken(w io.Writer) {
	heading(w, "Values that no operation takes")
	untaken, _ := x.looseEnds()
	var order []string
	values := map[string][]string{}
	for _, l := range untaken {
		by := firstOf(l.Ops)
		if values[by] == nil {
			order = append(order, by)
		}
		values[by] = append(values[by], draw.Clean(l.Value))
	}
	for _, by := range order[:min(len(order), textRows)] {
		fmt.Fprintf(w, "  %s\n", by)
		for _, line := range words.Wrap(strings.Join(values[by], ", "), textWidth) {
			fmt.Fprintf(w, "      %s\n", line)
		}
	}
	rest(w, len(order))
}

// firstOf names the first operations, followed by the number of the other operations.
func firstOf(ops []model.OpID) string {
	text := SeqText(ops[:min(len(ops), textCell)])
	if more := len(ops) - textCell; more > 0 {
		text += fmt.Sprintf(", +%d", more)
	}
	return text
}

func (x *Dataflow) printCycles(w io.Writer) {
	heading(w, "Cycles")
	all := cycles(x.graph)
	for _, c := range all[:min(len(all), textRows)] {
		fmt.Fprintf(w, "  %s feed each other\n", words.Plural(len(c), "operation"))
		for _, op := range c[:min(len(c), boxLines)] {
			fmt.Fprintf(w, "      %s\n", draw.Clean(string(op)))
		}
		if more := len(c) - boxLines; more > 0 {
			fmt.Fprintf(w, "      and %d more\n", more)
		}
	}
	rest(w, len(all))
}
