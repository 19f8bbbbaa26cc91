package tui

import (
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/explain"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// help is an overlay with the terms that a screen shows, the keys that work now on it, all keys of the frame, and the
// meaning of signs. The user can filter the lines and run the action of a key.
type help struct {
	picker
	all  []helpEntry
	rows []key.Binding // the lines of the entries that match the filter
}

// helpEntry is a key, or a term or sign with its meaning. Only a meaning may have more than one line.
type helpEntry []key.Binding

const helpWidth = 76 // cells

// newHelp returns the help of a screen: first the terms that the screen shows, then the keys and signs. The cursor is on
// the first key. width is the width of the app.
func newHelp(screen string, terms []explain.Term, keys []key.Binding, width int) *help {
	h := &help{picker: newPicker("Keys of "+screen, helpWidth)}
	for _, t := range terms {
		h.all = append(h.all, termEntry(t, min(width, helpWidth)-2-helpColumn-1))
	}
	for _, b := range keys {
		h.all = append(h.all, helpEntry{b})
	}
	h.filter()
	h.list.Fit(len(h.rows), len(h.rows))
	h.list.Go(max(0, slices.IndexFunc(h.rows, func(b key.Binding) bool { return len(b.Keys()) > 0 })))
	return h
}

// termEntry returns the lines that explain a term, in at most width cells. A title that is too long for the column of
// the keys has a line of its own.
func termEntry(t explain.Term, width int) helpEntry {
	lines, title := words.Wrap(t.Meaning, width), t.Title()
	if ansi.StringWidth(title) > helpColumn-2 {
		lines = append([]string{""}, lines...)
	}
	var e helpEntry
	for _, line := range lines {
		e = append(e, key.NewBinding(key.WithHelp(title, line)))
		title = ""
	}
	return e
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

// do closes the list and presses the key under the cursor. It does nothing if the cursor is on a term or a sign.
func (h *help) do() (overlay, tea.Cmd) {
	if len(h.rows[h.list.At].Keys()) == 0 {
		return h, nil
	}
	return nil, pressKey(h.rows[h.list.At])
}

func (h *help) filter() {
	h.rows = nil
	want := strings.ToLower(h.field.Value())
	for _, e := range h.all {
		if strings.Contains(e.text(), want) {
			h.rows = append(h.rows, e...)
		}
	}
	h.list.Fit(len(h.rows), h.list.Height)
}

// text returns the text of an entry in lower case.
func (e helpEntry) text() string {
	var all []string
	for _, b := range e {
		all = append(all, widget.KeyName(b), b.Help().Desc)
	}
	return strings.ToLower(strings.Join(strings.Fields(strings.Join(all, " ")), " "))
}

func (h *help) over(picture string, width, height int) string {
	rows := 0
	for _, e := range h.all {
		rows += len(e)
	}
	return h.picker.over(picture, width, height, rows, "no key does that",
		func(i int) draw.Line { return keyRow(h.rows[i]) })
}

// helpColumn is the column of the meanings.
const helpColumn = 12

// keyRow draws a key and its action, or a term or sign and its meaning.
func keyRow(b key.Binding) draw.Line {
	style := theme.Accent
	if len(b.Keys()) == 0 {
		style = theme.Strong
	}
	line := draw.Line{}.At(1, draw.Span{Text: widget.KeyName(b), Style: style})
	if b.Help().Desc == "" { // a title that needs the whole line
		return line
	}
	return line.At(helpColumn, draw.Span{Text: b.Help().Desc, Style: theme.Plain})
}
