package groups

import (
	"slices"

	"sonde/model"
	"sonde/ui/widget"
)

// memberList lists the operations and the exchanged values of a group that match the filter. It
// has a cursor.
type memberList struct {
	rows   widget.List
	ops    []model.OpID
	values []exchange // nil before the figure is drawn
	kept   []int      // for each row, the index of its member in ops followed by values
}

// memberFilter decides which members are listed.
type memberFilter interface {
	filtering() bool
	opFits(model.OpID) bool
	valuesFit(names []string) bool
}

// clear removes all members.
func (m *memberList) clear() { m.ops, m.values, m.kept = nil, nil, nil }

// fill lists the members of a group that match a filter. If none does, the group itself matches for
// another reason, and fill lists all members.
func (m *memberList) fill(ops []model.OpID, values []exchange, f memberFilter) {
	m.ops, m.values, m.kept = ops, values, nil
	if f.filtering() {
		for i := range len(ops) + len(values) {
			if i < len(ops) && f.opFits(ops[i]) || i >= len(ops) && f.valuesFit(values[i-len(ops)].names) {
				m.kept = append(m.kept, i)
			}
		}
	}
	if len(m.kept) == 0 {
		m.kept = span(0, len(ops)+len(values))
	}
}

// at returns the index of the member in a row, -1 if there is none.
func (m *memberList) at(row int) int {
	if row < 0 || row >= len(m.kept) {
		return -1
	}
	return m.kept[row]
}

// op returns the operation under the cursor, "" if there is none.
func (m *memberList) op() model.OpID {
	i := m.at(m.rows.At)
	if i < 0 || i >= len(m.ops) {
		return ""
	}
	return m.ops[i]
}

// value returns the exchanged value under the cursor, "" if there is none.
func (m *memberList) value() string {
	i := m.at(m.rows.At) - len(m.ops)
	if i < 0 || i >= len(m.values) {
		return ""
	}
	return m.values[i].names[0]
}

// moveTo puts the cursor on an operation, or on the first member if the operation is not listed. It
// reports whether the operation is listed.
func (m *memberList) moveTo(op model.OpID) bool {
	m.rows.Fit(len(m.kept), m.rows.Height)
	row := slices.Index(m.kept, slices.Index(m.ops, op))
	m.rows.Go(row)
	return row >= 0
}

// node returns the node of the member in a row of the list. It is -1 if the drawing does not show
// the member, or is nil.
func (m *memberList) node(d *drawing, row int) int {
	i := m.at(row)
	switch {
	case d == nil || i < 0:
		return -1
	case i < len(m.ops):
		return slices.Index(d.ops, m.ops[i])
	}
	return d.valueNode(m.values[i-len(m.ops)].names[0])
}
