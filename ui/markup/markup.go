// Package markup lays out the Markdown or HTML of descriptions in OpenAPI documents as
// lines of a terminal.
package markup

import (
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// piece is text in one style.
type piece struct {
	text  string
	style look
}

// look is the emphasis of a piece.
type look struct{ strong, emphatic, code, link bool }

func (l look) of(style theme.Style) theme.Style {
	if l.code {
		style = theme.Value
	}
	if l.strong {
		style = style.Bold()
	}
	if l.emphatic {
		style = style.Italic()
	}
	return style.Underline(l.link)
}

// paragraph is text that is wrapped as a unit. Its first line may begin differently from the others, for
// example with a bullet.
type paragraph struct {
	first, rest string
	pieces      []piece
	apart       bool // preceded by a blank line
	fixed       bool // wrapped at the width only, not at blanks
}

// narrowest is the minimum width for wrapping a text.
const narrowest = 8

// Lines lays out a text in lines of at most width cells. Lines may be wider if an indent leaves fewer than
// narrowest cells for the text. Text without markup has the given style.
func Lines(text string, width int, style theme.Style) (lines []draw.Line) {
	for _, p := range read(text) {
		if p.apart && len(lines) > 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, p.lines(width, style)...)
	}
	return lines
}

// longestPlain is the number of bytes of a text that Plain reads. Its result, a line, has fewer.
const longestPlain = 8 << 10

// Plain returns a text without its markup, on one line. It drops a part of a long text.
func Plain(text string) string {
	text = text[:min(len(text), longestPlain)]
	if !marked(text) {
		return draw.Clean(strings.TrimSpace(text))
	}
	var all []string
	for _, p := range read(text) {
		all = append(all, strings.TrimSpace(p.first+p.text()))
	}
	return draw.Clean(strings.Join(all, " "))
}

// marked reports whether a text may have markup. Most texts have none, and Plain does not parse them.
func marked(text string) bool { return strings.ContainsAny(text, "*_`<>[#&\\\n") }

func (p paragraph) text() string {
	var b strings.Builder
	for _, s := range p.pieces {
		b.WriteString(s.text)
	}
	return b.String()
}

// lines wraps a paragraph. It wraps the text without styles. It then looks up the style of each letter in the pieces,
// which have the same letters, because wrapping removes only blanks.
func (p paragraph) lines(width int, style theme.Style) (out []draw.Line) {
	text := p.text()
	room := max(narrowest, width-ansi.StringWidth(p.rest))
	if !p.fixed {
		text = ansi.Wrap(text, room, "/")
	}
	text = ansi.Hardwrap(text, room, true) // Wrap may put a slash after the end of a line
	letters := letters{pieces: p.pieces}
	prefix := p.first
	for line := range strings.SplitSeq(text, "\n") {
		spans := draw.Line{{Text: prefix, Style: style}}
		for _, s := range letters.take(line) {
			spans = append(spans, draw.Span{Text: s.text, Style: s.style.of(style)})
		}
		out, prefix = append(out, spans), p.rest
	}
	return out
}

// letters has the pieces of a paragraph that are not in a line yet.
type letters struct{ pieces []piece }

// take removes the letters of a line, and returns them with their styles.
func (l *letters) take(line string) (out []piece) {
	from, style := 0, look{}
	for i, r := range line {
		next := l.next(r)
		if i > 0 && next != style {
			out = append(out, piece{line[from:i], style})
			from = i
		}
		style = next
	}
	if line != "" {
		out = append(out, piece{line[from:], style})
	}
	return out
}

// next removes r and the blanks before it from the pieces, and returns the style of r.
func (l *letters) next(r rune) look {
	for len(l.pieces) > 0 {
		p := &l.pieces[0]
		for i, have := range p.text {
			if have == r {
				p.text = p.text[i+len(string(r)):]
				return p.style
			}
		}
		l.pieces = l.pieces[1:]
	}
	return look{}
}
