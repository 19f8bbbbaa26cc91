package probedata

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

func rowBox(t *testing.T) *RowBox {
	t.Helper()
	b, err := NewRowBox()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// write writes a file as a service does.
func (b *RowBox) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func testRow(id string) model.Row {
	return model.Row{Table: "a", Cells: []model.Cell{{Column: "id", Value: json.RawMessage(id), Key: true}}}
}

// Before the next rows are inserted, the rows of earlier tests are deleted, but only those that were inserted. If a
// row cannot be deleted, the deletion is tried again. A row without a key is not inserted.
func TestRowsAreInsertedAndDeleted(t *testing.T) {
	b := rowBox(t)
	for _, step := range []struct {
		rows        []model.Row
		waiting     string
		done        string // "" if the service does not use its database
		wasInserted int
	}{
		{},
		{[]model.Row{testRow("1"), testRow("2")}, "INSERT 1, INSERT 2", "\"\"\n\"UNIQUE constraint failed\"\n", 1},
		{[]model.Row{testRow("3")}, "DELETE 1, INSERT 3", "", 0},
		{[]model.Row{testRow("4"), testRow("5")}, "DELETE 1, INSERT 4, INSERT 5", "\"locked\"\n\"\"\n\"\"\n", 2},
		{nil, "DELETE 5, DELETE 4, DELETE 1", "\"\"\n\"locked\"\n\"\"\n", 0},
		{nil, "DELETE 4", "\"\"\n", 0},
		{rows: []model.Row{{Table: "a", Cells: []model.Cell{{Column: "id", Value: json.RawMessage("6")}}}}},
		{},
	} {
		if err := b.Begin(step.rows); err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(b.path("waiting"))
		var short []string
		for line := range strings.Lines(string(text)) {
			statement := unquoted(fieldsOf(line)[1])
			verb, _, _ := strings.Cut(statement, " ")
			short = append(short, verb+" "+strings.Trim(statement[len(statement)-2:], " ()"))
		}
		if got := strings.Join(short, ", "); got != step.waiting {
			t.Errorf("%s wait, want %s", got, step.waiting)
		}
		if step.done != "" {
			os.Remove(b.path("waiting"))
			b.write(t, "done", step.done)
		}
		inserted, _, err := b.End()
		if err != nil || len(inserted) != step.wasInserted {
			t.Errorf("%v, error %v, want %d rows", inserted, err, step.wasInserted)
		}
	}
}

// Each query without rows that the service reports belongs to one call. The values with which the query compares
// columns are read as they were written.
func TestReportsOfQueries(t *testing.T) {
	b := rowBox(t)
	if err := b.Begin(nil); err != nil {
		t.Fatal(err)
	}
	first := "q \"SELECT 1\"\nt \"a b\"\nf \"a b\" \"c\" \"\" \"\" 2 \"it's \\x00\"\nf \"a b\" \"d\" \"u\" \"e\" 2 null\n"
	b.write(t, "empty", first)
	b.EndCall(0)
	b.write(t, "empty", first+"garbage\nq \"SELECT 2\"\nf \"t\" \"c\" \"\" \"\" 4 -7\nf \"t\" \"c\" \"\" \"\" 9 1\n")
	b.EndCall(1)
	_, got, err := b.End()
	if err != nil {
		t.Fatal(err)
	}
	want := []model.EmptyQuery{
		{Text: "SELECT 1", Tables: []string{"a b"}, Facts: []model.RowFact{
			{Table: "a b", Column: "c", Op: model.Equal, Value: json.RawMessage(`"it's \u0000"`)},
			{Table: "a b", Column: "d", Op: model.Equal, Value: json.RawMessage("null"), OtherTable: "u", OtherColumn: "e"},
		}},
		{Call: 1, Text: "SELECT 2", Facts: []model.RowFact{{Table: "t", Column: "c", Op: model.Greater, Value: json.RawMessage("-7")}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDescriptionsOfTables(t *testing.T) {
	b := rowBox(t)
	if _, ok := b.Table("a b"); ok {
		t.Error("a table without a file is described")
	}
	b.write(t, "table-612062", "s \"CREATE TABLE x\"\nc \"id\" \"INTEGER\" 0 0 1 1\nc \"owner\" \"TEXT\" 1 1 0 0\n"+
		"k \"owner\" \"people\" null\n")
	got, ok := b.Table("A b")
	want := model.Table{Name: "A b", Definition: "CREATE TABLE x", Columns: []model.TableColumn{
		{Name: "id", Type: "INTEGER", Key: true, Identity: true},
		{Name: "owner", Type: "TEXT", NotNull: true, HasDefault: true, RefTable: "people"},
	}}
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Error(diff)
	}
}
