package graph

import (
	"sonde/ui/pane"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
)

var (
	keyLeft    = key.NewBinding(key.WithKeys("left"), key.WithHelp("←", "box left"))
	keyRight   = key.NewBinding(key.WithKeys("right"), key.WithHelp("→", "box right"))
	keyUp      = key.NewBinding(key.WithKeys("up"), key.WithHelp("↑", "box above"))
	keyDown    = key.NewBinding(key.WithKeys("down"), key.WithHelp("↓", "box below"))
	keyCentre  = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "to the middle"))
	keyOpen    = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "in explore"))
	keyExplore = key.NewBinding(key.WithKeys("e"), key.WithHelp("e", "in explore"))
	keyGroup   = key.NewBinding(key.WithKeys("G"), key.WithHelp("G", "its group"))
	keyBack    = key.NewBinding(key.WithKeys("backspace"), key.WithHelp("⌫", "back"))
	keyMore    = key.NewBinding(key.WithKeys("+", "="))
	keyLess    = key.NewBinding(key.WithKeys("-"))
	keyAll     = key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "all values"))
	keyIDs     = key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "ids only"))
	keyTree    = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "as a tree"))
	keyPicture = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "as a picture"))
	keyWhole   = key.NewBinding(key.WithKeys("w"), key.WithHelp("w", "the whole API"))
	keyAround  = key.NewBinding(key.WithKeys("w"), key.WithHelp("w", "around one"))
	keyThings  = key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "resources"))
	keyOps     = key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "operations"))
	keyCloser  = key.NewBinding(key.WithKeys("z"))
	keyFarther = key.NewBinding(key.WithKeys("Z"))
	keyCircle  = key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "fold its circle"))
	keyCircles = key.NewBinding(key.WithKeys("C"), key.WithHelp("C", "fold all circles"))
	keyFold    = key.NewBinding(key.WithKeys("f"), key.WithHelp("f", "fold its group"))
	keyFolds   = key.NewBinding(key.WithKeys("F"), key.WithHelp("F", "fold all groups"))
	keyFind    = key.NewBinding(key.WithKeys("/"), key.WithHelp("/", "find"))
	keyNext    = key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "next found"))
	keyBefore  = key.NewBinding(key.WithKeys("N"), key.WithHelp("N", "found before"))
	keyForget  = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "find nothing"))
	keyMap     = key.NewBinding(key.WithKeys("m"), key.WithHelp("m", "map"))
	keyStop    = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "stop drawing"))
	keyAgain   = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "draw it"))
)

// Keys are the keys that matter now.
func (s *Screen) Keys() []key.Binding {
	switch {
	case s.study == nil || s.centre == "":
		return nil
	case s.find.Typing():
		return s.find.Keys()
	case s.save.Typing():
		return s.save.Keys()
	case s.picture == nil && s.stop == nil:
		return s.ahead(keyAgain)
	case s.picture == nil:
		return s.ahead(keyStop)
	}
	keys := []key.Binding{keyCentre}
	if s.middle() {
		keys = []key.Binding{keyOpen}
	}
	if s.stop != nil {
		keys = append(keys, keyStop)
	}
	keys = append(keys, s.ways()...)
	keys = append(keys, s.finds()...)
	if len(s.history) > 0 {
		keys = append(keys, keyBack)
	}
	if !s.middle() {
		keys = append(keys, keyExplore)
	}
	keys = append(append(keys, s.folds()...), save.Key)
	if !s.things {
		keys = append(keys, screen.KeyAppend)
	}
	if s.tree() {
		return append(append(keys, keyPicture, keyGroup), pane.Moves()...)
	}
	keys = append(keys, keyTree)
	keys = append(keys, s.zooms()...)
	if !s.picture.sheet.Whole() {
		keys = append(keys, keyMap)
	}
	keys = append(keys, keyGroup, keyLeft, keyRight, keyUp, keyDown)
	return append(keys, s.scrolls()...)
}

// ahead are the keys that need nothing that is drawn.
func (s *Screen) ahead(first key.Binding) []key.Binding {
	keys := append([]key.Binding{first}, s.ways()...)
	if len(s.history) > 0 {
		keys = append(keys, keyBack)
	}
	if !s.things {
		keys = append(keys, screen.KeyAppend)
	}
	return append(keys, keyFind, keyExplore, keyGroup)
}

// ways are the keys that show something else of the API.
func (s *Screen) ways() []key.Binding {
	var keys []key.Binding
	if s.whole {
		keys = append(keys, keyAround)
	} else {
		keys = append(keys, s.reaches()...)
		keys = append(keys, keyWhole)
	}
	if s.things {
		return append(keys, keyOps)
	}
	keys = append(keys, keyThings)
	switch {
	case s.narrowed():
		keys = append(keys, keyAll)
	case s.all:
		keys = append(keys, keyIDs)
	}
	return keys
}

// reaches are the keys that show more or less of what is around.
func (s *Screen) reaches() []key.Binding {
	var keys []key.Binding
	if s.hops < farthest {
		keys = append(keys, saying(keyMore, "+", words.Plural(s.hops+1, "hop")))
	}
	if s.hops > 1 {
		keys = append(keys, saying(keyLess, "-", words.Plural(s.hops-1, "hop")))
	}
	return keys
}

// folds are the keys that make one box of several, or several of one.
func (s *Screen) folds() []key.Binding {
	if s.things {
		return nil
	}
	var keys []key.Binding
	folded := s.folded.of()
	if k, ok := s.group(); ok {
		keys = append(keys, turned(keyFold, folded.groups[k]))
	}
	keys = append(keys, turned(keyFolds, len(folded.groups) > 0))
	if k, ok := s.circle(); ok {
		keys = append(keys, turned(keyCircle, folded.circles[k]))
	}
	if len(s.picture.circles) > 0 {
		keys = append(keys, turned(keyCircles, len(folded.circles) > 0))
	}
	return keys
}

// turned is a key that folds, or unfolds where that is done.
func turned(b key.Binding, back bool) key.Binding {
	if back {
		return saying(b, b.Help().Key, "un"+b.Help().Desc)
	}
	return b
}

// finds are the keys that find nodes.
func (s *Screen) finds() []key.Binding {
	if s.find.Empty() {
		return []key.Binding{keyFind}
	}
	return []key.Binding{keyNext, keyBefore, keyForget, keyFind}
}

// zooms are the keys that have boxes say more or less.
func (s *Screen) zooms() []key.Binding {
	var keys []key.Binding
	if s.zoom < facts {
		keys = append(keys, saying(keyCloser, "z", "zoom in: "+(s.zoom+1).String()))
	}
	if s.zoom > dots {
		keys = append(keys, saying(keyFarther, "Z", "zoom out: "+(s.zoom-1).String()))
	}
	return keys
}

// saying is a binding with its help.
func saying(b key.Binding, shown, text string) key.Binding {
	b.SetHelp(shown, text)
	return b
}

// scrolls are the keys that move the window on the picture, where it is smaller.
func (s *Screen) scrolls() []key.Binding {
	var keys []key.Binding
	picture, _ := divide(s.width, s.height)
	left, down, up, right := sheet.Letters[0], sheet.Letters[1], sheet.Letters[2], sheet.Letters[3]
	if s.picture.sheet.Figure.W > picture.W-2 {
		keys = append(keys, left, right)
	}
	if s.picture.sheet.Figure.H > picture.H-2 {
		keys = append(keys, down, up)
	}
	return keys
}
