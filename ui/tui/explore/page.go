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

// operationPage writes the page of an operation.
func operationPage(op *model.Operation, f facts, o observation, since *changes, b *pageWriter) {
	b.summary(op, f, o)
	if bare(op.Description) != bare(op.Summary) { // many documents repeat the summary
		b.prose(op.Description, 1, 3, theme.Dim, "about")
	}
	b.changesSince(since, op.ID)
	c := columnsFor(b.width, slices.Concat(f.takes, f.emits))
	from, to := "from", "to"
	if c.peer == 0 {
		from, to = "←", "→"
	}
	if f.unknown {
		b.write(draw.TextLine(" Finding the values that operations share …", theme.Dim)...)
	} else {
		taken := flowTable{title: tableOfTaken, direction: from, none: "given", columns: c}
		if slices.ContainsFunc(f.takes, func(v flow) bool { return len(v.peers) > 0 }) {
			taken.hint = hintOfTakes
		}
		b.flows(taken, f.takes)
		b.flows(flowTable{title: tableOfEmitted, direction: to, none: "none", columns: c}, f.emits)
	}
	b.observation(o)
	b.params(op.Params)
	b.body(op.Body)
	b.answers(op.Responses)
	b.callbacks(op.Callbacks)
}

// Hints in the table of taken values and on the page of paths. The hint in the table names the key that shows the
// paths. The hint on the page of paths names the key that leaves the paths.
const (
	hintOfTakes = "  p: what to call first"
	hintOfPaths = " p leaves: Takes has all that can give each value"
)

// bare returns a text without markup and without the full stop at its end.
func bare(text string) string { return strings.TrimRight(markup.Plain(text), ".") }

// summary writes the summary of the operation, with its group and its properties on the right.
func (b *pageWriter) summary(op *model.Operation, f facts, o observation) {
	marks := badges(op, f, o, b.width/4)
	text := draw.Clean(cmp.Or(op.Summary, op.Name, "no summary"))
	room := b.width - marks.Width() - 3
	if ansi.StringWidth(text) <= room {
		b.write(draw.TextLine(" "+text, theme.Plain).At(b.width-marks.Width()-1, marks...)...)
		return
	}
	b.prose(text, 1, 3, theme.Plain, "summary")
	b.write(append(draw.TextLine(" ", theme.Plain), marks...)...)
}

// badges returns the group and the properties of an operation, and its answers in at most width cells.
func badges(op *model.Operation, f facts, o observation, width int) draw.Line {
	var words []string
	if !f.unknown {
		words = append(words, fmt.Sprintf("group %d", f.group+1))
	}
	if op.Secured {
		words = append(words, "needs a user")
	}
	if op.Deprecated {
		words = append(words, "deprecated")
	}
	line := draw.TextLine(strings.Join(words, " · "), theme.Dim)
	if len(o.counts) > 0 {
		line = append(line, draw.Span{Text: " · ", Style: theme.Dim})
		line = append(line, draw.Answers(o.counts, width)...)
	}
	return line
}

// observation writes the answers and faults in the run so far.
func (b *pageWriter) observation(o observation) {
	b.write()
	line := draw.TextLine(" Seen", theme.Strong)
	if len(o.counts) == 0 {
		b.write(append(line, draw.Span{Text: "   not called yet", Style: theme.Dim})...)
		return
	}
	for _, status := range slices.Sorted(maps.Keys(o.counts)) {
		glyph, style := theme.Class(status)
		line = append(line, draw.Span{Text: fmt.Sprintf("   %s %s", glyph, seenText(status)), Style: style},
			draw.Span{Text: fmt.Sprintf(" ×%d", o.counts[status]), Style: theme.Plain})
	}
	first := len(b.rows)
	defer func() {
		for i := range b.rows[first:] {
			b.rows[first+i].observed = true
		}
	}()
	b.write(line...)
	b.newest(o)
	for _, f := range o.faults {
		if !f.CountsAsFailure() {
			continue
		}
		text := fmt.Sprintf("%s %s %s", theme.Failed, f.Label(), draw.Clean(f.Text))
		calls := fmt.Sprintf("  after %s", words.Plural(f.Calls, "call"))
		b.write(draw.Line{}.At(8,
			draw.Span{Text: text, Style: theme.Bad},
			draw.Span{Text: calls, Style: theme.Dim},
		)...)
	}
}

// seenText returns the number of a status, or that there was no answer.
func seenText(status int) string {
	if status == 0 {
		return "no answer"
	}
	return draw.StatusText(status)
}

// newest writes the beginning of the latest answer of each status and, if known, why the operation never answered 2xx.
func (b *pageWriter) newest(o observation) {
	for _, status := range slices.Sorted(maps.Keys(o.newest)) {
		_, style := theme.Class(status)
		b.write(draw.Line{}.At(
			8, draw.Span{Text: fmt.Sprintf("%d ", status), Style: style},
			draw.Span{Text: draw.Clean(model.Excerpt([]byte(o.newest[status]))), Style: theme.Dim},
		)...)
	}
	if o.unmet != "" {
		for _, l := range words.Wrap(theme.Refused+" "+draw.Clean(o.unmet), max(8, b.width-9)) {
			b.write(draw.Line{}.At(8, draw.Span{Text: l, Style: theme.Warn})...)
		}
	}
}

// folderPage writes the page of a folder, which lists its operations, including removed ones.
func folderPage(f folder, since *changes, b *pageWriter) {
	text := " " + words.Plural(len(f.ops), "operation")
	if len(f.removed) > 0 {
		text += fmt.Sprintf(", %s removed since %s", words.Count(len(f.removed)), since.since())
	}
	b.write(draw.Span{Text: text, Style: theme.Dim})
	b.write()
	column := b.width
	if b.names.Naming() != draw.BySummary && slices.ContainsFunc(f.ops, func(op *model.Operation) bool { return op.Summary != "" }) {
		column = min(b.width/2, 40)
	}
	for _, op := range f.listed() {
		if slices.Contains(f.removed, op) {
			b.write(draw.Line{}.At(1, draw.Span{Text: "- " + draw.Clean(string(op.ID)), Style: theme.Dim})...)
			continue
		}
		line := draw.Line{}.At(3, b.names.Operation(op.ID, column-5)...)
		line = line.At(column, draw.Span{Text: draw.Clean(op.Summary), Style: theme.Dim})
		b.rows = append(b.rows, row{line: line, to: op.ID})
	}
}
