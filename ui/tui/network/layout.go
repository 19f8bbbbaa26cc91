package network

import (
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
)

// layout has the rectangles of the panes. Panes with an empty rectangle are not drawn.
type layout struct{ hosts, facts, contacts draw.Rect }

// minTwoPanes is the minimum width for the map and the host side by side.
const minTwoPanes = 100

// newLayout places the map on the left, and on the right the facts about the selected host above its
// contacts. On a narrow screen only the pane with the focus is visible. An open contact takes the whole
// right side.
func newLayout(width, height int, f focus) layout {
	all := draw.Rect{W: width, H: height}
	if width < minTwoPanes && f == onMap {
		return layout{hosts: all}
	}
	var l layout
	if width >= minTwoPanes {
		l.hosts, l.facts = all, all
		l.hosts.W = width * 57 / 100
		l.facts.X, l.facts.W = l.hosts.W, width-l.hosts.W
	} else {
		l.facts = all
	}
	l.contacts = l.facts
	if f == onContact {
		l.facts.H = 0
	} else {
		l.facts.H = min(14, max(6, height/3))
	}
	l.contacts.Y, l.contacts.H = l.facts.H, height-l.facts.H
	return l
}

// split gives the panes the sizes that the user has chosen.
func (l layout) split(s screen.Splits) layout {
	side := draw.Rect{X: l.facts.X, W: l.facts.W, H: l.facts.H + l.contacts.H}
	l.hosts, side = s.Columns(hostBorder, l.hosts, side)
	l.facts.X, l.facts.W, l.contacts.X, l.contacts.W = side.X, side.W, side.X, side.W
	l.facts, l.contacts = s.Rows(contactsBorder, l.facts, l.contacts)
	return l
}
