package console

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// A name of a megabyte does not make its line or other lines of the table unreadable. Both ends of the name
// are shown.
func TestTableCutsLongCells(t *testing.T) {
	long := "begin" + strings.Repeat("é", 1<<19) + "end"
	var b strings.Builder
	tab := NewTable(&b)
	tab.Row("GET /short", "one", "two")
	tab.Row(long, "three", long)
	if err := tab.Flush(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 2 || ansi.StringWidth(lines[0]) > widestCell+20 || len(lines[1]) > 3_000 {
		t.Fatalf("%d lines, the first has %d columns", len(lines), ansi.StringWidth(lines[0]))
	}
	if line := lines[1]; !strings.HasPrefix(line, "beginé") || !strings.Contains(line, "éend  three  begin") ||
		!strings.HasSuffix(line, "end") {
		t.Errorf("%.300q", line)
	}
}

// Rows with fewer cells do not move the columns of the rows below them.
func TestTableColumns(t *testing.T) {
	var b strings.Builder
	table := NewTable(&b)
	table.Row("operation", "seen", "kept", "answers")
	table.Row("GET /a", 0, 0, "", "")
	table.Row("a heading that is long, and has no other cells")
	table.Row("GET /längere", 12, 3, "200 ×3")
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	const want = `operation     seen  kept  answers
GET /a        0     0
a heading that is long, and has no other cells
GET /längere  12    3     200 ×3
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}
