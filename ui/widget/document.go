package widget

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// Payload is the content of a message as lines, which can be searched and, for JSON, folded. It must not be
// used by several goroutines at once. The zero value has no lines.
type Payload struct {
	Kind   string // JSON, XML, text, binary, or broken JSON
	source string // the content
	whole  bool   // the lines are one value
	rows   []row
	shown  []int // rows that are not hidden by a fold
	folded map[int]bool
	sought string
	found  []int // rows that match the search
}

// row is a line: a key and a value of JSON, the end of an object or array, or text.
type row struct {
	key, value string
	depth      int
	open       bool // the row begins an object or array
	end, has   int  // the last row of the object or array, and the number of its values
	comma      bool
	style      theme.Style // style of the value
}

// Limits of a Payload: the number of lines, and the number of bytes of a key or a value that are drawn.
const (
	maxRows  = 100_000
	maxDrawn = 4 << 10
	maxDepth = 40 // maximum indent of a line
)

// ReadPayload reads the content of a message. It takes some time for a content of megabytes.
func ReadPayload(data []byte) *Payload {
	d := &Payload{source: string(data), folded: map[int]bool{}}
	switch text := d.source; {
	case !IsText(data):
		d.Kind = "binary"
		d.plain(PayloadLines(data))
	case json.Valid(data):
		d.Kind = "JSON"
		d.rows = scan(text)
	default:
		d.Kind = "text"
		if t := strings.TrimSpace(text); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
			d.Kind = "broken JSON"
		} else if rows, ok := scanXML(t); ok {
			d.Kind, d.rows = "XML", rows
			break
		}
		d.plain(fixedWidthLines(text))
	}
	d.show()
	return d
}

// WrapValue returns a value as lines of at most width columns.
func WrapValue(value string, width int) *Payload {
	d := &Payload{Kind: words.Plural(len(value), "byte"), source: value, whole: true, folded: map[int]bool{}}
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSuffix(value, "\n"), "\n") {
		wrapped := ansi.Hardwrap(draw.CleanLines(strings.ReplaceAll(line, "\t", "    ")), max(1, width), true)
		lines = append(lines, strings.Split(wrapped, "\n")...)
		if len(lines) > maxRows {
			lines = append(lines[:maxRows], fmt.Sprintf("… more than %s", words.Plural(maxRows, "line")))
			break
		}
	}
	d.plain(lines)
	d.show()
	return d
}

// Source returns the content as it was read.
func (d *Payload) Source() string { return d.source }

// Value returns the value on a line: the text of a string, or a number, an object or an array as JSON. Of content that is
// not JSON, it returns the line or, for XML, the element that begins on it. It returns "" above the first line.
func (d *Payload) Value(line int) string {
	if d.whole {
		return d.source
	}
	if line < 0 || line >= len(d.shown) {
		return ""
	}
	at := d.shown[line]
	r := d.rows[at]
	if !r.open {
		var text string
		if d.Kind == "JSON" && json.Unmarshal([]byte(r.value), &text) == nil {
			return text
		}
		return r.value
	}
	var b strings.Builder
	for i, inner := range d.rows[at : r.end+1] {
		if i > 0 {
			b.WriteString("\n" + strings.Repeat("  ", inner.depth-r.depth) + inner.named())
		}
		b.WriteString(inner.value)
		if inner.comma && i < r.end-at {
			b.WriteByte(',')
		}
	}
	return b.String()
}

// Opens reports whether a line begins an object, an array or an element.
func (d *Payload) Opens(line int) bool {
	return line >= 0 && line < len(d.shown) && d.rows[d.shown[line]].open
}

// plain sets lines that cannot be folded.
func (d *Payload) plain(lines []string) {
	for _, l := range lines {
		d.rows = append(d.rows, row{value: l, style: theme.Plain})
	}
}

// fixedWidthLines splits text into lines of at most maxDrawn bytes. After maxRows lines, a last line says
// that there are more.
func fixedWidthLines(text string) (lines []string) {
	text = strings.TrimSuffix(text, "\n")
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.ReplaceAll(line, "\t", "    ")
		for len(line) > maxDrawn {
			at := len(clipped(line))
			lines, line = append(lines, line[:at]), line[at:]
		}
		if len(lines) >= maxRows {
			return append(lines, fmt.Sprintf("… more than %s", words.Plural(maxRows, "line")))
		}
		lines = append(lines, line)
	}
	return lines
}

// clipped returns the part of a text that is drawn, in whole characters.
func clipped(text string) string {
	if len(text) <= maxDrawn {
		return text
	}
	at := maxDrawn
	for at > maxDrawn-4 && text[at]&0xc0 == 0x80 {
		at--
	}
	return text[:at]
}

// show lists the rows that are not hidden by a fold.
func (d *Payload) show() {
	d.shown = d.shown[:0]
	for i := 0; i < len(d.rows); i++ {
		d.shown = append(d.shown, i)
		if d.folded[i] {
			i = d.rows[i].end
		}
	}
}

// Len returns the number of visible lines.
func (d *Payload) Len() int { return len(d.shown) }

