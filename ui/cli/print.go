package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf16"

	"sonde/ui/pane"
)

// printJSON writes a value for programs. What must not reach a terminal is
// written as an escape, which means the same.
func printJSON(w io.Writer, v any) error {
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

// table writes rows in columns. Cells are made safe to print.
type table struct{ w *tabwriter.Writer }

func newTable(w io.Writer) table { return table{tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)} }

// row adds a row. Cells before the last set how wide their column is in all rows, so that
// their middle is left out if they are long.
func (t table) row(cells ...any) {
	var texts []string
	for i, c := range cells {
		text := pane.Clean(fmt.Sprint(c))
		if i < len(cells)-1 {
			text = pane.Shorten(text, widestCell)
		}
		texts = append(texts, text)
	}
	fmt.Fprintln(t.w, strings.TrimRight(strings.Join(texts, "\t"), "\t"))
}

func (t table) flush() error { return t.w.Flush() }
