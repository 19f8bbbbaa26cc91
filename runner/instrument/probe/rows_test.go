package probe

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/instrument/probedata"

	"github.com/google/go-cmp/cmp"
)

// readonlyService is the folder of a service that only reads from empty tables of SQLite.
const readonlyService = "../../testdata/services/readonly"

// cell returns a cell with a value that is given as JSON.
func cell(column, value string) model.Cell {
	return model.Cell{Column: column, Value: json.RawMessage(value)}
}

// The service inserts rows before it uses its database, and deletes them before it inserts the next ones. It reports
// the queries that returned no rows, the comparisons that a row must fulfil to be found, and the tables.
func TestRows(t *testing.T) {
	needsSQLite(t)
	r := built(t, Options{Dir: readonlyService, SQL: true})
	w := watch(t, r)
	box, err := probedata.NewRowBox()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	t.Setenv(probedata.RowsVariable, strings.TrimPrefix(box.EnvVariable(), probedata.RowsVariable+"="))
	call := w.served()
	author := model.Row{Table: "authors", Cells: []model.Cell{cell("id", "5"), cell("name", `"O'Hara"`)}}
	book := model.Row{Table: "books", Cells: []model.Cell{
		cell("isbn", `"x"`), cell("title", `"t"`), cell("author", "5"), cell("pages", "7"), cell("state", `"shelf"`),
	}}
	orphan := model.Row{Table: "loans", Cells: []model.Cell{cell("book", `"y"`), cell("member", "1"), cell("due", `"2026-01-02"`)}}
	for _, key := range []*model.Cell{&author.Cells[0], &book.Cells[0], &orphan.Cells[0], &orphan.Cells[1]} {
		key.Key = true
	}
	for i, step := range []struct {
		rows            []model.Row
		target, answer  string
		inserted, empty string
	}{
		{nil, "/books/x", "404", "", `books[{books isbn == "x"  }]`},
		{[]model.Row{author, book, orphan}, "/books/x", "200", "authors books", ""},
		{
			[]model.Row{author},
			"/authors/5/books", "404", "authors",
			`authors books[{books author == null authors id} {authors id == 5  } {authors active == 1  }]`,
		},
		{[]model.Row{author, book}, "/authors/5/books", "200", "authors books", ""},
		{nil, "/members/3/loans?day=2026-01-01", "404", "", "loans members books[{members card == null loans member} " +
			"{books isbn == null loans book} {members card == 3  } {loans returned == null  }]"},
		{[]model.Row{book}, "/leaflets", "404", "", `books[{books pages >= 12  } {books pages <= 48  } {books state == "shelf"  }]`},
	} {
		if err := box.Begin(step.rows); err != nil {
			t.Fatal(err)
		}
		answer := call("GET", step.target, "")
		box.EndCall(0)
		inserted, empty, err := box.End()
		if err != nil {
			t.Fatal(err)
		}
		var tables []string
		for _, r := range inserted {
			tables = append(tables, r.Table)
		}
		reported := ""
		for _, q := range empty {
			reported += strings.Join(q.Tables, " ") + fmt.Sprintf("%s", q.Facts)
		}
		got := []string{answer[:3], strings.Join(tables, " "), reported}
		if !cmp.Equal(got, []string{step.answer, step.inserted, step.empty}) {
			t.Errorf("step %d: %q", i, got)
		}
	}
	table, ok := box.Table("LOANS")
	want := model.TableColumn{Name: "book", Type: "TEXT", NotNull: true, Key: true, RefTable: "books"}
	if !ok || len(table.Columns) != 4 || table.Columns[0] != want {
		t.Errorf("%+v", table)
	}
}
