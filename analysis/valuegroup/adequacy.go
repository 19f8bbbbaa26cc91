package valuegroup

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// Meter measures which groups, operations and values of an API a set of seqs touches. It is read-only and may be used
// by several goroutines at once.
type Meter struct {
	Table  *match.ValuesTable
	Groups []model.ValueGroup

	op      map[model.OpID]int // index into Table.Ops
	group   []int              // for each operation, its group
	between []bool             // the result of ValuesTable.PassedBetween
}

// NewMeter returns a meter for the operations of a table.
func NewMeter(t *match.ValuesTable) *Meter {
	m := &Meter{
		Table:   t,
		Groups:  FindGroups(t),
		between: t.PassedBetween(),
		op:      make(map[model.OpID]int, len(t.Ops)),
		group:   make([]int, len(t.Ops)),
	}
	for i, op := range t.Ops {
		m.op[op.ID] = i
	}
	for g, group := range m.Groups {
		for _, op := range group.Operations {
			m.group[m.op[op]] = g
		}
	}
	return m
}

// SeqScope has the groups and the unknown operations of one seq.
type SeqScope struct {
	// Groups are indices into the meter's groups, ascending. A seq with fewer groups is more adequate,
	// because calls of different groups pass no values to each other.
	Groups []int
	// Unknown are the operations of the seq that are not in the meter's table. It has no duplicates, and has the
	// order of the seq.
	Unknown []model.OpID
}

// InOneGroup reports whether all operations of the seq are known and belong to one group. Such a seq is the most
// adequate.
func (r SeqScope) InOneGroup() bool { return len(r.Groups) == 1 && len(r.Unknown) == 0 }

// ScopeOf returns the groups and the unknown operations of a seq.
func (m *Meter) ScopeOf(seq model.Seq) SeqScope {
	var r SeqScope
	strange := map[model.OpID]bool{}
	for _, id := range seq {
		op, known := m.op[id]
		switch {
		case known:
			r.Groups = append(r.Groups, m.group[op])
		case !strange[id]:
			strange[id] = true
			r.Unknown = append(r.Unknown, id)
		}
	}
	slices.Sort(r.Groups)
	r.Groups = slices.Compact(r.Groups)
	return r
}

// Coverage counts how many items of a set the seqs cover, and lists the items that they miss.
type Coverage[T any] struct {
	Covered, Total int
	Missing        []T // in the order of the table
}

// Adequacy says how much of an API a set of seqs covers.
type Adequacy struct {
	Scopes []SeqScope // the scope of each seq
	// Groups is the coverage of the groups, as indices into the meter's groups. A group is covered if a seq touches
	// it.
	Groups Coverage[int]
	// Operations is the coverage of the operations. An operation is covered if a seq calls it.
	Operations Coverage[model.OpID]
	// Values is the coverage of the values. A value is covered if a called operation takes or emits it.
	Values Coverage[string]
	// Passed is the coverage of the values that one operation of the table emits and another operation takes. Such a
	// value is covered if a seq calls an operation that emits it and, later, one that takes it.
	Passed Coverage[string]
}

// MeasureAdequacy returns how much of the API the seqs cover together. The time is linear in the number of calls and
// in the number of values of the called operations.
func (m *Meter) MeasureAdequacy(seqs []model.Seq) Adequacy {
	c := newCoverage(m)
	a := Adequacy{Scopes: make([]SeqScope, len(seqs))}
	for i, seq := range seqs {
		a.Scopes[i] = m.ScopeOf(seq)
		c.add(seq)
	}
	a.Groups = part(c.groups, nil, func(g int) int { return g })
	a.Operations = part(c.ops, nil, func(op int) model.OpID { return m.Table.Ops[op].ID })
	a.Values = part(c.values, nil, func(v int) string { return m.Table.Names[v] })
	a.Passed = part(c.passed, m.between, func(v int) string { return m.Table.Names[v] })
	return a
}

// part counts the covered items and lists the missing ones by their names. If count is not nil, part considers only
// the items whose element in count is true.
func part[T any](covered, count []bool, name func(int) T) Coverage[T] {
	var p Coverage[T]
	for i, c := range covered {
		if count != nil && !count[i] {
			continue
		}
		p.Total++
		if c {
			p.Covered++
		} else {
			p.Missing = append(p.Missing, name(i))
		}
	}
	return p
}

// coverage has the groups, operations and values that the seqs added so far cover.
type coverage struct {
	m                           *Meter
	groups, ops, values, passed []bool
	emitted                     []int // for each value, the number of the last seq that emitted it
	seqs                        int
}

func newCoverage(m *Meter) *coverage {
	values := len(m.Table.Names)
	return &coverage{
		m:       m,
		groups:  make([]bool, len(m.Groups)),
		ops:     make([]bool, len(m.Table.Ops)),
		values:  make([]bool, values),
		passed:  make([]bool, values),
		emitted: make([]int, values),
	}
}

func (c *coverage) add(seq model.Seq) {
	c.seqs++
	for _, id := range seq {
		op, known := c.m.op[id]
		if !known {
			continue
		}
		c.groups[c.m.group[op]], c.ops[op] = true, true
		for _, v := range c.m.Table.In[op] {
			c.values[v] = true
			c.passed[v] = c.passed[v] || c.emitted[v] == c.seqs
		}
		for _, v := range c.m.Table.Out[op] {
			c.values[v], c.emitted[v] = true, c.seqs
		}
	}
}
