package seqs

import "sonde/ui/tui/screen"

// detailsBorder is the ID of the border between the list and the details.
const detailsBorder = "details"

// Borders returns the border between the list and the details.
func (s *Screen) Borders() []screen.Border {
	list, page := s.divide()
	return screen.ColumnBorder(detailsBorder, list, page)
}

// Splits returns the shares of the panes that the user has chosen.
func (s *Screen) Splits() screen.Splits { return s.splits }
