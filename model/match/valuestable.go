package match

import "sonde/model"

// ValuesTable has the values of operations as numbers, for algorithms on sets. The number of a value is its index in
// Names. In, Need and Out have, for each operation in the order of Ops, a list of distinct numbers.
type ValuesTable struct {
	Ops   []*model.Operation
	Names []string // identities, in order of first appearance
	In    [][]int  // values that the operation takes
	Need  [][]int  // values that the operation takes and requires
	Out   [][]int  // values that the operation emits
}

// NewValuesTable returns the table of an API. ops are all its operations.
func NewValuesTable(ops []*model.Operation, w Mode) *ValuesTable { return New(ops, w).ValuesTable(ops) }

// ValuesTable returns the table of some of the API's operations. In the distiller paper, In is called ivals, and Out
// ovals. An operation needs a value if a use of the value is required. In qualified matching, the value must also be
// a reference, because a client can make up other values.
func (m *Matcher) ValuesTable(ops []*model.Operation) *ValuesTable {
	return m.tableOf(ops, func(*ValueUse) bool { return true })
}

// LinkTable returns the table of ValuesTable without the uses of attributes, see [Kind.Links]. Values that are
// matched by name have no kinds; LinkTable then leaves nothing out.
func (m *Matcher) LinkTable(ops []*model.Operation) *ValuesTable {
	if m.Mode.Match != MatchQualified {
		return m.ValuesTable(ops)
	}
	return m.tableOf(ops, func(u *ValueUse) bool { return u.Kind.Links() })
}

// WeightedTable returns the table of ValuesTable without the uses that a weight leaves out. Values have the same numbers
// as in ValuesTable. Values that are matched by name have no kinds; WeightedTable then ignores Weight.Links.
func (m *Matcher) WeightedTable(ops []*model.Operation, w Weight) *ValuesTable {
	w.Links = w.Links && m.Mode.Match == MatchQualified
	b := m.newTable(ops)
	for i, op := range ops {
		uses := m.uses[op]
		for k := range uses {
			u := &uses[k]
			b.number(u.ID)
			if w.allows(u) {
				b.add(i, u)
			}
		}
	}
	return b.ValuesTable
}

// tableOf returns the table of some of the uses of values: those for which the given function returns true.
func (m *Matcher) tableOf(ops []*model.Operation, has func(*ValueUse) bool) *ValuesTable {
	b := m.newTable(ops)
	for i, op := range ops {
		uses := m.uses[op]
		for k := range uses {
			if u := &uses[k]; has(u) {
				b.add(i, u)
			}
		}
	}
	return b.ValuesTable
}

// newTable returns the builder of a table of operations, without values.
func (m *Matcher) newTable(ops []*model.Operation) tableBuilder {
	t := &ValuesTable{
		Ops: ops, In: make([][]int, len(ops)), Need: make([][]int, len(ops)), Out: make([][]int, len(ops)),
	}
	return tableBuilder{ValuesTable: t, numbers: map[string]int{}, qualified: m.Mode.Match == MatchQualified}
}

// tableBuilder numbers the identities of values. The fields in, need and out have, for each value, the last operation
// to whose list in In, Need or Out the value was added.
type tableBuilder struct {
	*ValuesTable
	numbers       map[string]int
	in, need, out []int // 1 + the index of the operation, 0 for none
	qualified     bool
}

// add adds a use of a value by the operation with index op.
func (b *tableBuilder) add(op int, u *ValueUse) {
	n := b.number(u.ID)
	switch {
	case u.Out:
		appendOnce(b.Out, b.out, op, n)
	default:
		appendOnce(b.In, b.in, op, n)
	}
	if u.Required && !u.Out && (u.IsReference || !b.qualified) {
		appendOnce(b.Need, b.need, op, n)
	}
}

// appendOnce appends the value n to the list of the operation with index op, unless the list already has n. last is one
// of the fields in, need and out of the tableBuilder.
func appendOnce(lists [][]int, last []int, op, n int) {
	if last[n] != op+1 {
		last[n] = op + 1
		lists[op] = append(lists[op], n)
	}
}

// number returns the number of an identity. A new identity gets the next number.
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

// Exchanged reports for each value whether some operation takes it and some operation emits it. Other
// values cannot pass between calls.
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

// PassedBetween reports for each value whether one operation emits it and another operation takes it. For a value
// that passes only between calls of one operation, it reports false.
func (t *ValuesTable) PassedBetween() []bool {
	const none, several = 0, -1 // Any other number is 1 + the index of the only emitter.
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
