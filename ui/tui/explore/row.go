package explore

import (
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/markup"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// row is a line of the operation's page. A row with a neighbour, a fold or
// something to say is a stop: the cursor can stand on it.
type row struct {
	line  draw.Line
	to    model.OpID // the neighbour that enter goes to, or ""
	fold  string     // what enter unfolds, or ""
	about draw.Line  // what the foot says while the cursor is here
}

func (r row) stop() bool { return r.to != "" || r.fold != "" || r.about != nil }

// book makes the rows of a page. Its columns begin after the cursor's.
type book struct {
	width int
	open  map[string]bool // folds that are not as they are at first
	rows  []row
}

// write appends a row of spans.
func (b *book) write(spans ...draw.Span) { b.rows = append(b.rows, row{line: spans}) }

// head begins a section.
func (b *book) head(title string) {
	b.write()
	b.write(draw.Span{Text: " " + title, Style: theme.Strong})
}

// unfolded reports whether the rows behind a fold are shown; at first says
// whether they are unless a person changed it.
func (b *book) unfolded(fold string, first bool) bool { return b.open[fold] != first }

// prose writes a text of several lines, wrapped, from a column on; what goes
// beyond most lines is folded.
func (b *book) prose(text string, column, most int, style theme.Style, fold string) {
	lines := markup.Lines(text, b.width-column-1, style)
	show := lines
	if len(lines) > most+1 && !b.unfolded(fold, false) {
		show = lines[:most]
	}
	for _, l := range show {
		b.write(append(draw.TextLine(strings.Repeat(" ", column), theme.Plain), l...)...)
	}
	if len(lines) > most+1 {
		b.more(column, len(lines)-most, "line", fold)
	}
}

// more writes the row that unfolds or folds n further rows.
func (b *book) more(column, n int, noun, fold string) {
	text := theme.Closed + " " + words.Plural(n, "more "+noun)
	if b.unfolded(fold, false) {
		text = theme.Open + " less"
	}
	b.rows = append(b.rows, row{line: draw.Line{}.At(column, draw.Span{Text: text, Style: theme.Dim}), fold: fold})
}
