package valuegroup

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// Figure has the content of a figure such as Figure 1 of the distiller paper: operations, the values that they take
// and emit, and the group of each operation.
type Figure struct {
	Operations []*model.Operation
	// Values are the shown values. Values with the same ends are one ValueFlow. The ends of a value are the operations
	// that emit or take it, as indices of Operations.
	Values []ValueFlow
	// OperationGroups has the group of each operation, and ValueGroups the group of each element of Values. Groups are
	// indices of the given groups. All ends of an element of Values are in its group. The same value may be shown in
	// several groups if it is not exchanged.
	OperationGroups, ValueGroups []int
	// OmittedOperations, OmittedValues and OmittedGroups are the numbers of operations, values and whole groups that
	// do not fit. The operations and values of omitted groups are included.
	OmittedOperations, OmittedValues, OmittedGroups int
}

// FigureOptions select what a figure shows. A limit of 0 means no limit.
type FigureOptions struct {
	// AllValues also shows the values that are not exchanged: those that no operation of the group emits (given), or
	// that none takes (unused).
	AllValues bool
	// GroupOperations and GroupValues are the maximum numbers of operations and of values in one group. The operations
	// that exchange the most values, and the values with the most ends, are shown.
	GroupOperations, GroupValues int
	// Nodes is the maximum number of operations and values in all groups together. Edges is the maximum number of ends
	// of values. Larger groups are added first, and a group that does not fit is left out. Operations have at most two
	// thirds of the nodes, so that there is room for values.
	Nodes, Edges int
	// Further returns more values of a group's operations: those that the table of values does not have, such as
	// tokens of log-ins. It may be nil.
	Further func(ops []*model.Operation) []ValueFlow
}

// ValueFlow is a value, or several values with the same ends, with the operations that emit and take it.
type ValueFlow struct {
	Names            []string
	Emitters, Takers []int // indices of the operations
}

// Ends returns the number of operations that emit or take the value. An operation that does both counts twice.
func (f ValueFlow) Ends() int { return len(f.Emitters) + len(f.Takers) }

// ValueFlows returns the values that pass between operations of a table: one operation emits the value, and another
// one takes it. Such values make the operations a group. If all is true, ValueFlows returns all values of the table.
func ValueFlows(t *match.ValuesTable, all bool) []ValueFlow {
	flows := make([]ValueFlow, len(t.Names))
	for i := range t.Ops {
		for _, v := range t.Out[i] {
			flows[v].Emitters = append(flows[v].Emitters, i)
		}
		for _, v := range t.In[i] {
			flows[v].Takers = append(flows[v].Takers, i)
		}
	}
	var out []ValueFlow
	for v, between := range t.PassedBetween() {
		flows[v].Names = []string{t.Names[v]}
		if between || all {
			out = append(out, flows[v])
		}
	}
	return out
}

// NewFigure returns the figure of groups of operations. m has the values of all these operations.
func NewFigure(m *match.Matcher, groups [][]*model.Operation, o FigureOptions) *Figure {
	limits := []*int{&o.GroupOperations, &o.GroupValues, &o.Nodes, &o.Edges}
	for _, limit := range limits {
		if *limit == 0 {
			*limit = math.MaxInt
		}
	}
	f := &Figure{}
	room, edges := o.Nodes-o.Nodes/3, o.Edges
	parts := make([]*Figure, len(groups))
	order := largestFirst(groups)
	for _, g := range order {
		part := newFigurePart(m, groups[g], o)
		if len(part.Operations) > room {
			f.OmittedOperations += len(groups[g])
			f.OmittedValues += part.OmittedValues + part.countNames()
			f.OmittedGroups++
			continue
		}
		room -= len(part.Operations)
		parts[g] = part
	}
	nodes := o.Nodes/3 + room
	for _, g := range order {
		if part := parts[g]; part != nil {
			part.limitValues(min(o.GroupValues, nodes), edges)
			nodes -= len(part.Values)
			edges -= part.ends()
		}
	}
	for g, part := range parts {
		if part != nil {
			f.add(part, g)
		}
	}
	return f
}

// largestFirst returns the indices of groups, those with the most operations first.
func largestFirst(groups [][]*model.Operation) []int {
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(groups[b]), len(groups[a])) })
	return order
}

