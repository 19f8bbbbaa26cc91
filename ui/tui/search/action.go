package search

import (
	"slices"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/search/past"
)

// Actions are what the screen does at other times, and why not now.
func (m Model) Actions() []screen.Action {
	all := slices.Concat(
		screen.Barred("no search goes on", keyPause, keyStep, keyStop),
		screen.Barred("no search is paused", keyResume),
		screen.Barred("needs an operation of a search that goes on", keyMute, keyBoost, keyOnly, keyWiden),
		screen.Barred("no operation is muted or boosted", keyPlain, keyPlainAll),
		screen.Barred("needs a test, or a fault that one shows", keyAgain, keySteps),
		screen.Barred("the list of what happened is not on show", finder.Open, finder.Clear, keyToRun),
		screen.Barred("needs a fault", keyFault, keyCopyFault, keyToFaults),
		screen.Barred("needs the form of a search", keyStart, keyType),
		screen.Barred("there was no search yet", keyResult, keyNew, keyGo, keyWhy, keyCode, keyEvents, keyPane),
		screen.Barred("a search goes on", keyPast),
		screen.Barred("the list of searches is not on show", past.Actions()...),
	)
	switch {
	case m.host.URL == "":
		return screen.Busy("no service is given: --url or --demo", all)
	case m.question.Open():
		return screen.Busy("a question is open", all)
	case m.form.typing(), m.inPast && m.past.Typing(), m.onEvents() && m.events.Typing():
		return screen.Busy("a value is typed", all)
	}
	return all
}
