package network

import "sonde/ui/tui/screen"

// The IDs of the borders: between the map and the host, and between the facts and the contacts of the host.
const (
	hostBorder     = "host"
	contactsBorder = "contacts"
)

// borders returns the borders between the panes.
func borders(s *Screen) []screen.Border {
	if len(s.hosts.all) == 0 {
		return nil // a text takes the whole screen
	}
	l := s.layout()
	side := l.facts
	side.H, side.Y = l.facts.H+l.contacts.H, 0
	all := screen.ColumnBorder(hostBorder, l.hosts, side)
	return append(all, screen.RowBorder(contactsBorder, l.facts, l.contacts)...)
}

// Kept returns what the app keeps of the screen for the user.
func (s *Screen) Kept() screen.Kept {
	return screen.Kept{
		Borders: func() []screen.Border { return borders(s) },
		Splits:  s.splits,
	}
}
