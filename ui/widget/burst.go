package widget

import tea "github.com/charmbracelet/bubbletea"

// KeyPresses returns the key presses of a message. Keys in quick succession arrive as one message with several
// runes, and its name may be the name of another key: "up" is then u and p, not ↑. Pasted text is one press.
func KeyPresses(k tea.KeyMsg) []tea.KeyMsg {
	if k.Type != tea.KeyRunes || k.Paste || len(k.Runes) < 2 {
		return []tea.KeyMsg{k}
	}
	all := make([]tea.KeyMsg, len(k.Runes))
	for i, r := range k.Runes {
		all[i] = tea.KeyMsg{Type: tea.KeyRunes, Alt: k.Alt, Runes: []rune{r}}
	}
	return all
}

// TypedText returns one message for several presses of KeyPresses that a text field gets. The message has the name of
// no key: it counts as pasted, so that a field takes "delete" for text.
func TypedText(presses []tea.KeyMsg) tea.KeyMsg {
	if len(presses) == 1 {
		return presses[0]
	}
	text := tea.KeyMsg{Type: tea.KeyRunes, Paste: true}
	for _, k := range presses {
		text.Runes = append(text.Runes, k.Runes...)
	}
	return text
}
