package search

import (
	"slices"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/search/past"
)

// Actions are what the screen can do at other times, and why not now.
func (m Model) Actions() []screen.Action {
	all := slices.Concat(
		screen.UnavailableActions("no search is running", keyPause, keyStep, keyStop),
		screen.UnavailableActions("no search is paused", keyResume),
		screen.UnavailableActions("needs an operation of a running search", keyMute, keyBoost, keyOnly, keyWiden),
		screen.UnavailableActions("no operation is muted or boosted", keyPlain, keyPlainAll),
		screen.UnavailableActions("needs a test, or a fault that one shows", keyAgain, keySteps),
		screen.UnavailableActions("the list of events is not on show", finder.KeyFilter, finder.KeyClearFilter, keyToRun),
		screen.UnavailableActions("needs a fault", keyFault, keyCopyFault, keyToFaults),
		screen.UnavailableActions("needs the form of a search", keyStart, keyType),
		screen.UnavailableActions("there was no search yet", keyResult, keyNew, keyGo, keyWhy, keyCode, keyEvents, keyPane),
		screen.UnavailableActions("a search is running", keyPast),
		screen.UnavailableActions("the list of searches is not on show", past.Actions()...),
	)
	switch {
	case m.host.URL == "":
		return screen.BlockActions("there is no service: start with --url or --demo", all)
	case m.question.Open():
		return screen.BlockActions("a question is open", all)
	case m.form.typing(), m.inPast && m.past.Typing(), m.page == pageEvents && m.events.Typing():
		return screen.BlockActions("a value is typed", all)
	}
	return all
}
