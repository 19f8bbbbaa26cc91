package explore

import (
	"slices"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/send"
)

// Actions are what the screen does at other times, and why not now.
func (s *Screen) Actions() []screen.Action {
	all := slices.Concat(
		screen.Barred("needs an operation's page", keyFollow, keyTree),
		screen.Barred("needs the list of operations", keyOpen, keyFold),
		screen.Barred("needs the list, unfiltered", keyAll, keyToggle),
		screen.Barred("no filter is set", finder.Clear),
		screen.Barred("there was no operation before", keyBack),
		screen.Barred("needs an operation", keySend, screen.KeyAppend),
		send.Actions(),
		screen.Barred("", finder.Open, keyGraph, keyGroup, keyPane),
	)
	switch {
	case s.send.Open():
		return screen.Busy("a request is open", all)
	case s.find.Typing():
		return screen.Busy("a filter is typed", all)
	}
	return all
}
