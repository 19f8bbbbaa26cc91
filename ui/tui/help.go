package tui

import (
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// help lists all keys of a screen, and below them what its signs mean; it can be
// filtered, and does what a line with a key says.
type help struct {
	picker
	all []key.Binding
	fit []key.Binding // those that the filter lets through
}

const helpWidth = 60 // cells

func newHelp(screen string, all []key.Binding) *help {
	h := &help{picker: newPicker("Keys of "+screen, helpWidth), all: all, fit: all}
	h.list.Fit(len(all), len(all))
	return h
}

func (h *help) update(msg tea.Msg) (overlay, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok && key.Matches(k, keyHelp) && h.field.Value() == "" {
		return nil, nil
	}
	switch came, cmd := h.picker.update(msg); came {
	case closed:
		return nil, nil
	case chosen:
		return h.do()
	case typed:
		h.narrow()
		return h, cmd
	default:
		return h, cmd
	}
}

// do closes the list and presses the key under the cursor.
func (h *help) do() (overlay, tea.Cmd) {
	if len(h.fit[h.list.At].Keys()) == 0 {
		return h, nil
	}
	return nil, again(h.fit[h.list.At])
}

func (h *help) narrow() {
	h.fit = nil
	want := strings.ToLower(h.field.Value())
	for _, b := range h.all {
		if strings.Contains(strings.ToLower(widget.KeyName(b)+" "+b.Help().Desc), want) {
			h.fit = append(h.fit, b)
		}
	}
	h.list.Fit(len(h.fit), h.list.Height)
}

func (h *help) over(picture string, width, height int) string {
	return h.picker.over(picture, width, height, len(h.all), "no key does that",
		func(i int) draw.Line { return keyRow(h.fit[i]) })
}

// keyRow is a line of the list: a key and what it does, or a sign and what it
// means.
func keyRow(b key.Binding) draw.Line {
	style := theme.Accent
	if len(b.Keys()) == 0 {
		style = theme.Strong
	}
	return draw.Line{}.
		At(1, draw.Span{Text: widget.KeyName(b), Style: style}).
		At(12, draw.Span{Text: b.Help().Desc, Style: theme.Plain})
}
