package individual

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/gene"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// libraryTables are two tables. The foreign key "editor" may be null; "author" names no column, and so refers to the
// primary key.
func libraryTables() []model.Table {
	return []model.Table{
		{Name: "authors", Columns: []model.TableColumn{
			{Name: "id", Type: "INTEGER", Key: true},
			{Name: "name", Type: "VARCHAR(80)", NotNull: true},
		}},
		{
			Name: "books", Definition: "CREATE TABLE books (..., state TEXT CHECK (state IN ('in', 'it''s out')))",
			Columns: []model.TableColumn{
				{Name: "isbn", Type: "TEXT", Key: true, NotNull: true},
				{Name: "author", Type: "INTEGER", NotNull: true, RefTable: "Authors"},
				{Name: "editor", Type: "INTEGER", RefTable: "authors", RefColumn: "id"},
				{Name: "pages", Type: "INTEGER", NotNull: true},
				{Name: "state", Type: "TEXT", NotNull: true, HasDefault: true},
				{Name: "printed", Type: "DATE"},
			},
		},
	}
}

// withQuery returns a problem that knows libraryTables. It also returns a test, whose only call has an input, and a
// query that this call has made.
func withQuery(input string, facts ...model.RowFact) (*Problem, *Individual, *RowQuery) {
	op := &model.Operation{
		ID: "GET /books", Method: "GET", Path: "/books",
		Params: []model.Parameter{{Name: "text", In: model.InQuery, Required: true, Schema: &model.Schema{Type: "string"}}},
	}
	s := model.DefaultSampling()
	s.Rows = 1
	p := New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{op}}, Sampling: s})
	ind := p.AdoptTest(rand.New(rand.NewPCG(1, 1)), model.Test{Calls: []model.Call{
		{Op: op.ID, Args: []model.Arg{{In: model.InQuery, Name: "text", Value: input}}},
	}})
	q := model.EmptyQuery{Text: "SELECT", Tables: []string{"Books", "authors"}, Facts: facts}
	return p, ind, p.Rows.Observe(ind, []model.EmptyQuery{q, {Text: "other", Tables: []string{"unknown"}}}, libraryTables())[0]
}

func fact(column string, op model.Relation, value string) model.RowFact {
	return model.RowFact{Table: "books", Column: column, Op: op, Value: json.RawMessage(value)}
}

// cellOf returns the value of a column in the last row of a table, "" if there is none.
func cellOf(rows []model.Row, table, column string) string {
	for _, r := range slices.Backward(rows) {
		for _, c := range r.Cells {
			if r.Table == table && c.Column == column {
				return string(c.Value)
			}
		}
	}
	return ""
}

// Rows fulfil what the query demands, foreign keys have the values of their parents, and checks of the table hold.
func TestRowsFulfilTheQuery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(-1000, 1000).Draw(t, "number")
		number := strconv.FormatInt(n, 10)
		p, ind, q := withQuery("abc",
			fact("isbn", model.Equal, `"abc"`), fact("pages", model.Greater, number), fact("editor", model.Equal, "null"),
			fact("printed", model.Unequal, "null"), fact("author", model.Equal, "17"),
			model.RowFact{Table: "books", Column: "author", Op: model.Equal, OtherTable: "authors", OtherColumn: "id"},
		)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		rows := p.Rows.With(r, ind, q).Test().Rows
		pages, _ := strconv.ParseInt(cellOf(rows, "books", "pages"), 10, 64)
		state := cellOf(rows, "books", "state")
		if cellOf(rows, "books", "isbn") != `"abc"` || pages <= n || cellOf(rows, "books", "editor") != "null" ||
			cellOf(rows, "books", "printed") == "null" || !slices.Contains([]string{"", `"in"`, `"it's out"`}, state) {
			t.Fatalf("%s", rows)
		}
		if rows[0].Table != "authors" || cellOf(rows, "authors", "id") != "17" || cellOf(rows, "books", "author") != "17" {
			t.Fatalf("%s: the author is another one", rows)
		}
	})
}

