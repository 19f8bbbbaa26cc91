package explore

import "sonde/ui/tui/screen"

// pageBorder is the ID of the border between the tree and the page.
const pageBorder = "page"

// Borders returns the border between the tree and the page.
func (s *Screen) Borders() []screen.Border {
	tree, page := s.divide(s.width, s.height)
	return screen.ColumnBorder(pageBorder, tree, page)
}

// Splits returns the shares of the panes that the user has chosen.
func (s *Screen) Splits() screen.Splits { return s.splits }
