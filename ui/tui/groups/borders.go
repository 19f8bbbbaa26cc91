package groups

import "sonde/ui/tui/screen"

// The IDs of the borders: between the columns, and between the panes of a column.
const (
	columnsBorder = "columns"
	membersBorder = "members"
	seqsBorder    = "seqs"
)

// Borders returns the borders between the panes.
func (s *Screen) Borders() []screen.Border {
	r := s.view.rects()
	left, right := r.columns()
	all := screen.ColumnBorder(columnsBorder, left, right)
	all = append(all, screen.RowBorder(membersBorder, r[table], r[members])...)
	return append(all, screen.RowBorder(seqsBorder, r[picture], r[seqs])...)
}

// Splits returns the shares of the panes that the user has chosen.
func (s *Screen) Splits() screen.Splits { return s.view.splits }
