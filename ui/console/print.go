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

// WriteJSON writes a value for programs. What must not reach a terminal is
// written as an escape, which means the same.
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

// escaped writes out the control characters that JSON leaves as they are, and
// those that turn the direction of writing.
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

// widestCell is how many bytes of a cell are printed if another follows in its row.
const widestCell = 200

// Table writes rows in columns. Cells are made safe to print.
type Table struct{ w *tabwriter.Writer }

// NewTable returns a table that writes to w when it is flushed.
func NewTable(w io.Writer) Table { return Table{tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)} }

// Row adds a row. Cells before the last set how wide their column is in all rows, so that
// their middle is left out if they are long.
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

// NonNilSlice is a list that is [] in JSON where it is empty.
func NonNilSlice[S ~[]T, T any](list S) S { return append(S{}, list...) }
