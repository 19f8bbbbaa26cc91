package tui

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// picker is a box with a list, and a field that filters the list.
type picker struct {
	title string
	width int // the maximum width of the box, in cells
	field textinput.Model
	list  widget.List
	place draw.Rect // where the rows were drawn the last time
}

var (
	keyDo    = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "do it"))
	keyClose = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "close"))
	keyPick  = key.NewBinding(key.WithKeys("up", "down", "pgup", "pgdown"), key.WithHelp("↑↓", "choose"))
)

// pickerResult is the result of a picker's update.
type pickerResult int

const (
	nothing pickerResult = iota
	closed               // the user closed the box
	chosen               // the user chose the row under the cursor
	typed                // the text in the field has changed
)

func newPicker(title string, width int) picker {
	p := picker{title: title, width: width, field: widget.FilterField("type to filter")}
	p.field.Focus()
	return p
}

func (p *picker) update(msg tea.Msg) (pickerResult, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		return p.mouse(msg), nil
	case tea.KeyMsg:
		switch {
		case key.Matches(msg, keyClose):
			return closed, nil
		case key.Matches(msg, keyDo) && p.list.Rows > 0:
			return chosen, nil
		case key.Matches(msg, keyPick):
			p.list.Key(msg)
			return nothing, nil
		}
	}
	before := p.field.Value()
	var cmd tea.Cmd
	p.field, cmd = p.field.Update(msg)
	if p.field.Value() != before {
		return typed, cmd
	}
	return nothing, cmd
}

func (p *picker) mouse(msg tea.MouseMsg) pickerResult {
	if widget.LeftClick(msg) && p.place.Has(msg.X, msg.Y) && p.list.Click(msg.Y-p.place.Y) {
		return chosen
	}
	p.list.Go(p.list.At + widget.WheelRows(msg))
	return nothing
}

// over draws the box on a picture of the given size. The box has room for the given number of rows, if the
// picture is high enough. If the list is empty, the box shows the text in empty.
func (p *picker) over(picture string, width, height, rows int, empty string, row func(i int) draw.Line) string {
	f := draw.Frame{Title: p.title, Width: min(width, p.width), Height: min(height, rows+3), Focused: true}
	w, h := f.Inner()
	x, y := (width-f.Width)/2, (height-f.Height)/3
	p.place = draw.Rect{X: x + 1, Y: y + 2, W: w, H: h - 1}
	p.list.Fit(p.list.Rows, h-1)
	from, to := p.list.Visible()
	if to-from < p.list.Rows {
		f.Note = fmt.Sprintf("%d-%d of %d", from+1, to, p.list.Rows)
	}
	p.field.Width = w - 4
	lines := []string{" " + p.field.View()}
	for i := from; i < to; i++ {
		at := i == p.list.At
		lines = append(lines, append(widget.CursorMark(at), row(i)...).Render(w, at))
	}
	if p.list.Rows == 0 {
		lines = append(lines, theme.Dim.Render("   "+empty))
	}
	return draw.Overlay(picture, f.Render(strings.Join(lines, "\n")), x, y)
}

func (p *picker) keys() []key.Binding { return []key.Binding{keyDo, keyPick, keyClose} }
