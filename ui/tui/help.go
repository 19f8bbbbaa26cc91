package tui

import (
	"fmt"
	"strings"

	"sonde/ui/pane"
	"sonde/ui/theme"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// help lists all keys of a screen, and below them what its signs mean; it can be
// filtered, and does what a line with a key says.
type help struct {
	screen string
	all    []key.Binding
	fit    []key.Binding // those that the filter lets through
	filter textinput.Model
	list   pane.List
	place  pane.Rect // of the rows, as last drawn
}

var (
	keyDo    = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "do it"))
	keyClose = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "close"))
	keyPick  = key.NewBinding(key.WithKeys("up", "down", "pgup", "pgdown"), key.WithHelp("↑↓", "choose"))
)

const helpWidth = 60 // cells

func newHelp(screen string, all []key.Binding) *help {
	h := &help{screen: screen, all: all, fit: all, filter: pane.Field("type to filter")}
	h.filter.Focus()
	h.list.Fit(len(all), len(all))
	return h
}

func (h *help) update(msg tea.Msg) (overlay, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		return h.mouse(msg)
	case tea.KeyMsg:
		switch {
		case key.Matches(msg, keyClose), key.Matches(msg, keyHelp) && h.filter.Value() == "":
			return nil, nil
		case key.Matches(msg, keyDo):
			return h.do()
		case key.Matches(msg, keyPick):
			h.list.Key(msg)
			return h, nil
		}
	}
	var cmd tea.Cmd
	h.filter, cmd = h.filter.Update(msg)
	h.narrow()
	return h, cmd
}

func (h *help) mouse(msg tea.MouseMsg) (overlay, tea.Cmd) {
	if pane.Clicked(msg) && h.place.Has(msg.X, msg.Y) && h.list.Click(msg.Y-h.place.Y) {
		return h.do()
	}
	h.list.Go(h.list.At + pane.Wheel(msg))
	return h, nil
}

// do closes the list and presses the key under the cursor.
func (h *help) do() (overlay, tea.Cmd) {
	if len(h.fit) == 0 || len(h.fit[h.list.At].Keys()) == 0 {
		return h, nil
	}
	return nil, again(h.fit[h.list.At])
}

func (h *help) narrow() {
	h.fit = nil
	want := strings.ToLower(h.filter.Value())
	for _, b := range h.all {
		if strings.Contains(strings.ToLower(b.Help().Key+" "+b.Help().Desc), want) {
			h.fit = append(h.fit, b)
		}
	}
	h.list.Fit(len(h.fit), h.list.Height)
}

func (h *help) over(picture string, width, height int) string {
	f := pane.Frame{Title: "Keys of " + h.screen, Width: min(width, helpWidth), Height: min(height, len(h.all)+3), Focused: true}
	w, rows := f.Inner()
	x, y := (width-f.Width)/2, (height-f.Height)/3
	h.place = pane.Rect{X: x + 1, Y: y + 2, W: w, H: rows - 1}
	h.list.Fit(len(h.fit), rows-1)
	if from, to := h.list.Visible(); to-from < len(h.fit) {
		f.Note = fmt.Sprintf("%d-%d of %d", from+1, to, len(h.fit))
	}
	h.filter.Width = w - 4
	return pane.Over(picture, f.Render(h.body(w)), x, y)
}

func (h *help) body(width int) string {
	lines := []string{" " + h.filter.View()}
	from, to := h.list.Visible()
	for i := from; i < to; i++ {
		lines = append(lines, keyRow(h.fit[i], i == h.list.At).Render(width, i == h.list.At))
	}
	if len(h.fit) == 0 {
		lines = append(lines, theme.Dim.Render("   no key does that"))
	}
	return strings.Join(lines, "\n")
}

// keyRow is a line of the list: a key and what it does, or a sign and what it
// means.
func keyRow(b key.Binding, at bool) pane.Line {
	mark := " "
	if at {
		mark = theme.Cursor
	}
	style := theme.Accent
	if len(b.Keys()) == 0 {
		style = theme.Strong
	}
	return pane.Text(mark, theme.Active).
		At(2, pane.Span{Text: b.Help().Key, Style: style}).
		At(13, pane.Span{Text: b.Help().Desc, Style: theme.Plain})
}

func (h *help) keys() []key.Binding { return []key.Binding{keyDo, keyPick, keyClose} }
