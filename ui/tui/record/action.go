package record

import (
	"slices"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
)

// Actions are what the screen can do at other times, and why not now.
func (s *Screen) Actions() []screen.Action {
	all := slices.Concat(
		screen.Barred("needs the form of a recording", keyStart, keyType),
		screen.Barred("no recording is running", keyStop),
		screen.Barred(
			"nothing is recorded yet", keyNew, keyShow, keyPick, keyPickAll, keyRead, keyPreview, keyKeepTest,
			keyGenerate, keyEach, finder.Open, keyPane,
		),
		screen.Barred("needs the preview of a test", keyExchange, keyOutput, keyParams, keyCalls, keyTogether),
		screen.Barred("no tests were generated yet", keyMimic),
		screen.Barred("there are no warnings", keyWarnings),
		screen.Barred("no filter is set", finder.Clear),
		screen.Barred("", keyOpen),
	)
	switch {
	case s.question.Open():
		return screen.Busy("a question is open", all)
	case s.tests.folder != nil || s.form.typing() || s.exchanges.find.Typing():
		return screen.Busy("something is typed", all)
	}
	return all
}
