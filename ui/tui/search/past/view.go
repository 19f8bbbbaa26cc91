package past

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// first is the line on which the rows begin: below the border and the column heads.
const first = 2

// below is the number of lines under the rows: a rule, and the folder of the search under the cursor. If an error
// needs more lines, fewer rows are visible.
const below = 2

func (m Model) room() int { return max(1, m.height-first-1-below) }

// View draws the page.
func (m Model) View() string {
	f := draw.Frame{Title: m.title(), Width: m.width, Height: m.height, Focused: true}
	w, h := f.Inner()
	rows, foot := m.viewRows(w), m.foot(w)
	room := max(0, h-1-len(foot))
	for len(rows) < room {
		rows = append(rows, "")
	}
	rows = append(rows[:min(len(rows), room)], theme.Dim.Render(strings.Repeat("┄", max(0, w))))
	rows = append(rows, foot...)
	return f.Render(strings.Join(rows[:max(0, min(len(rows), h))], "\n"))
}

func (m Model) title() string {
	if !m.known {
		return "Recent searches …"
	}
	return "Recent searches " + words.Count(len(m.rows))
}

// viewRows draws the column heads and the rows. If there are no rows, it draws what the user can do.
func (m Model) viewRows(width int) []string {
	if len(m.rows) == 0 {
		return m.empty(width)
	}
	c := columnsOf(width)
	rows := []string{theme.Dim.Render(c.line("begun", "ended", "calls", "covered", "faults", "how").String())}
	from, to := m.list.Visible()
	for i := from; i < to; i++ {
		mark := " "
		if i == m.list.At {
			mark = theme.Cursor
		}
		line := append(draw.TextLine(mark, theme.Active), m.rows[i].line(c).Drop(1)...)
		rows = append(rows, line.Render(width, i == m.list.At))
	}
	return rows
}

func (m Model) empty(width int) []string {
	if !m.known {
		return []string{"", " Looking …"}
	}
	text := "No recent search of this spec is kept. " + widget.KeyName(KeyType) +
		" opens one from any folder that sonde search -o or the app wrote."
	rows := []string{""}
	for _, line := range words.Wrap(text, max(1, min(width-2, 76))) {
		rows = append(rows, " "+line)
	}
	return rows
}

// columns holds the cell at which each column of a row begins, 0 if the column is left out.
type columns struct{ state, calls, covered, faults, how int }

// columnsOf returns the columns of rows with width cells.
func columnsOf(width int) columns {
	switch {
	case width < 56:
		return columns{calls: 19, covered: 29}
	case width < 76:
		return columns{state: 19, calls: 28, covered: 38, faults: 49}
	}
	return columns{state: 19, calls: 28, covered: 38, faults: 49, how: 58}
}

// line puts texts into the columns. Numbers are aligned at the right.
func (c columns) line(begun, state, calls, covered, faults, how string) draw.Line {
	line := draw.Line{{Text: " "}}.At(2, draw.Span{Text: begun, Style: theme.Dim})
	for _, part := range []struct {
		at     int
		text   string
		format string
	}{
		{at: c.state, text: state, format: "%s"},
		{at: c.calls, text: calls, format: "%9s"},
		{at: c.covered, text: covered, format: "%10s"},
		{at: c.faults, text: faults, format: "%7s"},
		{at: c.how, text: how, format: "%s"},
	} {
		if part.at > 0 {
			line = line.At(part.at, draw.Span{Text: fmt.Sprintf(part.format, part.text), Style: theme.Plain})
		}
	}
	return line
}

func (r Row) line(c columns) draw.Line {
	s := r.Summary
	begun := "—"
	if !r.Started.IsZero() {
		begun = r.Started.Local().Format("2006-01-02 15:04")
	}
	covered := words.Count(s.Covered) + "/" + words.Count(s.Targets)
	return c.line(begun, r.State, words.Count(s.Calls), covered, words.Count(s.Faults), draw.Clean(r.How))
}

// foot draws the lines below the rule: the text field for a folder, a note that a search is being read, an
// error, or the folder of the search under the cursor.
func (m Model) foot(width int) []string {
	switch {
	case m.folder != nil:
		return []string{" folder  " + m.folder.View()}
	case m.opening:
		return []string{theme.Dim.Render(" reading …")}
	case m.err != nil:
		var rows []string
		for _, l := range words.Wrap(theme.Failed+" "+draw.Clean(m.err.Error()), max(1, width-2)) {
			rows = append(rows, " "+theme.Bad.Render(l))
		}
		return rows
	case len(m.rows) > 0:
		return []string{" " + theme.Dim.Render("kept in  ") + draw.CutMiddle(draw.Clean(m.rows[m.list.At].Folder), max(1, width-11))}
	}
	return []string{""}
}
