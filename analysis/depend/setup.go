package depend

import (
	"container/heap"
	"fmt"
	"slices"
	"sort"

	"sonde/model"
)

// SetUpOrder returns the steps in which the entities can be created. Each step is a list of indices into Entities.
// Each entity comes after the entities that it needs. Apart from that, the steps are in the order of the document.
// Entities that need each other, directly or through other entities, are in one step.
func (inv *Inventory) SetUpOrder() [][]int {
	steps := inv.graph().components()
	slices.SortFunc(steps, byFirst)
	waits, next := inv.waits(steps)
	free := &numbersHeap{}
	for k, n := range waits {
		if n == 0 {
			heap.Push(free, k)
		}
	}
	var order [][]int
	for free.Len() > 0 {
		k := heap.Pop(free).(int)
		order = append(order, steps[k])
		for _, to := range next[k] {
			waits[to]--
			if waits[to] == 0 {
				heap.Push(free, to)
			}
		}
	}
	return order
}

// waits returns, for each step, the number of steps that must come before it. next has, for each step, the indices of
// the steps that need it.
func (inv *Inventory) waits(steps [][]int) (waits []int, next [][]int) {
	at := make([]int, len(inv.Entities))
	for s, members := range steps {
		for _, k := range members {
			at[k] = s
		}
	}
	waits, next = make([]int, len(steps)), make([][]int, len(steps))
	for k, e := range inv.Entities {
		for _, n := range e.Needs {
			if from := at[n.Entity]; from != at[k] {
				waits[at[k]]++
				next[from] = append(next[from], at[k])
			}
		}
	}
	return waits, next
}

// numbersHeap is a min-heap of numbers.
type numbersHeap struct{ sort.IntSlice }

// Push appends a number, as heap.Interface requires.
func (h *numbersHeap) Push(n any) { h.IntSlice = append(h.IntSlice, n.(int)) }

// Pop removes and returns the last number, as heap.Interface requires.
func (h *numbersHeap) Pop() any {
	last := len(h.IntSlice) - 1
	n := h.IntSlice[last]
	h.IntSlice = h.IntSlice[:last]
	return n
}

// graph returns the graph of the entities. Each entity emits a value to each entity that needs it.
func (inv *Inventory) graph() *Graph {
	n := len(inv.Entities)
	ids, takes, emits := make([]model.OpID, n), make([][]string, n), make([][]string, n)
	for k, e := range inv.Entities {
		ids[k] = model.OpID(e.Path)
		for _, need := range e.Needs {
			name := fmt.Sprint(need.Entity, ">", k)
			takes[k] = append(takes[k], name)
			emits[need.Entity] = append(emits[need.Entity], name)
		}
	}
	return newGraph(ids, takes, emits)
}

// BoundedGraph returns a part of the graph of entities. nodes and flows are limits as for [Graph.Bounded]. If reduce
// is true, it returns a part of the transitive reduction of the graph.
func (inv *Inventory) BoundedGraph(nodes, flows int, reduce bool) (BoundedGraph, error) {
	g := inv.graph()
	if !reduce {
		return inv.name(g.Bounded(nodes, flows)), nil
	}
	r, err := g.Reduce()
	if err != nil {
		return BoundedGraph{}, err
	}
	return inv.name(r.Bounded(nodes, flows)), nil
}

// name sets the Values of the flows in s to the values that the entities need.
func (inv *Inventory) name(s BoundedGraph) BoundedGraph {
	for i, f := range s.Flows {
		s.Flows[i].Values = inv.between(s.Nodes[f.From], s.Nodes[f.To])
	}
	return s
}

// between returns the values that the entities in the second list need from the entities in the first list. The first
// list must be in ascending order.
func (inv *Inventory) between(from, to []int) []string {
	var values []string
	for _, k := range to {
		for _, n := range inv.Entities[k].Needs {
			if _, is := slices.BinarySearch(from, n.Entity); !is {
				continue
			}
			for _, v := range n.Values {
				if !slices.Contains(values, v) {
					values = append(values, v)
				}
			}
		}
	}
	return values
}
