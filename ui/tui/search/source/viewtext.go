package source

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// viewText draws the open file, or the reason why no text is shown.
func (m Model) viewText(r draw.Rect, l layout) string {
	f := draw.Frame{Title: "Source", Width: r.W, Height: r.H, Focused: m.reading}
	w, _ := f.Inner()
	if m.text.file == none {
		return f.Render(theme.Dim.Render(" no file is open"))
	}
	file := m.reach.Files[m.text.file]
	f.Title = draw.Clean(path.Base(file.Name)) + theme.Dim.Render("  "+draw.ShortPath(draw.Clean(file.Package), max(1, w/2)))
	switch {
	case m.text.busy:
		return f.Render(theme.Dim.Render(" reading …"))
	case m.text.err != nil:
		return f.Render(" " + strings.Join(words.Wrap(theme.Failed+" "+draw.Clean(m.text.err.Error()), w-2), "\n   "))
	}
	f.Note = m.textNote()
	rows := m.viewLines(w)
	for len(rows) < m.textRows(l) {
		rows = append(rows, "")
	}
	rows = append(rows, theme.Dim.Render(strings.Repeat("┄", max(0, w))))
	return f.Render(strings.Join(append(rows, m.viewDetail(w, l.detail)...), "\n"))
}

func (m Model) textNote() string {
	now := m.coverage().reached
	note := "statements " + percent(now.Statements)
	if now.Branches.All > 0 {
		note += theme.Dim.Render(" · ") + "branches " + percent(now.Branches)
	}
	return note + theme.Dim.Render(" · ") + fmt.Sprintf("line %s of %s", words.Count(m.text.list.At+1), words.Count(len(m.text.code.Lines)))
}

// viewLines draws the visible lines: number, state, source, and at the right the scores of the branches.
func (m Model) viewLines(width int) []string {
	var rows []string
	digits := len(strconv.Itoa(len(m.text.code.Lines)))
	from, to := m.text.list.Visible()
	for i := from; i < to; i++ {
		rows = append(rows, m.viewLine(i, digits, width))
	}
	return rows
}

func (m Model) viewLine(i, digits, width int) string {
	number := theme.Dim
	mark := " "
	if i == m.text.list.At {
		number = theme.Plain
		if m.reading {
			mark, number = theme.Cursor, theme.Active
		}
	}
	file := m.coverage()
	glyph, style := file.state(i).sign()
	gutter := number.Render(fmt.Sprintf("%s%*d ", mark, digits, i+1)) + style.Render(glyph) + " "
	end := file.outcomes(i, width)
	room := width - digits - 4 - end.Width()
	source := m.text.styled(i)
	if m.text.left > 0 {
		source = ansi.TruncateLeft(source, m.text.left, "")
	}
	return gutter + draw.FitLine(source, max(0, room)) + end.String()
}

// outcome returns the name of a branch as it is shown next to its source line: "entered" for "loop
// entered".
func outcome(name string) string {
	name = draw.Clean(name)
	for _, of := range []string{"loop ", "type ", "select "} {
		name = strings.TrimPrefix(name, of)
	}
	return name
}

// nearness returns the sign for a score of a target: covered, not reached, or a number between .01 and
// .99.
func nearness(h float64) (string, theme.Style) {
	switch {
	case h >= 1:
		return theme.Ok, theme.Good
	case h > 0:
		return fmt.Sprintf(".%02d", max(1, min(int(100*h), 99))), theme.Warn
	}
	return theme.Untried, theme.Dim
}

// viewDetail draws the state, the test and the targets of the line under the cursor.
func (m Model) viewDetail(width, room int) []string {
	at, file := m.text.list.At, m.coverage()
	s := file.state(at)
	glyph, style := s.sign()
	head := draw.Line{
		{Text: fmt.Sprintf(" line %s ", words.Count(at+1)), Style: theme.Strong},
		{Text: strings.TrimSpace(glyph+" "+s.word()) + "  ", Style: style},
	}
	if id := file.keptFor(at); id != "" {
		head = append(head, draw.Span{Text: widget.KeyName(KeyTest) + " " + draw.Clean(id), Style: theme.Accent})
	}
	rows := []string{head.Render(width, false)}
	parts := file.parts(at)
	for i, p := range parts {
		if len(rows) == room-1 && len(parts)-i > 1 {
			return append(rows, theme.Dim.Render(fmt.Sprintf("   and %d more", len(parts)-i)))
		}
		rows = append(rows, file.viewPart(p, width).Render(width, false))
	}
	return rows[:min(len(rows), room)]
}
