package match

import "sonde/model"

// ValuesTable is the values of several operations as numbers, which is what the set
// algorithms work on: a value's number is its place in Names. All lists of an
// operation stand at its place in Ops and hold each number once.
type ValuesTable struct {
	Ops   []*model.Operation
	Names []string // identities, in order of first appearance
	In    [][]int  // what each operation takes
	Need  [][]int  // what of that it cannot do without
	Out   [][]int  // what each operation emits
}

// NewValuesTable reads the values of operations that are an API by themselves.
func NewValuesTable(ops []*model.Operation, w Mode) *ValuesTable { return New(ops, w).ValuesTable(ops) }

// ValuesTable returns the values of some of the API's operations: the paper's ivals
// and ovals. A value is needed if any use of it is required; of qualified ones
// only what says which thing is meant, for the rest a client can make up.
func (m *Matcher) ValuesTable(ops []*model.Operation) *ValuesTable {
	t := &ValuesTable{
		Ops: ops, In: make([][]int, len(ops)), Need: make([][]int, len(ops)), Out: make([][]int, len(ops)),
	}
	b := tableBuilder{ValuesTable: t, numbers: map[string]int{}, qualified: m.Mode.Match == MatchQualified}
	for i, op := range ops {
		for _, u := range m.uses[op] {
			b.add(i, u)
		}
	}
	return t
}

// tableBuilder numbers identities, and remembers for each list the last
// operation that has it.
type tableBuilder struct {
	*ValuesTable
	numbers       map[string]int
	in, need, out []int // 1 + the operation
	qualified     bool
}

func (b *tableBuilder) add(op int, u ValueUse) {
	n := b.number(u.ID)
	switch {
	case u.Out:
		once(b.Out, b.out, op, n)
	default:
		once(b.In, b.in, op, n)
	}
	if u.Required && !u.Out && (u.IsReference || !b.qualified) {
		once(b.Need, b.need, op, n)
	}
}

func once(lists [][]int, last []int, op, n int) {
	if last[n] != op+1 {
		last[n] = op + 1
		lists[op] = append(lists[op], n)
	}
}

func (b *tableBuilder) number(id string) int {
	n, ok := b.numbers[id]
	if !ok {
		n = len(b.Names)
		b.numbers[id] = n
		b.Names = append(b.Names, id)
		b.in, b.need, b.out = append(b.in, 0), append(b.need, 0), append(b.out, 0)
	}
	return n
}

// Exchanged tells of each value whether some operation takes it and some emits
// it. Only such a value can pass between operations.
func (t *ValuesTable) Exchanged() []bool {
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

// PassedBetween tells of each value whether one operation emits it and another takes
// it: it is exchanged between operations. Others that Exchanged knows pass only
// from one call of an operation to the next of the same one.
func (t *ValuesTable) PassedBetween() []bool {
	const none, several = 0, -1 // else 1 + the only operation
	emitter, between := make([]int, len(t.Names)), make([]bool, len(t.Names))
	for op, out := range t.Out {
		for _, v := range out {
			if emitter[v] == none {
				emitter[v] = op + 1
			} else {
				emitter[v] = several
			}
		}
	}
	for op, in := range t.In {
		for _, v := range in {
			between[v] = between[v] || emitter[v] != none && emitter[v] != op+1
		}
	}
	return between
}
