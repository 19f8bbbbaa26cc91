package record

import (
	"slices"

	"sonde/model"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
)

// The keys of the screen. Those of lists are in package widget.
var (
	keyStart = key.NewBinding(key.WithKeys("enter", "s"), key.WithHelp("⏎", "record"))
	keyType  = key.NewBinding(key.WithKeys("e"), key.WithHelp("e", "type a value"))
	keyTurn  = key.NewBinding(key.WithKeys("left", "right"), key.WithHelp("←→", "change"))
	keyOpen  = key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "open a recording"))
	keyShow  = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "to the recording"))
	keyStop  = key.NewBinding(key.WithKeys("x", "s"), key.WithHelp("x", "stop"))
	keyNew   = key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "new recording"))

	keyPick     = key.NewBinding(key.WithKeys(" "), key.WithHelp("space", "pick"))
	keyPickAll  = key.NewBinding(key.WithKeys("A"), key.WithHelp("A", "pick all shown"))
	keyFold     = key.NewBinding(key.WithKeys("enter", "left", "right"), key.WithHelp("⏎", "open, close"))
	keyRead     = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "read it"))
	keyList     = key.NewBinding(key.WithKeys("enter", "esc"), key.WithHelp("⏎", "to the list"))
	keyPane     = key.NewBinding(key.WithKeys("v"), key.WithHelp("v", "other pane"))
	keyEach     = key.NewBinding(key.WithKeys("f"), key.WithHelp("f", "every exchange"))
	keyShapes   = key.NewBinding(key.WithKeys("f"), key.WithHelp("f", "one of a shape"))
	keyWarnings = key.NewBinding(key.WithKeys("w"), key.WithHelp("w", "warnings"))

	keyPreview  = key.NewBinding(key.WithKeys("p"), key.WithHelp("p", "preview the test"))
	keyExchange = key.NewBinding(key.WithKeys("p"), key.WithHelp("p", "the exchange"))
	keyOutput   = key.NewBinding(key.WithKeys("O"), key.WithHelp("O", "output oracle"))
	keyParams   = key.NewBinding(key.WithKeys("P"), key.WithHelp("P", "parameter oracle"))
	keyCalls    = key.NewBinding(key.WithKeys("C"), key.WithHelp("C", "call oracle"))
	keyTogether = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "together, apart"))
	keyKeepTest = key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "keep as test"))
	keyGenerate = key.NewBinding(key.WithKeys("g"), key.WithHelp("g", "generate"))
	keyMimic    = key.NewBinding(key.WithKeys("m"), key.WithHelp("m", "mimic report"))

	keyAccept = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "accept"))
	keyCancel = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel"))

	keyReplace = key.NewBinding(key.WithKeys("W", "y"), key.WithHelp("W", "replace it"))
	keyKeep    = key.NewBinding(key.WithKeys("esc", "n"), key.WithHelp("esc", "keep it"))
)

// oracles are the keys that switch oracles on and off.
var oracles = map[model.MockOracle]key.Binding{
	model.OutputOracle:    keyOutput,
	model.ParameterOracle: keyParams,
	model.CallOracle:      keyCalls,
}

// Keys returns the keys that do something now.
func (s *Screen) Keys() []key.Binding {
	switch {
	case s.question.Open():
		return s.question.Keys()
	case s.tests.folder != nil || s.form.typing():
		return []key.Binding{keyAccept, keyCancel}
	case s.exchanges.find.Typing():
		return s.exchanges.find.Keys()
	case s.onForm():
		return s.form.keys(s.watch.seen)
	}
	var testKeys []key.Binding
	if s.exchanges.line() != nil {
		testKeys = s.tests.keys(s.side == sidePreview)
	}
	return slices.Concat(
		s.reading(),
		testKeys,
		s.exchanges.keys(s.focus == onList),
		s.watch.keys(),
		[]key.Binding{keyPane},
		widget.MoveKeys(),
	)
}

// onForm reports whether the form of the next recording is shown.
func (s *Screen) onForm() bool { return s.setup || !s.watch.seen }

func (f *form) keys(hasRecording bool) []key.Binding {
	keys := []key.Binding{keyStart, keyType, keyTurn, keyOpen}
	if hasRecording {
		keys = append(keys, keyShow)
	}
	return append(keys, widget.Down, widget.Up)
}

// reading returns the keys of the line under the cursor and of the pane beside the list.
func (s *Screen) reading() []key.Binding {
	switch l := s.exchanges.line(); {
	case l == nil:
		return nil
	case s.focus == onSide && s.side == sidePreview:
		return []key.Binding{keyList, widget.ScrollRight, widget.ScrollLeft}
	case s.focus == onSide:
		return []key.Binding{keyList}
	case l.entry == nil:
		return []key.Binding{keyPick, keyFold}
	}
	return []key.Binding{keyPick, keyRead}
}
