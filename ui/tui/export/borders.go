package export

import "sonde/ui/tui/screen"

// previewBorder is the ID of the border between the list and the preview.
const previewBorder = "preview"

// borders returns the border between the list and the preview.
func borders(s *Screen) []screen.Border {
	l := s.layout()
	return screen.ColumnBorder(previewBorder, l.list, l.code)
}

// Kept returns what the app keeps of the screen for the user.
func (s *Screen) Kept() screen.Kept {
	return screen.Kept{
		Borders: func() []screen.Border { return borders(s) },
		Splits:  s.splits,
	}
}
