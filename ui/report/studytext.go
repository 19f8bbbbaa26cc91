package report

import (
	"io"
	"strings"

	"sonde/runner/lab/study"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// WriteStudyText writes a study's tables as text with lines of at most width cells, or 60 cells if width is
// smaller.
func WriteStudyText(w io.Writer, t study.Tables, width int) error {
	width = max(narrowest, width)
	title, lead := studied(t)
	wrapped := func(text string) string { return strings.Join(words.Wrap(text, min(width, readable)), "\n") }
	if len(t.Lists) == 0 {
		lead += " * is the highest of a row."
	}
	parts := []string{theme.Strong.Render(title) + "\n" + wrapped(lead)}
	for _, s := range sheets(t) {
		parts = append(parts, s.grid().render(width)+"\n"+trimmed(theme.Dim.Render(wrapped(s.Note))))
	}
	_, err := io.WriteString(w, strings.Join(parts, "\n\n")+"\n")
	return err
}

// grid returns the sheet as a grid without optional columns.
func (s sheet) grid() grid {
	g := grid{title: draw.Clean(s.Title), headers: s.Headers, dim: len(s.Headers)}
	for _, r := range s.Rows {
		var row []string
		for _, c := range r.Cells {
			row = append(row, draw.Clean(c.starred()))
		}
		g.rows = append(g.rows, row)
	}
	return g
}

// starred returns the text of the best entry followed by a star, and any other text followed by a blank, so
// that digits are aligned. An empty text stays empty.
func (e entry) starred() string {
	switch {
	case e.Best:
		return e.Text + "*"
	case e.Text == "":
		return ""
	}
	return e.Text + " "
}
