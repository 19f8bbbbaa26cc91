package record

import (
	"slices"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
)

// Actions returns the actions that can't be done now, with the reason. Keys returns the
// others.
func (s *Screen) Actions() []screen.Action {
	all := slices.Concat(
		screen.UnavailableActions("needs the form of a recording", keyStart, keyType),
		screen.UnavailableActions("no recording is running", keyStop),
		screen.UnavailableActions(
			"nothing is recorded yet", keyNew, keyShow, keyPick, keyPickAll, keyRead, keyPreview, keyKeepTest,
			keyGenerate, keyEach, finder.KeyFilter, keyPane,
		),
		screen.UnavailableActions(
			"needs the preview of a test", keyExchange, keyOutput, keyParams, keyCalls, keyTogether,
		),
		screen.UnavailableActions("no tests were generated yet", keyMimic),
		screen.UnavailableActions("there are no warnings", keyWarnings),
		screen.UnavailableActions("no filter is set", finder.KeyClearFilter),
		screen.UnavailableActions("", keyOpen),
	)
	switch {
	case s.question.Open():
		return screen.BlockActions("a question is open", all)
	case s.tests.folder != nil || s.form.typing() || s.exchanges.find.Typing():
		return screen.BlockActions("something is typed", all)
	}
	return all
}
