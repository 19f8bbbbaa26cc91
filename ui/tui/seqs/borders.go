package seqs

import "sonde/ui/tui/screen"

// detailsBorder is the ID of the border between the list and the details.
const detailsBorder = "details"

// borders returns the border between the list and the details.
func borders(s *Screen) []screen.Border {
	list, page := s.divide()
	return screen.ColumnBorder(detailsBorder, list, page)
}

// Kept returns what the app keeps of the screen for the user.
func (s *Screen) Kept() screen.Kept {
	return screen.Kept{
		Settings: func() []screen.Setting { return settings(s) },
		Borders:  func() []screen.Border { return borders(s) },
		Splits:   s.splits,
	}
}
