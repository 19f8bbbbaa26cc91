package seqs

import (
	"slices"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
)

// Actions are what the screen does at other times, and why not now.
func (s *Screen) Actions() []screen.Action {
	all := slices.Concat(
		screen.UnavailableActions(
			"nothing is listed", keyPick, s.pickAll(), keyRead, s.keyTry(), keySend, keyPane, finder.Open, keyOnly,
			keyOrder, keyGroup, keyByRule, keyEdit, keyCompare, keyDry,
		),
		screen.UnavailableActions("needs a test that was played", keyAgain, keyStep),
		screen.UnavailableActions("nothing is left to cover", keyCover),
		screen.UnavailableActions("a has picked nothing", keyUndo),
		screen.UnavailableActions("no filter is set", finder.Clear),
	)
	if s.Typing() {
		return screen.BlockActions("something is typed", all)
	}
	return all
}
