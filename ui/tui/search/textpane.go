package search

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// textPane is a pane of text that scrolls by lines. Its cursor is the first visible line.
type textPane struct{ list widget.List }

// fit sets the number of lines, and the number of visible lines.
func (p *textPane) fit(lines, height int) { p.list.Fit(max(0, lines-height)+1, 1) }

// view draws the visible lines. If not all lines fit, the note has the number of the last visible line and
// the number of all lines.
func (p *textPane) view(lines []string, height int) (note, body string) {
	from := min(p.list.At, max(0, len(lines)-1))
	if len(lines) > height {
		note = fmt.Sprintf("%s %d of %d lines", arrows(from, len(lines)-height), min(from+height, len(lines)), len(lines))
	}
	return note, " " + strings.Join(lines[from:], "\n ")
}

// arrows returns the directions in which a text can be scrolled from a line. last is the last line to which it can be
// scrolled.
func arrows(from, last int) string {
	switch {
	case from <= 0:
		return "↓"
	case from >= last:
		return "↑"
	}
	return "↑↓"
}

// rowCursor draws the beginning of a row: the cursor if the row is marked, or blanks.
func rowCursor(marked bool) draw.Span {
	if !marked {
		return draw.Span{Text: "  "}
	}
	return draw.Span{Text: theme.Cursor + " ", Style: theme.Active}
}

// position returns the number of the cursor's row and the number of rows, "" if all rows are visible.
func position(l widget.List) string {
	if l.Rows <= l.Height {
		return ""
	}
	return fmt.Sprintf("%d of %d", l.At+1, l.Rows)
}

// wrapped wraps a text, which must have no control characters, to width cells. A blank precedes each line.
func wrapped(text string, width int, style theme.Style) []string {
	var out []string
	for _, line := range words.Wrap(text, width) {
		out = append(out, " "+style.Render(line))
	}
	return out
}

// hangingIndent wraps a text, with a glyph before its first line.
func hangingIndent(style theme.Style, glyph, text string, width int) []string {
	rows := words.Wrap(text, width-2)
	for i, r := range rows {
		if i == 0 {
			rows[i] = style.Render(glyph) + " " + r
		} else {
			rows[i] = "  " + r
		}
	}
	return rows
}

// labelled wraps a text, with a label at the left of its first line.
func labelled(label, text string, width int) []string {
	const column = 9
	rows := words.Wrap(text, width-column)
	for i, r := range rows {
		rows[i] = strings.Repeat(" ", column) + r
		if i == 0 {
			rows[i] = theme.Dim.Render(fmt.Sprintf("%-*s", column, label)) + r
		}
	}
	return rows
}