// Foldable reports whether a line begins an object or array, or is in one.
func (d *Payload) Foldable(line int) bool { return d.within(line) >= 0 }

// Folded reports whether a line begins an object or array that is folded.
func (d *Payload) Folded(line int) bool {
	return line >= 0 && line < len(d.shown) && d.folded[d.shown[line]]
}

// within returns the row of the innermost object or array that begins on a line or contains the line. It returns -1
// if there is none.
func (d *Payload) within(line int) int {
	if line < 0 || line >= len(d.shown) {
		return -1
	}
	at := d.shown[line]
	for i := at; i >= 0; i-- {
		if r := d.rows[i]; r.open && r.end >= at {
			return i
		}
	}
	return -1
}

// Fold folds or unfolds the innermost object or array that begins on a line or contains the line. It returns the line
// on which the object or array begins. If there is no object or array, it returns line.
func (d *Payload) Fold(line int) int {
	at := d.within(line)
	if at < 0 {
		return line
	}
	d.folded[at] = !d.folded[at]
	d.show()
	return d.lineOf(at)
}

// FoldAll folds all objects and arrays inside the outermost one, or unfolds everything.
func (d *Payload) FoldAll(fold bool) {
	clear(d.folded)
	for i, r := range d.rows {
		if fold && r.open && r.depth > 0 {
			d.folded[i] = true
		}
	}
	d.show()
}

// AnyFolded reports whether something is folded.
func (d *Payload) AnyFolded() bool {
	for _, is := range d.folded {
		if is {
			return true
		}
	}
	return false
}

// Deep reports whether FoldAll has something to fold.
func (d *Payload) Deep() bool {
	return slices.ContainsFunc(d.rows, func(r row) bool { return r.open && r.depth > 0 })
}

// lineOf returns the visible line of a row. If the row is hidden in a folded object or array, it returns the line on
// which that begins.
func (d *Payload) lineOf(row int) int {
	line, _ := slices.BinarySearch(d.shown, row+1)
	return max(0, line-1)
}

// Seek searches all lines for a text, including folded lines, and returns the number of matching lines. It
// ignores case. An empty text ends the search, and Seek returns 0.
func (d *Payload) Seek(text string) int {
	d.sought, d.found = strings.ToLower(text), nil
	if text == "" {
		return 0
	}
	for i, r := range d.rows {
		if strings.Contains(strings.ToLower(r.named()+r.value), d.sought) {
			d.found = append(d.found, i)
		}
	}
	return len(d.found)
}

// Next returns the line of a match of the search. If step is 1, it is the next match after the given line. If step is
// -1, it is the last match before the given line. If step is 0, it is the first match at or after the given line. Next
// wraps around, and unfolds what hides the match. number is the number of the match, from 1. If nothing matches, Next
// returns the given line and 0.
func (d *Payload) Next(line, step int) (to, number int) {
	if len(d.found) == 0 {
		return line, 0
	}
	from := 0
	if line >= 0 && line < len(d.shown) {
		from = d.shown[line]
	}
	i, here := slices.BinarySearch(d.found, from)
	if line < 0 {
		i, here = 0, false
		step = min(step, 0)
	}
	switch {
	case step > 0 && here:
		i++
	case step < 0:
		i--
	}
	i = (i + len(d.found)) % len(d.found)
	d.reveal(d.found[i])
	return d.lineOf(d.found[i]), i + 1
}

// reveal unfolds everything that hides a row.
func (d *Payload) reveal(at int) {
	for i := range d.folded {
		if i < at && at <= d.rows[i].end {
			delete(d.folded, i)
		}
	}
	d.show()
}

// named returns the key of a row in the form that is drawn before the value.
func (r row) named() string {
	if r.key == "" {
		return ""
	}
	return r.key + ": "
}

// Line draws a line with its matches marked.
func (d *Payload) Line(i int) draw.Line {
	at := d.shown[i]
	r := d.rows[at]
	line := draw.TextLine(" "+strings.Repeat("  ", min(r.depth, maxDepth)), theme.Plain)
	if r.key != "" {
		line = append(line, draw.Span{Text: draw.Clean(clipped(r.key)), Style: theme.Accent}, draw.Span{Text: ": ", Style: theme.Plain})
	}
	line = append(line, draw.Span{Text: draw.CleanLines(clipped(r.value)), Style: r.style})
	if d.folded[at] {
		last := d.rows[r.end]
		line = append(line, draw.Span{Text: " " + words.Plural(r.has, "value") + " … " + last.value, Style: theme.Dim})
		r.comma = last.comma
	}
	if r.comma {
		line = append(line, draw.Span{Text: ",", Style: theme.Plain})
	}
	if d.sought == "" {
		return line
	}
	return line.Mark(d.marks)
}

// marks returns the byte offsets of the letters of matches in a text.
func (d *Payload) marks(text string) (at []int) {
	low := strings.ToLower(text)
	if len(low) != len(text) { // lower case has other offsets
		return nil
	}
	for from := 0; ; {
		i := strings.Index(low[from:], d.sought)
		if i < 0 {
			return at
		}
		for j := range d.sought {
			at = append(at, from+i+j)
		}
		from += i + len(d.sought)
	}
}
