package record

import "sonde/ui/tui/screen"

// The IDs of the borders: between the list and the exchange, and between the figure and the message of the exchange.
const (
	exchangeBorder = "exchange"
	messageBorder  = "message"
)

// borders returns the borders between the panes.
func borders(s *Screen) []screen.Border {
	if s.onForm() {
		return nil
	}
	l := s.layout()
	all := screen.ColumnBorder(exchangeBorder, l.list, l.side)
	if s.side != sideExchange {
		return all
	}
	return append(all, screen.RowBorder(messageBorder, l.figure, l.message)...)
}

// Kept returns what the app keeps of the screen for the user.
func (s *Screen) Kept() screen.Kept {
	return screen.Kept{
		Settings: func() []screen.Setting { return settings(s) },
		Borders:  func() []screen.Border { return borders(s) },
		Splits:   s.splits,
	}
}
