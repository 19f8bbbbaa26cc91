package export

import (
	"slices"

	"sonde/ui/tui/screen"
)

// Actions are what the screen does at other times, and why not now.
func (s *Screen) Actions() []screen.Action {
	all := slices.Concat(
		screen.Barred("nothing is picked", keyWrite, keyFormat, keyFaults, keyRead, keyName, keyPane),
		screen.Barred("all that is picked has values, or there is no service", keyRun),
		screen.Barred("no stub was put into what is picked", keyPlay),
		screen.Barred("nothing runs", keyHalt),
	)
	if s.Typing() {
		return screen.Busy("something else is asked", all)
	}
	return all
}
