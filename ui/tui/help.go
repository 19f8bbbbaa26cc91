package tui

import (
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// help is an overlay with the keys that work now on a screen, all keys of the frame, and the meaning of signs. The
// user can filter the lines and run the action of a key.
type help struct {
	picker
	all     []key.Binding
	matches []key.Binding // the lines that match the filter
}

const helpWidth = 60 // cells

func newHelp(screen string, all []key.Binding) *help {
	h := &help{picker: newPicker("Keys of "+screen, helpWidth), all: all, matches: all}
	h.list.Fit(len(all), len(all))
	return h
}

func (h *help) update(msg tea.Msg) (overlay, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok && key.Matches(k, keyHelp) && h.field.Value() == "" {
		return nil, nil
	}
	switch result, cmd := h.picker.update(msg); result {
	case closed:
		return nil, nil
	case chosen:
		return h.do()
	case typed:
		h.filter()
		return h, cmd
	default:
		return h, cmd
	}
}

// do closes the list and presses the key under the cursor. It does nothing if the cursor is on a sign.
func (h *help) do() (overlay, tea.Cmd) {
	if len(h.matches[h.list.At].Keys()) == 0 {
		return h, nil
	}
	return nil, pressKey(h.matches[h.list.At])
}

func (h *help) filter() {
	h.matches = nil
	want := strings.ToLower(h.field.Value())
	for _, b := range h.all {
		if strings.Contains(strings.ToLower(widget.KeyName(b)+" "+b.Help().Desc), want) {
			h.matches = append(h.matches, b)
		}
	}
	h.list.Fit(len(h.matches), h.list.Height)
}

func (h *help) over(picture string, width, height int) string {
	return h.picker.over(picture, width, height, len(h.all), "no key does that",
		func(i int) draw.Line { return keyRow(h.matches[i]) })
}

// keyRow draws a key and its action, or a sign and its meaning.
func keyRow(b key.Binding) draw.Line {
	style := theme.Accent
	if len(b.Keys()) == 0 {
		style = theme.Strong
	}
	return draw.Line{}.
		At(1, draw.Span{Text: widget.KeyName(b), Style: style}).
		At(12, draw.Span{Text: b.Help().Desc, Style: theme.Plain})
}
