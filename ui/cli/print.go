package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"sonde/ui/pane"
)

// printJSON writes a value for programs.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
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
