package groups

import (
	"slices"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
)

// Actions are what the screen does at other times, and why not now.
func (s *Screen) Actions() []screen.Action {
	all := slices.Concat(
		screen.Barred("needs the table of groups", keyMembers, keySort),
		screen.Barred("needs an operation", keyExplore, keyGraph),
		screen.Barred("needs a value of the group", keyWhy),
		screen.Barred("the table has the focus", keyTable),
		screen.Barred("needs the figure", keyTree),
		screen.Barred("needs the figure as a tree", keyPicture),
		screen.Barred("no filter is set", finder.Clear),
		screen.Barred("nothing fits the filter", keyPane, keyRule),
		screen.Barred("", finder.Open),
	)
	if s.Typing() {
		return screen.Busy("a filter is typed", all)
	}
	return all
}
