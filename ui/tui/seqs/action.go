package seqs

import (
	"slices"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
)

// Actions are what the screen does at other times, and why not now.
func (s *Screen) Actions() []screen.Action {
	all := slices.Concat(
		screen.Barred(
			"nothing is listed", keyPick, s.pickAll(), keyRead, s.keyTry(), keySend, keyPane, finder.Open, keyOnly,
			keyOrder, keyGroup, keyByRule, keyEdit, keyCompare, keyDry,
		),
		screen.Barred("needs a test that was played", keyAgain, keyStep),
		screen.Barred("nothing is left to cover", keyCover),
		screen.Barred("a has picked nothing", keyUndo),
		screen.Barred("no filter is set", finder.Clear),
	)
	if s.Typing() {
		return screen.Busy("something is typed", all)
	}
	return all
}
