package widget

import tea "github.com/charmbracelet/bubbletea"

// KeyPresses returns the key presses of a message. Keys in quick succession arrive as one message with several runes.
// The name of such a message can mislead: "up" may be the letters u and p, or the key ↑. Pasted text counts as one
// press.
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

// TypedText joins the presses from KeyPresses to one message for a text field. The message counts as pasted
// and has no key name, so that the field inserts "delete" as text.
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