// If a query compared a column with the value of an input, rows for another test have that test's value of the input.
func TestRowsFollowTheInput(t *testing.T) {
	p, _, q := withQuery("abc", fact("isbn", model.Equal, `"abc"`), fact("pages", model.Equal, "7"))
	_, other, _ := withQuery("xyz")
	rows := p.Rows.With(rand.New(rand.NewPCG(1, 2)), other, q).Test().Rows
	if cellOf(rows, "books", "isbn") != `"xyz"` || cellOf(rows, "books", "pages") != "7" {
		t.Errorf("%s", rows)
	}
	if again := p.Rows.Observe(other, []model.EmptyQuery{q.query}, nil); !q.IsNew() || again[0].IsNew() {
		t.Error("the same query is new twice, or never")
	}
}

// Mutations do not change the original, and never exceed the maximum number of rows. Some add a row, some remove one,
// and some only change values.
func TestMutationsOfRows(t *testing.T) {
	p, ind, q := withQuery("abc", fact("isbn", model.Equal, `"abc"`))
	r := rand.New(rand.NewPCG(3, 3))
	ind = p.Rows.With(r, ind, q)
	counts, before := map[int]int{}, testOf(t, ind)
	for range 400 {
		c := p.MutateRows(r, ind, 0.5, nil)
		if c == nil {
			continue
		}
		if c.Change() != "rows" || len(c.rows) > maxRows {
			t.Fatalf("%s: %d rows", c.Change(), len(c.rows))
		}
		counts[len(c.rows)-len(ind.rows)]++
		if len(c.rows) > 0 && r.IntN(8) == 0 {
			ind, before = c, testOf(t, c)
		}
		if diff := cmp.Diff(before, testOf(t, ind)); diff != "" {
			t.Fatalf("the original has changed: %s", diff)
		}
	}
	if counts[-1] == 0 || counts[0] == 0 || counts[1] == 0 {
		t.Errorf("%v", counts)
	}
}

// testOf returns a test as JSON.
func testOf(t *testing.T, ind *Individual) string {
	t.Helper()
	text, err := json.Marshal(ind.Test())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// AdoptTest keeps the rows of a test, and so does the removal of calls. Simpler yields tests with fewer rows, and
// with simpler values in rows.
func TestRowsStayWithTheTest(t *testing.T) {
	for seed := range uint64(5) {
		p, ind, q := withQuery("abc", fact("isbn", model.Equal, `"abc"`))
		r := rand.New(rand.NewPCG(seed, 0))
		ind = p.Rows.With(r, ind, q)
		rows := ind.Test().Rows
		adopted := New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{ind.calls[0].op}}}).AdoptTest(r, ind.Test())
		if diff := cmp.Diff(rows, adopted.Test().Rows); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(rows, ind.KeepCalls([]int{0}).Test().Rows); diff != "" {
			t.Fatal(diff)
		}
		fewer, plainer := 0, 0
		for s := range ind.Simpler() {
			switch {
			case len(s.rows) < len(ind.rows):
				fewer++
			case !cmp.Equal(s.Test().Rows, rows):
				plainer++
			}
		}
		if fewer != len(rows) || plainer == 0 {
			t.Fatalf("%d with fewer rows, %d with plainer ones of %s", fewer, plainer, rows)
		}
	}
}

func TestColumnGenes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		column model.TableColumn
		want   func(v string) bool
	}{
		{model.TableColumn{Name: "x", Type: "BOOLEAN", NotNull: true}, func(v string) bool { return v == "true" || v == "false" }},
		{model.TableColumn{Name: "x", Type: "bigint unsigned", NotNull: true}, isInteger},
		{model.TableColumn{Name: "x", Type: "INTEGER", Key: true}, func(v string) bool { return isInteger(v) && v[0] != '-' && v != "0" }},
		{model.TableColumn{Name: "x", Type: "DECIMAL(10,2)", NotNull: true}, func(v string) bool { return v[0] != '"' && v != "null" }},
		{model.TableColumn{Name: "x", Type: "TIMESTAMP", NotNull: true}, func(v string) bool { return strings.Contains(v, "T") }},
		{model.TableColumn{Name: "x", Type: "", NotNull: true}, func(v string) bool { return v[0] == '"' }},
		{model.TableColumn{Name: "x", Type: "TEXT"}, func(v string) bool { return v == "null" || v[0] == '"' }},
		{model.TableColumn{Name: "a", Type: "INT", NotNull: true}, func(v string) bool { return v == "1" || v == "-2" }},
		{model.TableColumn{Name: "a", Type: "INT"}, func(v string) bool { return v == "1" || v == "-2" || v == "null" }},
	} {
		definition := "CREATE TABLE t (b TEXT CHECK (aa IN (5)), a INT CHECK(\"a\"  in (1, -2)))"
		g := columnGene(model.Table{Definition: definition}, c.column, model.Sizes{}.OrDefault())
		for range 20 {
			if g.Sample(r); !c.want(string(gene.JSON(g))) {
				t.Errorf("%+v: %s", c.column, gene.JSON(g))
			}
		}
	}
}

