package tui

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// troubles are those of the preferences and of the spec.
func (a *app) troubles() []screen.FileProblem {
	all := slices.Clone(a.home.Problems)
	if a.opening.err != nil {
		all = append(all, screen.FileProblem{File: a.opening.source, Problem: model.Problem{Text: a.opening.err.Error()}})
	}
	if a.study != nil {
		for _, p := range a.study.Spec.Problems {
			all = append(all, screen.FileProblem{File: fileOf(a.opening.source, p.Pointer), Problem: p})
		}
	}
	return all
}

// fileOf is the file that a pointer is about: one beside the spec stands before a "#".
func fileOf(source, pointer string) string {
	beside, _, ok := strings.Cut(pointer, "#")
	switch {
	case !ok || beside == "" || beside[0] == '/':
		return source
	case strings.Contains(beside, "://"):
		return beside
	}
	return filepath.Join(filepath.Dir(source), filepath.FromSlash(beside))
}

// review brings a list that is open up to date.
func (a *app) review() {
	if h, ok := a.overlay.(*health); ok {
		h.all = a.troubles()
		h.list.Fit(len(h.all), h.list.Height)
	}
}

// warn says at the start what is wrong with the preferences, and where to see all of it.
func (a *app) warn() tea.Cmd {
	if len(a.home.Problems) == 0 {
		return nil
	}
	first := a.home.Problems[0]
	return screen.ShowError(fmt.Errorf("%s: %s (%s lists all)", placeOf(first), first.Text, widget.KeyName(keyHealth)))
}

// placeOf is where a trouble is, as short as can be.
func placeOf(t screen.FileProblem) string {
	place := filepath.Base(t.File)
	if t.Line > 0 {
		place += fmt.Sprintf(" line %d", t.Line)
	}
	return place
}

// health lists all troubles; the editor opens where one of them is.
type health struct {
	all   []screen.FileProblem
	edit  func(file string, line int) (*exec.Cmd, error)
	list  widget.List
	place draw.Rect // of the rows, as last drawn
}

var keyEdit = key.NewBinding(key.WithKeys("e", "enter"), key.WithHelp("e", "edit it"))

// healthWidth is the most that the box is wide: long texts are wrapped below the list.
const healthWidth = 100

func newHealth(all []screen.FileProblem, edit func(string, int) (*exec.Cmd, error)) *health {
	h := &health{all: all, edit: edit}
	h.list.Fit(len(all), len(all))
	return h
}

func (h *health) update(msg tea.Msg) (overlay, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		if widget.LeftClick(msg) && h.place.Has(msg.X, msg.Y) {
			h.list.Click(msg.Y - h.place.Y)
		}
		h.list.Go(h.list.At + widget.WheelRows(msg))
	case tea.KeyMsg:
		switch {
		case key.Matches(msg, keyClose, keyHealth):
			return nil, nil
		case key.Matches(msg, keyEdit) && len(h.all) > 0:
			return h, h.open(h.all[h.list.At])
		}
		h.list.Key(msg)
	}
	return h, nil
}

// edited tells that the editor was left.
type edited struct{ err error }

// open gives the terminal to the editor.
func (h *health) open(t screen.FileProblem) tea.Cmd {
	if h.edit == nil {
		return screen.ShowError(errors.New("there is no editor here"))
	}
	cmd, err := h.edit(t.File, t.Line)
	if err != nil {
		return screen.ShowError(err)
	}
	return tea.ExecProcess(cmd, func(err error) tea.Msg { return edited{err} })
}

// edited reads the spec anew: it is what was edited, most likely.
func (a *app) edited(msg edited) tea.Cmd {
	if msg.err != nil {
		return a.say(screen.StatusMessage{Err: fmt.Errorf("the editor ended: %w; $EDITOR says which one is used", msg.err)})
	}
	return a.open()
}

func (h *health) over(picture string, width, height int) string {
	const detail = 4 // lines below the list
	f := draw.Frame{Title: "Problems", Width: min(width, healthWidth), Height: min(height, len(h.all)+detail+3), Focused: true}
	w, rows := f.Inner()
	x, y := (width-f.Width)/2, (height-f.Height)/3
	h.list.Fit(len(h.all), max(1, rows-detail-1))
	h.place = draw.Rect{X: x + 1, Y: y + 1, W: w, H: h.list.Height}
	if len(h.all) > 0 {
		f.Note = fmt.Sprintf("%d of %s", h.list.At+1, words.Plural(len(h.all), "problem"))
	}
	return draw.Overlay(picture, f.Render(h.body(w)), x, y)
}

func (h *health) body(width int) string {
	if len(h.all) == 0 {
		return "\n Nothing is wrong: all of the spec and of the preferences was read."
	}
	var lines []string
	from, to := h.list.Visible()
	for i := from; i < to; i++ {
		lines = append(lines, h.row(i, width).Render(width, i == h.list.At))
	}
	at := h.all[h.list.At]
	lines = append(lines, theme.Dim.Render(strings.Repeat("┄", width)))
	for _, text := range []string{draw.Clean(at.Text), draw.Clean(at.Pointer)} {
		lines = append(lines, strings.Split(ansi.Wrap(text, max(1, width-2), "/"), "\n")...)
	}
	for i := to - from + 1; i < len(lines); i++ {
		lines[i] = " " + lines[i]
	}
	return strings.Join(lines, "\n")
}

// row is the place and the text of a trouble, as far as they fit.
func (h *health) row(i, width int) draw.Line {
	mark := " "
	if i == h.list.At {
		mark = theme.Cursor
	}
	place := min(28, width/2)
	return draw.TextLine(mark, theme.Active).
		At(2, draw.Span{Text: draw.CutMiddle(draw.Clean(placeOf(h.all[i])), place-3), Style: theme.Accent}).
		At(place, draw.Span{Text: draw.Clean(h.all[i].Text), Style: theme.Plain})
}

func (h *health) keys() []key.Binding {
	if len(h.all) == 0 {
		return []key.Binding{keyClose}
	}
	return []key.Binding{keyEdit, keyPick, keyClose}
}
