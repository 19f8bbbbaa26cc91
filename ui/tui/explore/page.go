package explore

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/markup"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// seen is what a run has seen of an operation.
type seen struct {
	counts map[int]int    // status → answers; nil before the first call
	newest map[int]string // status → how the newest answer begins
	unmet  string         // why it never answered 2xx, as far as answers tell
	faults []model.Fault
}

// operationPage writes all that is known of an operation.
func operationPage(op *model.Operation, f facts, s seen, width int, open map[string]bool) []row {
	b := &book{width: width, open: open}
	b.summary(op, f, s)
	if bare(op.Description) != bare(op.Summary) { // many say the same twice
		b.prose(op.Description, 1, 3, theme.Dim, "about")
	}
	c := columnsFor(width, slices.Concat(f.takes, f.emits))
	from, to := "from", "to"
	if c.peer == 0 {
		from, to = "←", "→"
	}
	b.flows("Takes", from, "given", c, f.takes)
	b.flows("Emits", to, "nobody", c, f.emits)
	b.seen(s)
	b.params(op.Params)
	b.body(op.Body)
	b.answers(op.Responses)
	return b.rows
}

// bare is a text without what makes no difference to who reads it.
func bare(text string) string { return strings.TrimRight(markup.Plain(text), ".") }

// summary writes the operation's own words and, at the right, its group and
// what else tells it apart.
func (b *book) summary(op *model.Operation, f facts, s seen) {
	marks := badges(op, f, s)
	text := draw.Clean(cmp.Or(op.Summary, op.Name, "no summary"))
	room := b.width - marks.Width() - 3
	if ansi.StringWidth(text) <= room {
		b.write(draw.TextLine(" "+text, theme.Plain).At(b.width-marks.Width()-1, marks...)...)
		return
	}
	b.prose(text, 1, 3, theme.Plain, "summary")
	b.write(append(draw.TextLine(" ", theme.Plain), marks...)...)
}

func badges(op *model.Operation, f facts, s seen) draw.Line {
	words := []string{fmt.Sprintf("group %d", f.group+1)}
	if op.Secured {
		words = append(words, "needs a user")
	}
	if op.Deprecated {
		words = append(words, "deprecated")
	}
	line := draw.TextLine(strings.Join(words, " · "), theme.Dim)
	if len(s.counts) > 0 {
		glyph, style := theme.Answers(s.counts)
		line = append(line, draw.Span{Text: " · ", Style: theme.Dim}, draw.Span{Text: glyph, Style: style})
	}
	return line
}

// seen writes the answers of the run so far.
func (b *book) seen(s seen) {
	b.write()
	line := draw.TextLine(" Seen", theme.Strong)
	if len(s.counts) == 0 {
		b.write(append(line, draw.Span{Text: "   not called yet", Style: theme.Dim})...)
		return
	}
	for _, status := range slices.Sorted(maps.Keys(s.counts)) {
		glyph, style := theme.Class(status)
		line = append(line, draw.Span{Text: fmt.Sprintf("   %s %d", glyph, status), Style: style},
			draw.Span{Text: fmt.Sprintf(" ×%d", s.counts[status]), Style: theme.Plain})
	}
	b.write(line...)
	b.newest(s)
	for _, f := range s.faults {
		if !f.CountsAsFailure() {
			continue
		}
		b.write(draw.Line{}.At(8, draw.Span{Text: fmt.Sprintf("%s %s %s", theme.Failed, f.Label(), draw.Clean(f.Text)), Style: theme.Bad},
			draw.Span{Text: fmt.Sprintf("  after %s", words.Plural(f.Calls, "call")), Style: theme.Dim})...)
	}
}

// newest writes how the newest answers begin, and why there is none with a 2xx.
func (b *book) newest(s seen) {
	for _, status := range slices.Sorted(maps.Keys(s.newest)) {
		_, style := theme.Class(status)
		b.write(draw.Line{}.At(
			8, draw.Span{Text: fmt.Sprintf("%d ", status), Style: style},
			draw.Span{Text: draw.Clean(model.Excerpt([]byte(s.newest[status]))), Style: theme.Dim},
		)...)
	}
	if s.unmet != "" {
		for _, l := range words.Wrap(theme.Refused+" "+draw.Clean(s.unmet), max(8, b.width-9)) {
			b.write(draw.Line{}.At(8, draw.Span{Text: l, Style: theme.Warn})...)
		}
	}
}

// folderPage lists the operations of a tag.
func folderPage(f folder, width int) []row {
	b := &book{width: width}
	b.write(draw.Span{Text: " " + words.Plural(len(f.ops), "operation"), Style: theme.Dim})
	b.write()
	column := width
	if slices.ContainsFunc(f.ops, func(op *model.Operation) bool { return op.Summary != "" }) {
		column = min(width/2, 40)
	}
	for _, op := range f.ops {
		line := draw.Line{}.At(3, draw.OperationLine(string(op.ID), column-5)...)
		line = line.At(column, draw.Span{Text: draw.Clean(op.Summary), Style: theme.Dim})
		b.rows = append(b.rows, row{line: line, to: op.ID})
	}
	return b.rows
}
