package probe

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"

	"github.com/google/go-cmp/cmp"
)

// resultsOfModule returns what a main package with the given declarations reads from the results of queries. Each
// result is one line: the parts of the query, and the columns with their types.
func resultsOfModule(t *testing.T, declarations string) (lines []string) {
	t.Helper()
	dir := module(t, "-- go.mod --\nmodule example.com/results\n\ngo 1.24\n-- main.go --\npackage main\n\n"+declarations)
	for _, r := range manifestOf(t, Options{Dir: dir}).Results {
		line := strings.Join(r.Parts, "…") + ":"
		if r.Single {
			line = "one " + line
		}
		if r.ByName {
			line = "by name " + line
		}
		for _, c := range r.Columns {
			line += " " + c.Name + "=" + shapeText(c)
		}
		if len(r.Documents) > 0 {
			line += fmt.Sprint(" JSON ", r.Documents)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

func shapeText(c probedata.ResultColumn) string {
	text := c.Shape.Type
	if c.Shape.Format != "" {
		text += "/" + c.Shape.Format
	}
	if c.Shape.Type == "array" {
		text += " of " + c.Shape.Items.Type
	}
	if c.Nullable {
		text += "?"
	}
	return strings.ReplaceAll(text, " ", "-")
}

// The columns that Scan of database/sql reads are found. The row may be in the same expression, in a variable
// or in a parameter, and the pointers in a list that a function returns. The text of the query may be a
// constant or a variable, or have unknown parts.
func TestScannedColumns(t *testing.T) {
	got := resultsOfModule(t, `
import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

type state string

type user struct {
	ID      int64
	Name    sql.NullString
	Born    *time.Time
	Data    json.RawMessage
	State   state
	Tags    []byte
	Address struct{ Street string }
	Score   sql.Null[float32]
	Key     [16]byte
}

const columns = "id, name"

var byName = "SELECT id FROM users WHERE name = $1"

func (u *user) fields() []any { return []any{&u.ID, &u.Name} }

func read(row interface{ Scan(...any) error }) (u user, err error) {
	return u, row.Scan(&u.ID, &u.Born, &u.Data, &u.State, &u.Tags, &u.Address, &u.Score, &u.Key)
}

func fetch(db *sql.DB, query string, args ...any) (name string) {
	rows, _ := db.Query(query, args...)
	_ = rows.Scan(&name)
	return name
}

func main() {
	var db *sql.DB
	var u user
	fetch(db, "SELECT name FROM users WHERE id > ? LIMIT ?", 1, 2)
	_ = db.QueryRow("SELECT "+columns+" FROM users WHERE id = $1", 1).Scan(u.fields()...)
	_, _ = read(db.QueryRow("SELECT * FROM users"))
	rows, _ := db.Query(byName, "x")
	for rows.Next() {
		var id int32
		_ = rows.Scan(&id)
	}
	query := "SELECT count(*) FROM users"
	if len(os.Args) > 1 {
		query += " WHERE id > 3"
	}
	var n uint
	row := db.QueryRow(fmt.Sprintf("SELECT max(%s) FROM users", os.Args[0]))
	_ = row.Scan(&n)
	list := []any{&n}
	_ = db.QueryRow(query).Scan(list...)
	_, _ = db.Exec("DELETE FROM users")
	_, _ = fmt.Sscan("1", &n)
}
`)
	want := []string{
		"SELECT id FROM users WHERE name = $1: id=integer/int32",
		"SELECT name FROM users WHERE id > ? LIMIT ?: name=string",
		"one SELECT * FROM users: id=integer/int64 born=string/date-time? data=/json state=string tags=string/bytes address=object/json" +
			" score=number? key=string/uuid",
		"one SELECT count(*) FROM users…: n=integer/uint",
		"one SELECT id, name FROM users WHERE id = $1: id=integer/int64 name=string?",
		"one SELECT max(…) FROM users: n=integer/uint",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Rows are read into structs by the names of columns. The call is that of a library, which takes a pointer to
// the struct before the query, or of a generic function. A value that is sent as JSON is found, too.
func TestNamedColumns(t *testing.T) {
	got := resultsOfModule(t, `
type DB struct{}

func (DB) Get(into any, query string, args ...any) error       { return nil }
func (DB) Select(into any, query string, args ...any) error    { return nil }
func (DB) Query(query string, args ...any) (Rows, error)       { return Rows{}, nil }
func (DB) Raw(query string, args ...any) DB                    { return DB{} }
func (DB) Scan(into any) DB                                    { return DB{} }

type Rows struct{}

func RowToStructByName[T any](Rows) (t T, err error) { return t, nil }

func CollectRows[T any](r Rows, f func(Rows) (T, error)) ([]T, error) { return nil, nil }

type base struct {
	ID int `+"`db:\"id\"`"+`
}

type user struct {
	base
	FullName string `+"`db:\"full_name\"`"+`
	Secret   string `+"`db:\"-\"`"+`
	Age      *int
}

func main() {
	var db DB
	var u user
	var all []user
	var n int
	_ = db.Get(&u, "SELECT * FROM users WHERE id = ?", 1)
	_ = db.Select(&all, "SELECT id, age FROM users")
	_ = db.Get(&n, "SELECT count(*) FROM users")
	rows, _ := db.Query("SELECT full_name FROM users WHERE settings = $1", map[string]int{})
	_, _ = CollectRows(rows, RowToStructByName[user])
	db.Raw("SELECT age FROM users").Scan(&all)
	_, _ = db.Query("UPDATE users SET age = ?, settings = ?", 1, &struct{ A int }{})
}
`)
	fields := " id=integer/int full_name=string age=integer/int?"
	want := []string{
		"UPDATE users SET age = ?, settings = ?: JSON [2]",
		"by name SELECT age FROM users:" + fields,
		"by name SELECT full_name FROM users WHERE settings = $1:" + fields + " JSON [1]",
		"by name SELECT id, age FROM users:" + fields,
		"by name one SELECT * FROM users WHERE id = ?:" + fields,
		"one SELECT count(*) FROM users: =integer/int",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Types may contain themselves. A column of such a type is a JSON document, or is not known.
func TestRecursiveColumns(t *testing.T) {
	got := resultsOfModule(t, `
import "database/sql"

type tree []tree

type pointer *pointer

type wrapped struct{ sql.Null[*wrapped] }

type node struct {
	*node
	At pointer
}

type page struct {
	Parts tree
	Next  pointer
	Other wrapped
	Inner node
}

func (db *DB) Get(into any, query string) error { return nil }

type DB struct{ *sql.DB }

func main() {
	var db *DB
	var p page
	_ = db.Get(&p, "SELECT * FROM pages")
	_ = db.QueryRow("SELECT parts, next, other, inner FROM pages").Scan(&p.Parts, &p.Next, &p.Other, &p.Inner)
}
`)
	columns := " parts=array/json-of-array next=? other=? inner=object/json"
	want := []string{"by name one SELECT * FROM pages:" + columns, "one SELECT parts, next, other, inner FROM pages:" + columns}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The messages of errors and logs are no queries, although they may begin with a verb of SQL.
func TestMessagesAreNoQueries(t *testing.T) {
	got := resultsOfModule(t, `
import (
	"database/sql"
	"errors"
	"fmt"
	"log"
	"log/slog"
)

func read(db *sql.DB, logger *log.Logger) (id int, err error) {
	rows, err := db.Query("SELECT id FROM products")
	if err != nil {
		log.Println("select failed")
		logger.Print("update failed")
		slog.Default().Error("insert failed")
		return 0, errors.Join(errors.New("delete failed"), fmt.Errorf("select products: %w", err))
	}
	return id, first(rows).Scan(&id)
}

func first(rows *sql.Rows) *sql.Rows { return rows }

func main() { _, _ = read(nil, nil) }
`)
	if diff := cmp.Diff([]string{"SELECT id FROM products: id=integer/int"}, got); diff != "" {
		t.Error(diff)
	}
}

// The verbs of a format are unknown parts of a query. The format need not be a constant.
func TestFormattedQueries(t *testing.T) {
	got := resultsOfModule(t, `
import (
	"database/sql"
	"fmt"
	"os"
)

var ordered = "SELECT b FROM t ORDER BY %s"

func read(db *sql.DB, name, format string) (x int) {
	_ = db.QueryRow(fmt.Sprintf("SELECT a FROM %s WHERE b LIKE '%%s%%' AND c %% 2 = 0", name)).Scan(&x)
	_ = db.QueryRow(fmt.Sprintf(ordered, name)).Scan(&x)
	_ = db.QueryRow("SELECT c FROM t WHERE d = 1" + fmt.Sprintf(format, name)).Scan(&x)
	return x
}

func main() { read(nil, os.Args[0], os.Args[1]) }
`)
	want := []string{
		"one SELECT a FROM … WHERE b LIKE '%s%' AND c % 2 = 0: x=integer/int",
		"one SELECT b FROM t ORDER BY …: x=integer/int",
		"one SELECT c FROM t WHERE d = 1…: x=integer/int",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The name of the method, and the type of the value into which it reads, show whether a query returns one row.
func TestSingleRows(t *testing.T) {
	got := resultsOfModule(t, `
import "context"

type DB struct{}

func (*DB) QueryRowCtx(ctx context.Context, into any, query string) error  { return nil }
func (*DB) QueryRowsCtx(ctx context.Context, into any, query string) error { return nil }
func (*DB) GetContext(ctx context.Context, into any, query string) error   { return nil }

func GetProducts(db *DB, query string) Row { return Row{} }

func scanRows(db *DB, query string) Row { return Row{} }

type Row struct{}

func (Row) Scan(into ...any) error { return nil }

type product struct{ ID int }

func read(ctx context.Context, db *DB) {
	var p product
	var all []product
	var data []byte
	_ = db.QueryRowCtx(ctx, &p, "SELECT id FROM a")
	_ = db.QueryRowsCtx(ctx, &all, "SELECT id FROM b")
	_ = db.GetContext(ctx, &p, "SELECT id FROM c")
	_ = db.GetContext(ctx, &all, "SELECT id FROM d")
	_ = db.GetContext(ctx, &data, "SELECT data FROM e")
	_ = GetProducts(db, "SELECT id FROM f").Scan(&p.ID)
	_ = scanRows(db, "SELECT id FROM g").Scan(&p.ID)
}

func main() { read(context.Background(), nil) }
`)
	want := []string{
		"by name SELECT id FROM b: id=integer/int",
		"by name SELECT id FROM d: id=integer/int",
		"by name one SELECT id FROM a: id=integer/int",
		"by name one SELECT id FROM c: id=integer/int",
		"one SELECT data FROM e: =string/bytes",
		"SELECT id FROM f: id=integer/int",
		"SELECT id FROM g: id=integer/int",
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A variable with many assignments does not slow down the search for the query of a row. If the search followed each
// value to all values again, the test would not end.
func TestManyAssignments(t *testing.T) {
	const conditions = 300
	got := resultsOfModule(t, `
type DB struct{}

func (db DB) Raw(query string) DB   { return db }
func (db DB) Where(text string) DB  { return db }
func (DB) Scan(into ...any) error   { return nil }

func main() {
	var db DB
	var id int
	q := db.Raw("SELECT id FROM products")
`+strings.Repeat("\tq = q.Where(`id > 3`)\n", conditions)+`
	_ = q.Scan(&id)
}
`)
	if diff := cmp.Diff([]string{"SELECT id FROM products: id=integer/int"}, got); diff != "" {
		t.Error(diff)
	}
}
