package groups

import "sonde/ui/tui/screen"

// The IDs of the borders: between the columns, and between the panes of a column.
const (
	columnsBorder = "columns"
	membersBorder = "members"
	seqsBorder    = "seqs"
)

// borders returns the borders between the panes.
func borders(s *Screen) []screen.Border {
	r := s.view.rects()
	left, right := r.columns()
	all := screen.ColumnBorder(columnsBorder, left, right)
	all = append(all, screen.RowBorder(membersBorder, r[table], r[members])...)
	return append(all, screen.RowBorder(seqsBorder, r[picture], r[seqs])...)
}

// Kept returns what the app keeps of the screen for the user.
func (s *Screen) Kept() screen.Kept {
	return screen.Kept{
		Settings: func() []screen.Setting { return settings(s) },
		Borders:  func() []screen.Border { return borders(s) },
		Splits:   s.view.splits,
	}
}
