package console

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf16"

	"sonde/ui/draw"
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

// Table writes rows in columns. Cells are made safe to print.
type Table struct{ w *tabwriter.Writer }

// NewTable returns a table that writes to w when it is flushed.
func NewTable(w io.Writer) Table { return Table{tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)} }

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
	fmt.Fprintln(t.w, strings.TrimRight(strings.Join(texts, "\t"), "\t"))
}

// Flush writes the rows.
func (t Table) Flush() error { return t.w.Flush() }

// NonNilSlice returns a copy of a list that is never nil, so that an empty list is [] in JSON instead of
// null.
func NonNilSlice[S ~[]T, T any](list S) S { return append(S{}, list...) }