// newFigurePart returns the figure of one group: at most o.GroupOperations of its operations, and those of their values
// that o asks for. It sets no limit to the number of values.
func newFigurePart(m *match.Matcher, ops []*model.Operation, o FigureOptions) *Figure {
	table := m.ValuesTable(ops)
	part := &Figure{Operations: ops, Values: o.flows(table)}
	if len(ops) > o.GroupOperations {
		all := part.countNames()
		part.Operations = mostConnected(ops, ValueFlows(table, false), o.GroupOperations)
		part.Values = o.flows(m.ValuesTable(part.Operations))
		part.OmittedOperations, part.OmittedValues = len(ops)-len(part.Operations), all-part.countNames()
	}
	part.Values = bundle(part.Values)
	return part
}

// flows returns the values of a table that the options select.
func (o FigureOptions) flows(t *match.ValuesTable) []ValueFlow {
	flows := ValueFlows(t, o.AllValues)
	if o.Further != nil {
		flows = append(flows, o.Further(t.Ops)...)
	}
	return flows
}

// mostConnected returns the operations that exchange the most values, at most limit of them, in their order.
func mostConnected(ops []*model.Operation, exchanged []ValueFlow, limit int) []*model.Operation {
	ends := map[*model.Operation]int{}
	for _, f := range exchanged {
		for _, i := range slices.Concat(f.Emitters, f.Takers) {
			ends[ops[i]]++
		}
	}
	return top(ops, limit, func(op *model.Operation) int { return ends[op] })
}

// top returns the items with the greatest weights, at most limit of them, in their original order.
func top[T any](items []T, limit int, weight func(T) int) []T {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(items[b]), weight(items[a])) })
	order = order[:min(limit, len(order))]
	slices.Sort(order)
	out := make([]T, len(order))
	for k, i := range order {
		out[k] = items[i]
	}
	return out
}

// bundle merges the values that have the same ends.
func bundle(all []ValueFlow) []ValueFlow {
	var out []ValueFlow
	index := map[string]int{}
	for _, f := range all {
		ends := fmt.Sprint(f.Emitters, f.Takers)
		i, ok := index[ends]
		if !ok {
			i = len(out)
			index[ends] = i
			out = append(out, ValueFlow{Emitters: f.Emitters, Takers: f.Takers})
		}
		out[i].Names = append(out[i].Names, f.Names...)
	}
	return out
}

// limitValues keeps the values with the most ends, at most limit of them. Of these it drops the values whose ends do
// not fit into the given number of edges.
func (f *Figure) limitValues(limit, edges int) {
	all := f.countNames()
	f.Values = top(f.Values, limit, ValueFlow.Ends)
	f.Values = slices.DeleteFunc(f.Values, func(v ValueFlow) bool {
		if v.Ends() > edges {
			return true
		}
		edges -= v.Ends()
		return false
	})
	f.OmittedValues += all - f.countNames()
}

// countNames returns the number of values that the figure shows.
func (f *Figure) countNames() (n int) {
	for _, v := range f.Values {
		n += len(v.Names)
	}
	return n
}

// ends returns the number of ends of all values.
func (f *Figure) ends() (n int) {
	for _, v := range f.Values {
		n += v.Ends()
	}
	return n
}

// add adds the figure of a group.
func (f *Figure) add(part *Figure, group int) {
	first := len(f.Operations)
	for _, op := range part.Operations {
		f.Operations, f.OperationGroups = append(f.Operations, op), append(f.OperationGroups, group)
	}
	for _, v := range part.Values {
		moved := ValueFlow{Names: v.Names, Emitters: shifted(v.Emitters, first), Takers: shifted(v.Takers, first)}
		f.Values, f.ValueGroups = append(f.Values, moved), append(f.ValueGroups, group)
	}
	f.OmittedOperations += part.OmittedOperations
	f.OmittedValues += part.OmittedValues
}

// shifted returns a copy of a list of indices, with a number added to each index.
func shifted(indices []int, by int) []int {
	out := make([]int, len(indices))
	for i, n := range indices {
		out[i] = n + by
	}
	return out
}
