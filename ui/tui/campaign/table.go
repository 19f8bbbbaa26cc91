package campaign

import (
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// column is a column of a table. The last column is as wide as the rest of the line.
type column struct {
	title string
	width int
	rank  int // if there is not enough room, columns with the highest rank are left out first; columns of rank 0 always stay
	right bool
}

// table lays out rows in columns.
type table []column

// cell is the content of a column in a row. Its text must be clean.
type cell struct {
	text  string
	style theme.Style
}

// fits returns which columns are drawn in width cells.
func (t table) fits(width int) []bool {
	shown, need := make([]bool, len(t)), 0
	for i, c := range t {
		shown[i] = true
		need += c.width + 1
	}
	for need > width {
		worst := 0
		for i, c := range t {
			if shown[i] && c.rank > 0 && (!shown[worst] || c.rank > t[worst].rank) {
				worst = i
			}
		}
		if t[worst].rank == 0 {
			return shown
		}
		shown[worst] = false
		need -= t[worst].width + 1
	}
	return shown
}

// line returns a row in width cells.
func (t table) line(width int, cells []cell) draw.Line {
	shown := t.fits(width)
	last := len(t) - 1
	for last > 0 && !shown[last] {
		last--
	}
	var line draw.Line
	for i, c := range t {
		if !shown[i] {
			continue
		}
		room := c.width
		if i == last && i == len(t)-1 {
			room = max(room, width-line.Width())
		}
		text := ansi.Truncate(cells[i].text, room, "…")
		gap := strings.Repeat(" ", max(0, room-ansi.StringWidth(text)))
		if c.right {
			text = gap + text
		} else {
			text += gap
		}
		line = append(line, draw.Span{Text: text, Style: cells[i].style}, draw.Span{Text: " ", Style: theme.Plain})
	}
	return line.Cut(width)
}

// titles returns the row with the titles of the columns.
func (t table) titles(width int) draw.Line {
	var cells []cell
	for _, c := range t {
		cells = append(cells, cell{c.title, theme.Dim})
	}
	return t.line(width, cells)
}
