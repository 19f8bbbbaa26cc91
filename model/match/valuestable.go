package match

import "sonde/model"

// Table is the values of several operations as numbers, which is what the set
// algorithms work on: a value's number is its place in Names. All lists of an
// operation stand at its place in Ops and hold each number once.
type Table struct {
	Ops   []*model.Operation
	Names []string // in order of first appearance
	In    [][]int  // what each operation takes
	Need  [][]int  // what of that it cannot do without
	Out   [][]int  // what each operation emits
}

// NewTable reads the operations' values. Values are the same if their names
// are.
func NewTable(ops []*model.Operation, r Reading) *Table {
	t := &Table{
		Ops: ops, In: make([][]int, len(ops)), Need: make([][]int, len(ops)), Out: make([][]int, len(ops)),
	}
	numbers := map[string]int{}
	number := func(name string) int {
		n, ok := numbers[name]
		if !ok {
			n = len(t.Names)
			numbers[name] = n
			t.Names = append(t.Names, name)
		}
		return n
	}
	for i, op := range ops {
		v := Read(op, r)
		for _, in := range v.In {
			n := number(in.Name)
			t.In[i] = append(t.In[i], n)
			if in.Required {
				t.Need[i] = append(t.Need[i], n)
			}
		}
		for _, out := range v.Out {
			t.Out[i] = append(t.Out[i], number(out.Name))
		}
	}
	return t
}

// Exchanged tells of each value whether some operation takes it and some emits
// it. Only such a value can pass between operations.
func (t *Table) Exchanged() []bool {
	taken, both := make([]bool, len(t.Names)), make([]bool, len(t.Names))
	for _, in := range t.In {
		for _, v := range in {
			taken[v] = true
		}
	}
	for _, out := range t.Out {
		for _, v := range out {
			both[v] = taken[v]
		}
	}
	return both
}
