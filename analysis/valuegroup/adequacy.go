package valuegroup

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// Meter measures which groups, operations and values of a set of operations seqs touch. It is read-only and
// may be used by several goroutines at once.
type Meter struct {
	Table  *match.ValuesTable
	Groups []model.ValueGroup

	op      map[model.OpID]int // index into Table.Ops
	group   []int              // by operation
	between []bool             // the result of ValuesTable.PassedBetween
}

// NewMeter returns the meter of a table's operations and their groups.
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
	// Unknown are the operations that the meter's table does not have, without duplicates, in the order of
	// the seq.
	Unknown []model.OpID
}

// InOneGroup reports whether all operations of a seq are known and in one group. Such a seq is the most
// adequate.
func (r SeqScope) InOneGroup() bool { return len(r.Groups) == 1 && len(r.Unknown) == 0 }

// ScopeOf returns the groups that a seq touches.
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

// Coverage counts the items of a set that seqs cover, and lists the missing ones.
type Coverage[T any] struct {
	Covered, Total int
	Missing        []T // in the order of the table
}

// Adequacy describes how much of an API a set of seqs covers.
type Adequacy struct {
	Scopes []SeqScope // one for each seq, in the order of the seqs
	// Groups are the groups that the seqs touch, as indices into the meter's groups.
	Groups Coverage[int]
	// Operations are the operations that the seqs call.
	Operations Coverage[model.OpID]
	// Values are the values that a called operation takes or emits.
	Values Coverage[string]
	// Passed are the values that one operation of the table emits and another takes. Such a value is
	// covered if a seq has an operation that emits it and, later, one that takes it.
	Passed Coverage[string]
}

// MeasureAdequacy returns how much of the API seqs cover together. Its time is linear in the number of
// calls and of the values of their operations.
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

// part counts the covered items and names the missing ones. If count is not nil, it considers only the items that count
// marks.
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

// coverage has the groups, operations and values that the seqs so far cover.
type coverage struct {
	m                           *Meter
	groups, ops, values, passed []bool
	emitted                     []int // by value: the number of the last seq that emitted it
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
