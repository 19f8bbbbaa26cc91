package widget

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Letters that arrive together and spell the name of a key, such as "enter", are separate key presses. In a
// text field they are text.
func TestBursts(t *testing.T) {
	for kind := tea.KeyType(-128); kind < 128; kind++ {
		name := kind.String()
		if len([]rune(name)) < 2 {
			continue
		}
		named := key.NewBinding(key.WithKeys(name))
		burst := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
		presses := KeyPresses(burst)
		if len(presses) != len(burst.Runes) {
			t.Fatalf("%q has %d presses", name, len(presses))
		}
		for i, k := range presses {
			if k.String() != string(burst.Runes[i]) {
				t.Errorf("press %d of %q is %q", i, name, k)
			}
		}
		text := TypedText(presses)
		if key.Matches(text, named) {
			t.Errorf("the text %q is a key", name)
		}
		field := ValueField("")
		if field, _ = field.Update(text); field.Value() != name {
			t.Errorf("after %q a line has %q", name, field.Value())
		}
		area := TextArea("")
		if area, _ = area.Update(text); area.Value() != name {
			t.Errorf("after %q an area has %q", name, area.Value())
		}
	}
}

func TestKeyPressesOfOtherMessages(t *testing.T) {
	for _, k := range []tea.KeyMsg{
		{Type: tea.KeyUp},
		{Type: tea.KeyRunes, Runes: []rune("x"), Alt: true},
		{Type: tea.KeyRunes, Runes: []rune("up"), Paste: true},
	} {
		if all := KeyPresses(k); len(all) != 1 || all[0].String() != k.String() || TypedText(all).String() != k.String() {
			t.Errorf("%q has the presses %v", k, all)
		}
	}
}
