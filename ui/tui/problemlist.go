package tui

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// placeOf returns the name of a problem's file and, if it is known, the problem's line.
func placeOf(t screen.FileProblem) string {
	place := filepath.Base(t.File)
	if t.Line > 0 {
		place += fmt.Sprintf(" line %d", t.Line)
	}
	return place
}

// problemList is an overlay with all problems. It opens the editor at a problem.
type problemList struct {
	all   []screen.FileProblem
	edit  func(file string, line int) (*exec.Cmd, error)
	list  widget.List
	place draw.Rect // where the rows were drawn the last time
}

var keyEdit = key.NewBinding(key.WithKeys("e", "enter"), key.WithHelp("e", "edit it"))

// problemsWidth is the maximum width of the box, in cells. Longer texts are wrapped below the list.
const problemsWidth = 100

func newProblemList(all []screen.FileProblem, edit func(string, int) (*exec.Cmd, error)) *problemList {
	p := &problemList{all: all, edit: edit}
	p.list.Fit(len(all), len(all))
	return p
}

// set replaces the problems.
func (p *problemList) set(all []screen.FileProblem) {
	p.all = all
	p.list.Fit(len(all), p.list.Height)
}

func (p *problemList) update(msg tea.Msg) (overlay, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		if widget.LeftClick(msg) && p.place.Has(msg.X, msg.Y) {
			p.list.Click(msg.Y - p.place.Y)
		}
		p.list.Go(p.list.At + widget.WheelRows(msg))
	case tea.KeyMsg:
		switch {
		case key.Matches(msg, keyClose, keyProblems):
			return nil, nil
		case key.Matches(msg, keyEdit) && len(p.all) > 0:
			return p, p.open(p.all[p.list.At])
		}
		p.list.Key(msg)
	}
	return p, nil
}

// editorClosed is sent when the editor has ended.
type editorClosed struct{ err error }

// open opens the editor at a problem. The editor uses the terminal until it ends.
func (p *problemList) open(t screen.FileProblem) tea.Cmd {
	if p.edit == nil {
		return screen.ShowError(errors.New("no editor is configured"))
	}
	cmd, err := p.edit(t.File, t.Line)
	if err != nil {
		return screen.ShowError(err)
	}
	return tea.ExecProcess(cmd, func(err error) tea.Msg { return editorClosed{err} })
}

func (p *problemList) over(picture string, width, height int) string {
	const detail = 4 // lines below the list
	f := draw.Frame{Title: "Problems", Width: min(width, problemsWidth), Height: min(height, len(p.all)+detail+3), Focused: true}
	w, rows := f.Inner()
	x, y := (width-f.Width)/2, (height-f.Height)/3
	p.list.Fit(len(p.all), max(1, rows-detail-1))
	p.place = draw.Rect{X: x + 1, Y: y + 1, W: w, H: p.list.Height}
	if len(p.all) > 0 {
		f.Note = fmt.Sprintf("%d of %s", p.list.At+1, words.Plural(len(p.all), "problem"))
	}
	return draw.Overlay(picture, f.Render(p.body(w)), x, y)
}

func (p *problemList) body(width int) string {
	if len(p.all) == 0 {
		return "\n Nothing is wrong: all of the spec and of the preferences was read."
	}
	var lines []string
	from, to := p.list.Visible()
	for i := from; i < to; i++ {
		lines = append(lines, p.row(i, width).Render(width, i == p.list.At))
	}
	at := p.all[p.list.At]
	lines = append(lines, theme.Dim.Render(strings.Repeat("┄", width)))
	for _, text := range []string{draw.Clean(at.Text), draw.Clean(at.Pointer)} {
		lines = append(lines, strings.Split(ansi.Wrap(text, max(1, width-2), "/"), "\n")...)
	}
	for i := to - from + 1; i < len(lines); i++ {
		lines[i] = " " + lines[i]
	}
	return strings.Join(lines, "\n")
}

// row draws the place and the text of a problem.
func (p *problemList) row(i, width int) draw.Line {
	mark := " "
	if i == p.list.At {
		mark = theme.Cursor
	}
	place := min(28, width/2)
	return draw.TextLine(mark, theme.Active).
		At(2, draw.Span{Text: draw.CutMiddle(draw.Clean(placeOf(p.all[i])), place-3), Style: theme.Accent}).
		At(place, draw.Span{Text: draw.Clean(p.all[i].Text), Style: theme.Plain})
}

func (p *problemList) keys() []key.Binding {
	if len(p.all) == 0 {
		return []key.Binding{keyClose}
	}
	return []key.Binding{keyEdit, keyPick, keyClose}
}
