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

// table writes rows in columns. Cells are made safe to print.
type table struct{ w *tabwriter.Writer }

func newTable(w io.Writer) table { return table{tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)} }

func (t table) row(cells ...any) {
	var texts []string
	for _, c := range cells {
		texts = append(texts, pane.Clean(fmt.Sprint(c)))
	}
	fmt.Fprintln(t.w, strings.TrimRight(strings.Join(texts, "\t"), "\t"))
}

func (t table) flush() error { return t.w.Flush() }
