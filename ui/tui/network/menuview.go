package network

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
)

// menuWidth is the width of the box if the screen is wide enough.
const menuWidth = 58

// over draws the menu over a picture.
func (m *menu) over(picture string, width, height int) string {
	f := draw.Frame{
		Title:   m.title(),
		Width:   min(width, menuWidth),
		Height:  min(height, len(m.choices)+5),
		Focused: true,
	}
	w, h := f.Inner()
	m.list.Fit(len(m.choices), max(1, h-3))
	x, y := (width-f.Width)/2, (height-f.Height)/3
	m.place = draw.Rect{X: x + 1, Y: y + 1, W: w, H: m.list.Height}
	var rows []string
	from, to := m.list.Visible()
	for i := from; i < to; i++ {
		rows = append(rows, m.row(i).Render(w, i == m.list.At))
	}
	return draw.Overlay(picture, f.Render(strings.Join(append(rows, m.foot(w)...), "\n")), x, y)
}

func (m *menu) title() string {
	host := draw.CutMiddle(draw.Clean(m.host.Host), 28)
	return "Answer of " + host + theme.Dim.Render(" · "+draw.Clean(string(m.protocol)))
}

func (m *menu) row(i int) draw.Line {
	mark := "  "
	if i == m.list.At {
		mark = theme.Cursor + " "
	}
	c := m.choices[i]
	style := theme.Good
	if c.answer.Fault != "" || c.answer.Status >= 500 {
		style = theme.Bad
	}
	return draw.Line{{Text: mark, Style: theme.Active}, {Text: c.word, Style: style}}.
		At(18, draw.Span{Text: c.help, Style: theme.Plain})
}

// foot draws the lines below the list: an error or the field, and the keys.
func (m *menu) foot(width int) []string {
	keys := " " + widget.KeyAndHelp(keyChoose) + "   " + widget.KeyAndHelp(keyCancel)
	switch {
	case m.err != nil:
		return []string{"", theme.Bad.Render(" " + theme.Failed + " " + draw.Clean(m.err.Error())), keys}
	case m.field != nil:
		m.field.Width = max(1, width-12)
		label := fmt.Sprintf("%-8s", m.choices[m.list.At].content)
		return []string{"", " " + theme.Dim.Render(label) + m.field.View(), keys}
	case m.anyProtocol:
		unknown := theme.Dim.Render(" the protocol is not known yet")
		return []string{"", unknown, keys + "   " + widget.KeyAndHelp(keyProtocol)}
	}
	return []string{"", "", keys}
}

func (m *menu) keys() []key.Binding {
	all := []key.Binding{keyChoose, keyCancel}
	if m.anyProtocol && m.field == nil {
		all = append(all, keyProtocol)
	}
	return all
}
