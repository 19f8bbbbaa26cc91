package seqs

import (
	"fmt"
	"slices"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// byValue is the section of the rows that match the filter only by values or schemas of their operations.
// It comes after the other rows, and is folded at first.
type byValue struct {
	head     *row // the heading, which the cursor can reach; nil if there is no such section
	unfolded bool
}

// addByValue adds to the list the section with the rows that match by value.
func (l *rowList) addByValue(within []*row) {
	l.byValue.head = nil
	if len(within) == 0 {
		return
	}
	l.byValue.head = &row{heading: fmt.Sprintf("%s more by value", words.Count(len(within))), below: len(within)}
	l.rows, l.headings = append(slices.Clip(l.rows), l.byValue.head), l.headings+1
	if l.byValue.unfolded {
		more, headings := l.groups.arrange(within)
		l.rows, l.headings = append(l.rows, more...), l.headings+headings
	}
}

// onByValue reports whether the cursor is on the heading of the section byValue.
func (l *rowList) onByValue() bool { return l.byValue.head != nil && l.under() == l.byValue.head }

// toggleByValue unfolds or folds the section byValue.
func (l *rowList) toggleByValue() {
	l.byValue.unfolded = !l.byValue.unfolded
	l.pinned = true
	l.refresh()
}

// line draws the heading of the section.
func (v byValue) line(at bool) draw.Line {
	mark, glyph := " ", theme.Closed
	if at {
		mark = theme.Cursor
	}
	if v.unfolded {
		glyph = theme.Open
	}
	line := draw.TextLine(mark, theme.Active)
	return line.At(markColumn, draw.Span{Text: glyph + " " + v.head.heading, Style: theme.Accent})
}
