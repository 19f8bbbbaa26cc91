package record

import "sonde/ui/tui/screen"

// The IDs of the borders: between the list and the exchange, and between the figure and the message of the exchange.
const (
	exchangeBorder = "exchange"
	messageBorder  = "message"
)

// Borders returns the borders between the panes.
func (s *Screen) Borders() []screen.Border {
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

// Splits returns the shares of the panes that the user has chosen.
func (s *Screen) Splits() screen.Splits { return s.splits }
