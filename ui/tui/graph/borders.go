package graph

import "sonde/ui/tui/screen"

// wordsBorder is the ID of the border between the picture and the texts below it.
const wordsBorder = "texts"

// borders returns the border between the picture and the texts below it.
func borders(s *Screen) []screen.Border {
	picture, words := s.display.divide(s.display.width, s.display.height)
	return screen.RowBorder(wordsBorder, picture, words)
}

// Kept returns what the app keeps of the screen for the user.
func (s *Screen) Kept() screen.Kept {
	return screen.Kept{
		Settings: func() []screen.Setting { return settings(s) },
		Borders:  func() []screen.Border { return borders(s) },
		Splits:   s.display.splits,
	}
}
