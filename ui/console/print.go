package console

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"

	"sonde/ui/draw"

	"github.com/charmbracelet/x/ansi"
)

// WriteJSON writes a value as indented JSON. Characters that are not safe on a terminal are written as
// \u escapes.
func WriteJSON(w io.Writer, v any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, escaped(b.String()))
	return err
}

// escaped writes control and format characters as \u escapes, although JSON allows them in strings. Some format
// characters change the direction of text.
func escaped(text string) string {
	raw := func(r rune) bool { return r > '~' && unicode.In(r, unicode.Cc, unicode.Cf) }
	if !strings.ContainsFunc(text, raw) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if !raw(r) {
			b.WriteRune(r)
			continue
		}
		for _, half := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, "\\u%04x", half)
		}
	}
	return b.String()
}

// widestCell is the maximum number of bytes of a cell, except for the last cell of a row.
const widestCell = 200

// columnGap is the number of cells between two columns of a table.
const columnGap = 2

// Table writes rows in columns. Cells are made safe to print.
type Table struct{ content *tableContent }

type tableContent struct {
	w    io.Writer
	rows [][]string
}

// NewTable returns a table that writes to w when it is flushed.
func NewTable(w io.Writer) Table { return Table{&tableContent{w: w}} }

// Row adds a row. Long cells before the last one are shortened in the middle, because they would widen
// their column in all rows.
func (t Table) Row(cells ...any) {
	var texts []string
	for i, c := range cells {
		text := draw.Clean(fmt.Sprint(c))
		if i < len(cells)-1 {
			text = draw.LimitBytes(text, widestCell)
		}
		texts = append(texts, text)
	}
	for len(texts) > 0 && texts[len(texts)-1] == "" {
		texts = texts[:len(texts)-1]
	}
	t.content.rows = append(t.content.rows, texts)
}

// Flush writes the rows. The last cell of a row does not widen its column. A column is as wide in all rows, also if some
// rows have fewer cells.
func (t Table) Flush() error {
	var widths []int
	for _, row := range t.content.rows {
		for i, text := range row[:max(0, len(row)-1)] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], ansi.StringWidth(text))
		}
	}
	var b strings.Builder
	for _, row := range t.content.rows {
		for i, text := range row {
			b.WriteString(text)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-ansi.StringWidth(text)+columnGap))
			}
		}
		b.WriteByte('\n')
	}
	t.content.rows = nil
	_, err := io.WriteString(t.content.w, b.String())
	return err
}

// NonNilSlice returns a copy of a list that is never nil, so that an empty list is [] in JSON instead of
// null.
func NonNilSlice[S ~[]T, T any](list S) S { return append(S{}, list...) }
