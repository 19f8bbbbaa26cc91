package network

import "sonde/ui/draw"

// layout is where everything goes; an empty rectangle is not drawn.
type layout struct{ hosts, facts, contacts draw.Rect }

// The narrowest screen with the map beside its host.
const twoPanes = 100

// lay puts the map beside the host under its cursor: what is known of it above its
// contacts. Where room is short, the one that has the focus has all of it.
func lay(width, height int, focus part) layout {
	all := draw.Rect{W: width, H: height}
	if width < twoPanes && focus == onMap {
		return layout{hosts: all}
	}
	var l layout
	if width >= twoPanes {
		l.hosts, l.facts = all, all
		l.hosts.W = width * 57 / 100
		l.facts.X, l.facts.W = l.hosts.W, width-l.hosts.W
	} else {
		l.facts = all
	}
	l.contacts = l.facts
	if focus == onWhole {
		l.facts.H = 0
	} else {
		l.facts.H = min(14, max(6, height/3))
	}
	l.contacts.Y, l.contacts.H = l.facts.H, height-l.facts.H
	return l
}

func (s *Screen) layout() layout { return lay(s.width, s.height, s.focus) }
