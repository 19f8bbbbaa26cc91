package network

import "sonde/ui/tui/screen"

// The IDs of the borders: between the map and the host, and between the facts and the contacts of the host.
const (
	hostBorder     = "host"
	contactsBorder = "contacts"
)

// Borders returns the borders between the panes.
func (s *Screen) Borders() []screen.Border {
	if len(s.hosts.all) == 0 {
		return nil // a text takes the whole screen
	}
	l := s.layout()
	side := l.facts
	side.H, side.Y = l.facts.H+l.contacts.H, 0
	all := screen.ColumnBorder(hostBorder, l.hosts, side)
	return append(all, screen.RowBorder(contactsBorder, l.facts, l.contacts)...)
}

// Splits returns the shares of the panes that the user has chosen.
func (s *Screen) Splits() screen.Splits { return s.splits }
