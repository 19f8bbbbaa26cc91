package events

import (
	"fmt"
	"strings"
	"time"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// layout assigns the lines of the page to its parts.
type layout struct {
	first  int // the line of the first row
	rows   int // the number of visible rows
	detail int // the number of lines for the event under the cursor, 0 for none
}

func (m Model) lay() layout {
	l := layout{first: 2 + len(m.find.ProblemLines(m.width-2))}
	inner := m.height - 1 - l.first
	if inner >= 8 {
		l.detail = 2
		inner -= l.detail + 1
	}
	l.rows = max(1, inner)
	return l
}

// View draws the page.
func (m Model) View() string {
	f := draw.Frame{Title: m.title(), Note: m.note(), Width: m.width, Height: m.height, Focused: true}
	w, h := f.Inner()
	rows := append([]string{m.find.View(w)}, m.find.ProblemLines(w)...)
	rows = append(rows, m.viewRows(w)...)
	if l := m.lay(); l.detail > 0 {
		rows = append(rows, m.viewDetail(w, l.detail)...)
	}
	return f.Render(strings.Join(rows[:max(0, min(len(rows), h))], "\n"))
}

func (m Model) title() string {
	title := "Events " + words.Count(m.Total())
	if len(m.shown) < len(m.rows) {
		title = fmt.Sprintf("Events %s of %s", words.Count(len(m.shown)), words.Count(m.Total()))
	}
	if m.unkept > 0 {
		title += theme.Dim.Render(" · the newest " + words.Count(len(m.rows)) + " are kept")
	}
	return title
}

// note returns the position of the cursor in the list.
func (m Model) note() string {
	if len(m.shown) == 0 {
		return ""
	}
	if !m.scrolled {
		return "the newest"
	}
	return fmt.Sprintf("%s of %s", words.Count(m.list.At+1), words.Count(len(m.shown)))
}

func (m Model) viewRows(width int) []string {
	var rows []string
	from, to := m.list.Visible()
	for i := from; i < to; i++ {
		at := i == m.list.At
		rows = append(rows, m.find.Highlight(m.rows[m.shown[i]].line(at)).Render(width, at))
	}
	if len(m.shown) == 0 {
		rows = append(rows, theme.Dim.Render("    "+m.empty()))
	}
	for len(rows) < m.lay().rows {
		rows = append(rows, "")
	}
	return rows
}

func (m Model) empty() string {
	if len(m.rows) == 0 {
		return "no events yet"
	}
	return "no event matches the filter"
}

// The columns of a row.
const (
	timeColumn = 2
	callColumn = 10
	kindColumn = 20
	textColumn = 31
)

func (r Row) line(at bool) draw.Line {
	line := draw.TextLine(" ", theme.Plain)
	if at {
		line = draw.TextLine(theme.Cursor, theme.Active)
	}
	return line.At(timeColumn, draw.Span{Text: fmt.Sprintf("%7s", clock(r.At)), Style: theme.Dim}).
		At(callColumn, draw.Span{Text: fmt.Sprintf("%8s", words.Count(r.Call)), Style: theme.Dim}).
		At(kindColumn, draw.Span{Text: r.Glyph + " " + r.Kind, Style: r.Style}).
		At(textColumn, draw.Span{Text: r.Text})
}

// clock formats a time since the start of the run as minutes and seconds.
func clock(d time.Duration) string {
	tenths := int(d / (100 * time.Millisecond))
	return fmt.Sprintf("%d:%02d.%d", tenths/600, tenths/10%60, tenths%10)
}

// viewDetail draws the text of the event under the cursor in at most room lines, below a rule.
func (m Model) viewDetail(width, room int) []string {
	rows := []string{theme.Dim.Render(strings.Repeat("┄", max(0, width)))}
	at, ok := m.chosen()
	if !ok {
		return rows
	}
	text := words.Wrap(m.rows[at].Text, max(1, width-2))
	if len(text) > room {
		text = append(text[:room-1], strings.Join(text[room-1:], " "))
	}
	for _, t := range text {
		rows = append(rows, " "+draw.FitLine(t, max(0, width-2)))
	}
	return rows
}
