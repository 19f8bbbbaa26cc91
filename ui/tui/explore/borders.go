package explore

import "sonde/ui/tui/screen"

// pageBorder is the ID of the border between the tree and the page.
const pageBorder = "page"

// borders returns the border between the tree and the page.
func borders(s *Screen) []screen.Border {
	tree, page := s.divide(s.width, s.height)
	return screen.ColumnBorder(pageBorder, tree, page)
}

// Kept returns what the app keeps of the screen for the user.
func (s *Screen) Kept() screen.Kept {
	return screen.Kept{
		Settings: func() []screen.Setting { return settings(s) },
		Borders:  func() []screen.Border { return borders(s) },
		Splits:   s.splits,
	}
}
