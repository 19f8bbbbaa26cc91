package network

import (
	"cmp"
	"slices"

	"sonde/ui/tui/screen"
)

// Actions are what the screen does at other times, and why not now.
func (s *Screen) Actions() []screen.Action {
	idle := ""
	if !s.changeable() {
		idle = "needs a virtual network"
	}
	all := slices.Concat(
		screen.Barred(cmp.Or(idle, "no host was turned to yet"), keyInject, keyEdit, keyNew),
		screen.Barred(cmp.Or(idle, "nothing is injected there"), keyAway),
		screen.Barred("no host was turned to yet", keyAdopt, keyRead, keyPane),
	)
	if s.menu != nil || s.edit != nil {
		return screen.Busy("a stub is edited", all)
	}
	return all
}
