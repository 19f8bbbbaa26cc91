package explore

import (
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/markup"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// row is a line of a page. The cursor stops at a row if enter has something to show there, or if the row has a text for
// the foot.
type row struct {
	line  draw.Line
	to    model.OpID // the operation that enter goes to if the row has no fold, or ""
	fold  string     // the fold that enter opens, or ""
	about draw.Line  // text for the foot while the cursor is on the row
	way   int        // number of the path to which the row belongs, 0 for none
	value *flow      // the value to which the row belongs, nil for none
	// declared is the parameter, property or header that the row describes, nil for none. Enter shows where its values
	// come from, or go.
	declared *declaration
	observed bool // the row has answers or faults of the search, which enter shows
}

// declaration is a parameter, property or header that the spec declares.
type declaration struct {
	part
	out bool // it is a part of an answer
}

// stop reports whether the cursor stops at the row.
func (r row) stop() bool {
	return r.to != "" || r.fold != "" || r.about != nil || r.declared != nil || r.observed
}

// pageWriter collects the rows of a page. Column 0 is for the cursor mark.
type pageWriter struct {
	width int
	folds map[string]bool // folds that are not in their initial state
	names draw.SeqNames
	rows  []row
	// answering reports whether the answers are being written, and not the inputs.
	answering bool
	// shortener shortens the paths of operations in a list so that they remain distinct. It is nil outside of lists.
	shortener *draw.PathShortener
}

// operation draws an operation in at most width cells.
func (b *pageWriter) operation(id model.OpID, width int) draw.Line {
	if b.shortener == nil {
		return b.names.Operation(id, width)
	}
	method, _, _ := strings.Cut(draw.Clean(string(id)), " ")
	line := draw.TextLine(method+" ", theme.Method(method))
	room := width - line.Width()
	return append(line, b.names.AfterMethod(id, room, func() string { return b.shortener.Path(string(id), room) })).Cut(width)
}

// write appends a row of spans.
func (b *pageWriter) write(spans ...draw.Span) { b.rows = append(b.rows, row{line: spans}) }

// head begins a section.
func (b *pageWriter) head(title string) {
	b.write()
	b.write(draw.Span{Text: " " + title, Style: theme.Strong})
}

// unfolded reports whether the rows of a fold are shown. The parameter first says whether they are shown initially.
func (b *pageWriter) unfolded(fold string, first bool) bool { return b.folds[fold] != first }

// prose writes a text, wrapped and indented to a column. It folds the lines after the first few lines, unless this
// would fold only one line.
func (b *pageWriter) prose(text string, column, few int, style theme.Style, fold string) {
	lines := markup.Lines(text, b.width-column-1, style)
	show := lines
	if len(lines) > few+1 && !b.unfolded(fold, false) {
		show = lines[:few]
	}
	for _, l := range show {
		b.write(append(draw.TextLine(strings.Repeat(" ", column), theme.Plain), l...)...)
	}
	if len(lines) > few+1 {
		b.more(column, len(lines)-few, "line", fold)
	}
}

// signColumn is the minimum column of the sign of a fold, so that it is not next to the cursor mark.
const signColumn = 3

// more writes the row that shows or hides n more rows.
func (b *pageWriter) more(column, n int, noun, fold string) {
	column = max(column, signColumn)
	text := theme.Closed + " " + words.Plural(n, "more "+noun)
	if b.unfolded(fold, false) {
		text = theme.Open + " less"
	}
	b.rows = append(b.rows, row{line: draw.Line{}.At(column, draw.Span{Text: text, Style: theme.Dim}), fold: fold})
}
