package graph

import (
	"slices"

	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
)

// Actions are what the screen does at other times, and why not now.
func (s *Screen) Actions() []screen.Action {
	all := slices.Concat(
		screen.Barred("nothing is drawn yet", keyCentre, keyGroup, keyWhole, keyThings, keyTree, keyFind, save.Key),
		screen.Barred("needs an operation besides the middle", keyExplore),
		screen.Barred("needs the whole API", keyAround),
		screen.Barred("needs resources", keyOps),
		screen.Barred("needs operations", screen.KeyAppend),
		screen.Barred("needs flows of other values than ids", keyAll, keyIDs),
		screen.Barred("needs the tree", keyPicture),
		screen.Barred("needs the picture", keyLeft, keyRight, keyUp, keyDown),
		screen.Barred("all is in sight", keyMap),
		screen.Barred("needs the whole API, by operations", keyCircle, keyCircles, keyFold, keyFolds),
		screen.Barred("nothing is looked for", keyNext, keyBefore, keyForget),
		screen.Barred("there is nowhere to go back to", keyBack),
		screen.Barred("nothing is being drawn", keyStop),
	)
	switch {
	case s.find.Typing():
		return screen.Busy("what is looked for is typed", all)
	case s.save.Typing():
		return screen.Busy("a file is named", all)
	}
	return all
}
