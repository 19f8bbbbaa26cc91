package draw

import (
	"slices"
	"strings"
	"unicode"

	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// Span is a part of a line in one style. Its text must be clean.
type Span struct {
	Text  string
	Style theme.Style
}

// Line is a sequence of spans from left to right.
type Line []Span

// TextLine returns a line of one span.
func TextLine(s string, style theme.Style) Line { return Line{{s, style}} }

// Width returns the number of the line's cells.
func (l Line) Width() int {
	w := 0
	for _, s := range l {
		w += widthOf(s.Text)
	}
	return w
}

// At returns l, followed by spans that begin at the given column. It truncates l if needed, so that a blank separates
// it from the spans.
func (l Line) At(column int, spans ...Span) Line {
	l = l.Cut(max(0, column-1))
	gap := strings.Repeat(" ", max(0, column-l.Width()))
	return slices.Concat(l, Line{{Text: gap, Style: theme.Plain}}, spans)
}

// Cut returns the line, truncated to at most width cells.
func (l Line) Cut(width int) Line {
	for i, s := range l {
		w := widthOf(s.Text)
		if w > width {
			return slices.Concat(l[:i], Line{{ansi.Truncate(s.Text, width, "…"), s.Style}})
		}
		width -= w
	}
	return l
}

// Wrap breaks the line at blanks into lines of at most width cells, as words.Wrap does. The parameter most is the
// maximum number of lines. If the text is longer, the last line is truncated.
func (l Line) Wrap(width, most int) (lines []Line) {
	l = l.singleBlanks()
	for _, text := range words.Wrap(l.Text(), width) {
		if strings.HasPrefix(l.Text(), " ") {
			l = l.Drop(1)
		}
		if len(lines) == most-1 {
			return append(lines, l.Cut(width))
		}
		w := widthOf(text)
		lines = append(lines, l.first(w))
		l = l.Drop(w)
	}
	return lines
}

// singleBlanks returns the line with one blank in place of several, and without blanks at its beginning.
func (l Line) singleBlanks() (out Line) {
	blank := true
	for _, s := range l {
		text := strings.Map(func(r rune) rune {
			before := blank
			blank = unicode.IsSpace(r)
			switch {
			case !blank:
				return r
			case before:
				return -1
			}
			return ' '
		}, s.Text)
		out = append(out, Span{text, s.Style})
	}
	return out
}

// first returns the first cells of the line.
func (l Line) first(cells int) (out Line) {
	for _, s := range l {
		w := min(widthOf(s.Text), cells)
		if w > 0 {
			out = append(out, Span{ansi.Truncate(s.Text, w, ""), s.Style})
		}
		cells -= w
	}
	return out
}

// Render draws the line in exactly width cells. A marked line has the colours of the cursor instead of its
// own, but keeps its underlines.
func (l Line) Render(width int, marked bool) string {
	l = l.Cut(width)
	if !marked {
		return FitLine(l.String(), width)
	}
	var out Line
	for _, s := range slices.Concat(l, Line{{Text: strings.Repeat(" ", max(0, width-l.Width()))}}) {
		style := theme.Selected.Underline(s.Style.Underlined())
		if n := len(out); n > 0 && out[n-1].Style.Underlined() == s.Style.Underlined() {
			out[n-1].Text += s.Text
		} else {
			out = append(out, Span{s.Text, style})
		}
	}
	return out.String()
}

// Text returns the line without its styles.
func (l Line) Text() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Drop returns the line without its first cells.
func (l Line) Drop(cells int) Line {
	for i, s := range l {
		w := widthOf(s.Text)
		if w > cells {
			return slices.Concat(Line{{dropLeft(s.Text, cells), s.Style}}, l[i+1:])
		}
		cells -= w
	}
	return nil
}

// String draws the whole line, without padding.
func (l Line) String() string {
	var b strings.Builder
	for _, s := range l {
		before, after := s.Style.Around()
		b.WriteString(before)
		b.WriteString(s.Text)
		b.WriteString(after)
	}
	return b.String()
}
