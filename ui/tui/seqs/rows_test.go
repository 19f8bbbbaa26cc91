package seqs

import (
	"strings"
	"testing"

	"sonde/model"
)

// The database rows that a test inserts are shown, each with its table and values, within the width of the page.
func TestRowsOfATest(t *testing.T) {
	p := &page{width: 40}
	p.rows(nil)
	p.rows(&model.Test{})
	if len(p.lines) > 0 {
		t.Errorf("a test without rows has lines: %q", p.lines)
	}
	cells := []model.Cell{{Column: "isbn", Value: []byte(`"978-3-16-148410-0"`)}, {Column: "pages", Value: []byte("7")}}
	p.rows(&model.Test{Rows: []model.Row{{Table: "books", Cells: cells}, {Table: "tags"}}})
	var lines []string
	for _, l := range p.lines[1:] {
		lines = append(lines, strings.TrimRight(l.Text(), " "))
	}
	want := "    books(isbn: \"978-3-16-148410-0\",\n      pages: 7)\n    tags()\n"
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
