package graph

import "sonde/ui/tui/screen"

// wordsBorder is the ID of the border between the picture and the texts below it.
const wordsBorder = "texts"

// Borders returns the border between the picture and the texts below it.
func (s *Screen) Borders() []screen.Border {
	picture, words := s.display.divide(s.display.width, s.display.height)
	return screen.RowBorder(wordsBorder, picture, words)
}

// Splits returns the shares of the panes that the user has chosen.
func (s *Screen) Splits() screen.Splits { return s.display.splits }
