package groups

import (
	"cmp"
	"slices"

	"sonde/model"
	"sonde/ui/tui/filter"
	"sonde/ui/widget"
)

// memberList lists the operations and the exchanged values of a group that match the filter, the most
// relevant operations first. It has a cursor.
type memberList struct {
	rows     widget.List
	ops      []model.OpID
	values   []exchange // nil before the figure is drawn
	kept     []int      // index: row; value: index of the member in ops followed by values, or headingRow
	byValue  []int      // operations below the heading, which match by their values or schemas
	unfolded bool       // the operations below the heading are listed
}

// headingRow is the entry of memberList.kept for the heading of the operations that match by value.
const headingRow = -1

// memberFilter selects the listed members.
type memberFilter interface {
	filtering() bool
	opRank(model.OpID) filter.MatchRank
	opRelevance(model.OpID) filter.Relevance
	valuesFit(names []string) bool
}

// clear removes all members.
func (m *memberList) clear() { m.ops, m.values, m.kept, m.byValue = nil, nil, nil, nil }

// fill lists the members of a group that match a filter:
//   - If members match by name, they are listed. Operations that match only by value follow below a heading.
//   - If members match only by value, they are listed without a heading.
//   - If no member matches, all members are listed, because the filter matches the group itself.
func (m *memberList) fill(ops []model.OpID, values []exchange, f memberFilter) {
	m.ops, m.values, m.kept, m.byValue = ops, values, nil, nil
	if f.filtering() {
		m.sift(f)
	}
	switch {
	case len(m.kept) == 0 && len(m.byValue) == 0:
		m.kept = span(0, len(ops)+len(values))
	case len(m.kept) == 0:
		m.kept, m.byValue = m.byValue, nil
	case len(m.byValue) > 0:
		m.kept = append(m.kept, headingRow)
		if m.unfolded {
			m.kept = append(m.kept, m.byValue...)
		}
	}
}

// sift finds the members that match a filter by name, and the operations that match only by value.
func (m *memberList) sift(f memberFilter) {
	relevance := map[int]filter.Relevance{}
	for i, op := range m.ops {
		switch f.opRank(op) {
		case filter.NameMatch:
			m.kept = append(m.kept, i)
			relevance[i] = f.opRelevance(op)
		case filter.ContentMatch:
			m.byValue = append(m.byValue, i)
		}
	}
	slices.SortStableFunc(m.kept, func(a, b int) int { return cmp.Compare(relevance[b], relevance[a]) })
	for i, v := range m.values {
		if f.valuesFit(v.Names) {
			m.kept = append(m.kept, len(m.ops)+i)
		}
	}
}

// count returns the number of listed members.
func (m *memberList) count() int {
	if slices.Contains(m.kept, headingRow) {
		return len(m.kept) - 1
	}
	return len(m.kept)
}

// onHeading reports whether the cursor is on the heading of the operations that match by value.
func (m *memberList) onHeading() bool {
	return m.rows.At < len(m.kept) && m.kept[m.rows.At] == headingRow
}

// at returns the index of the member in a row. It returns -1 if there is no such row, or if the row is the heading.
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
	return m.values[i].Names[0]
}

// moveTo moves the cursor to an operation, or to the first member if the operation is not listed. It
// reports whether the operation is listed.
func (m *memberList) moveTo(op model.OpID) bool {
	m.rows.Fit(len(m.kept), m.rows.Height)
	row := -1
	if i := slices.Index(m.ops, op); i >= 0 {
		row = slices.Index(m.kept, i)
	}
	m.rows.Go(row)
	return row >= 0
}

// node returns the node of the member in a row of the list. It returns -1 if d is nil or does not show the
// member.
func (m *memberList) node(d *drawing, row int) int {
	i := m.at(row)
	switch {
	case d == nil || i < 0:
		return -1
	case i < len(m.ops):
		return slices.Index(d.ops, m.ops[i])
	}
	return d.valueNode(m.values[i-len(m.ops)].Names[0])
}