// Columns of PostgreSQL have values of their types, also in arrays and JSON, and within the sizes of the types.
func TestColumnGenesOfPostgreSQL(t *testing.T) {
	definition := "CHECK (((s)::text = ANY ((ARRAY['a''b'::character varying(9), 'c'::character varying])::text[])))\n" +
		"CHECK ((n = ANY (ARRAY[1, 2])))\nm IN ('good', 'bad')"
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		name, typeName string
		want           func(v string) bool
	}{
		{"x", "int2", func(v string) bool { n, err := strconv.ParseInt(v, 10, 16); return err == nil && n != 0 || v == "0" }},
		{"x", "int4", func(v string) bool { _, err := strconv.ParseInt(v, 10, 32); return err == nil }},
		{"x", "character varying(3)", func(v string) bool { return len([]rune(decode(v).(string))) <= 3 }},
		{"x", "numeric(4,2)", func(v string) bool { n, err := strconv.ParseFloat(v, 64); return err == nil && n > -100 && n < 100 }},
		{"x", "timestamp(3) with time zone", func(v string) bool { return strings.HasSuffix(v, `Z"`) && strings.Contains(v, "T") }},
		{"x", "time without time zone", func(v string) bool { return strings.Count(v, ":") == 2 }},
		{"x", "jsonb", func(v string) bool { return json.Valid([]byte(decode(v).(string))) }},
		{"x", "text[]", func(v string) bool { return strings.HasPrefix(v, `"{`) }},
		{"m", "enum", func(v string) bool { return v == `"good"` || v == `"bad"` }},
		{"s", "character varying(9)", func(v string) bool { return v == `"a'b"` || v == `"c"` }},
		{"n", "int2", func(v string) bool { return v == "1" || v == "2" }},
	} {
		column := model.TableColumn{Name: c.name, Type: c.typeName, NotNull: true}
		g := columnGene(model.Table{Definition: definition}, column, model.Sizes{}.OrDefault())
		for range 50 {
			if g.Sample(r); !c.want(string(gene.JSON(g))) {
				t.Errorf("%+v: %s", column, gene.JSON(g))
			}
		}
	}
}

// Numbers fill the range of the digits in their type, which may all be decimals, and are finite for any number of digits.
func TestDigitsOfNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for typeName, want := range map[string]float64{
		"NUMERIC(4,4)": 0.9999, "NUMERIC(2,4)": 0.0099, "NUMERIC(3,1)": 99.9, "NUMERIC(2)": 99, "DECIMAL(400,2)": math.MaxFloat64,
	} {
		g := columnGene(model.Table{}, model.TableColumn{Name: "x", Type: typeName, NotNull: true}, model.Sizes{}.OrDefault())
		most := 0.0
		for range 200 {
			g.Sample(r)
			n, err := strconv.ParseFloat(string(gene.JSON(g)), 64)
			if err != nil {
				t.Fatalf("%s: %s", typeName, gene.JSON(g))
			}
			most = max(most, math.Abs(n))
		}
		if most == 0 || most > want {
			t.Errorf("%s: the largest number is %v", typeName, most)
		}
	}
}

// A row before or after a time is a day away from it.
func TestNeighboursOfTimes(t *testing.T) {
	for _, c := range []struct {
		value string
		by    int64
		want  any
	}{
		{"2026-01-01", -1, "2025-12-31"},
		{"2026-01-02T10:00:00Z", 1, "2026-01-03T10:00:00Z"},
		{"x", 1, "xa"},
	} {
		if got := neighbour(c.value, c.by); got != c.want {
			t.Errorf("%s: got %v, want %v", c.value, got, c.want)
		}
	}
}

func isInteger(v string) bool {
	_, err := strconv.ParseInt(v, 10, 64)
	return err == nil
}
