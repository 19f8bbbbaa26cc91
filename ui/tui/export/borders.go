package export

import "sonde/ui/tui/screen"

// previewBorder is the ID of the border between the list and the preview.
const previewBorder = "preview"

// Borders returns the border between the list and the preview.
func (s *Screen) Borders() []screen.Border {
	l := s.layout()
	return screen.ColumnBorder(previewBorder, l.list, l.code)
}

// Splits returns the shares of the panes that the user has chosen.
func (s *Screen) Splits() screen.Splits { return s.splits }
