package sondequery

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sonde/assets/probe/sondeprobe"
	"sonde/runner/testdata/dbserver"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// postgresShell is a running psql.
type postgresShell struct {
	in  io.Writer
	out *bufio.Scanner
}

func startPostgres(t *testing.T) *postgresShell {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a database server")
	}
	host, port, _ := net.SplitHostPort(dbserver.Postgres(t))
	c := exec.Command(
		filepath.Join(dbserver.PostgresPrograms(t), "psql"), "-qAtX", "-v", "ON_ERROR_STOP=1", "-h", host, "-p", port, "-U", "postgres",
	)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); c.Wait() })
	return &postgresShell{in, bufio.NewScanner(out)}
}

// run executes statements and returns the lines of their results.
func (s *postgresShell) run(t rapid.TB, statements string) (lines []string) {
	fmt.Fprintln(s.in, statements, ";\nSELECT 'end';")
	for s.out.Scan() {
		if s.out.Text() == "end" {
			return lines
		}
		lines = append(lines, s.out.Text())
	}
	t.Fatalf("psql ended: %s", statements)
	return nil
}

// postgresTypes are the columns of the tables t and u of the random conditions, with their types.
var postgresTypes = []struct{ name, typeName string }{
	{"i", "int4"}, {"s", "text"}, {"r", "double precision"}, {"b", "boolean"}, {"d", "date"}, {"z", "timestamp with time zone"},
}

// postgresDraw draws a condition on the columns of some tables. Its arguments are written into the text for PostgreSQL.
type postgresDraw struct {
	*rapid.T
	tables []string
	args   argList
}

// stored draws a value of a column, as the query of Statement.Rows returns it, and as a literal.
func (d *postgresDraw) stored(column string) (v Value, executed string) {
	if rapid.IntRange(0, 4).Draw(d.T, "null") == 0 {
		return Value{Type: Null}, "NULL"
	}
	day := "2026-01-0" + strconv.Itoa(rapid.IntRange(1, 3).Draw(d.T, "day"))
	switch column {
	case "i":
		v = num(drawInt(d.T))
	case "s":
		v = str(drawText(d.T))
	case "r":
		v = Value{Type: Real, Real: drawReal(d.T)}
	case "b":
		set := rapid.IntRange(0, 1).Draw(d.T, "Boolean")
		return num(int64(set)), strconv.FormatBool(set == 1)
	case "d":
		v = str(day)
	case "z":
		v = str(day + " " + rapid.SampledFrom([]string{"00:30:00+00", "23:30:00.25+00"}).Draw(d.T, "clock"))
	}
	return v, literal(v)
}

// value draws a value to be compared with a column: as Parse gets it, and as a literal.
func (d *postgresDraw) value(column string) (parsed, executed string) {
	v, executed := d.stored(column)
	if v.Type != Null {
		switch v, executed = d.spelled(column, v, executed); {
		case column == "b" && rapid.Bool().Draw(d.T, "literal"):
			return executed, executed
		case column != "b" && v.Type != Real && rapid.Bool().Draw(d.T, "literal"):
			return literal(v), literal(v)
		}
	}
	d.args = append(d.args, v)
	parsed = "$" + strconv.Itoa(len(d.args))
	if column == "s" && rapid.Bool().Draw(d.T, "cast") {
		parsed = "CAST(" + parsed + "::varchar(9) AS text)"
	}
	return parsed, executed
}

// spelled draws another spelling of a value that PostgreSQL accepts for a column.
func (d *postgresDraw) spelled(column string, v Value, executed string) (Value, string) {
	if rapid.Bool().Draw(d.T, "stored") {
		return v, executed
	}
	switch column {
	case "i":
		v = str(strconv.FormatInt(v.Int, 10))
		return v, literal(v)
	case "b":
		return str(strings.ToUpper(executed[:1])), executed
	case "d":
		v = str(v.Text + "T10:30:00Z")
		return v, literal(v)
	case "z":
		at, _ := time.Parse("2006-01-02 15:04:05.999999-07", v.Text)
		v = str(at.In(time.FixedZone("", 90*60)).Format(time.RFC3339Nano))
		return v, literal(v)
	}
	return v, executed
}

func (d *postgresDraw) column() (name, column string) {
	column = rapid.SampledFrom(postgresTypes).Draw(d.T, "column").name
	return rapid.SampledFrom(d.tables).Draw(d.T, "table") + "." + column, column
}

// condition draws a condition, once for Parse and once for PostgreSQL.
func (d *postgresDraw) condition(depth int) (parsed, executed string) {
	if depth > 0 {
		switch rapid.IntRange(0, 3).Draw(d.T, "condition") {
		case 0:
			a, b := d.condition(depth - 1)
			return "NOT (" + a + ")", "NOT (" + b + ")"
		case 1:
			op := rapid.SampledFrom([]string{" AND ", " OR "}).Draw(d.T, "connective")
			a, b := d.condition(depth - 1)
			c, e := d.condition(depth - 1)
			return "(" + a + op + c + ")", "(" + b + op + e + ")"
		}
	}
	return d.comparison()
}

func (d *postgresDraw) comparison() (parsed, executed string) {
	name, column := d.column()
	a, b := d.value(column)
	not := rapid.SampledFrom([]string{"", "NOT "}).Draw(d.T, "not")
	switch rapid.IntRange(0, 8).Draw(d.T, "kind") {
	case 0:
		return name + " IS " + not + "NULL", name + " IS " + not + "NULL"
	case 1:
		c, e := d.value(column)
		return name + " " + not + "BETWEEN " + a + " AND " + c, name + " " + not + "BETWEEN " + b + " AND " + e
	case 2:
		c, e := d.value(column)
		return name + " " + not + "IN (" + a + ", " + c + ")", name + " " + not + "IN (" + b + ", " + e + ")"
	case 3:
		if column == "s" {
			return d.like(name, not)
		}
	case 4:
		other := rapid.SampledFrom(d.tables).Draw(d.T, "other") + "." + column
		return name + " = " + other, name + " = " + other
	case 5:
		if column == "b" {
			name += rapid.SampledFrom([]string{"", " IS TRUE", " IS NOT FALSE"}).Draw(d.T, "truth")
			return name, name
		}
	case 6:
		if column == "i" || column == "s" {
			return d.anyOf(name, column)
		}
	case 7:
		return name + " IS " + not + "DISTINCT FROM " + a, name + " IS " + not + "DISTINCT FROM " + b
	}
	op := rapid.SampledFrom([]string{"=", "<>", "!=", "<", "<=", ">", ">="}).Draw(d.T, "operator")
	if rapid.Bool().Draw(d.T, "swapped") {
		return a + " " + op + " " + name, b + " " + op + " " + name
	}
	return name + " " + op + " " + a, name + " " + op + " " + b
}

func (d *postgresDraw) like(name, not string) (parsed, executed string) {
	pattern := ""
	for range rapid.IntRange(0, 3).Draw(d.T, "length") {
		pattern += rapid.SampledFrom([]string{"a", "b", "B", "é", "%", "_", `\%`, `\_`}).Draw(d.T, "part")
	}
	d.args = append(d.args, str(pattern))
	op := name + " " + not + rapid.SampledFrom([]string{"LIKE ", "ILIKE "}).Draw(d.T, "operator")
	return op + "'%' || $" + strconv.Itoa(len(d.args)), op + "'%' || " + quoteText(pattern)
}

// anyOf draws a comparison with the elements of an array.
func (d *postgresDraw) anyOf(name, column string) (parsed, executed string) {
	op := name + rapid.SampledFrom([]string{" = ANY (", " < ANY (", " = ALL (", " <> ALL ("}).Draw(d.T, "operator")
	text := "{"
	for i := range rapid.IntRange(0, 2).Draw(d.T, "elements") {
		if i > 0 {
			text += ","
		}
		switch v, _ := d.stored(column); v.Type {
		case Null:
			text += "NULL"
		case Text:
			text += `"` + v.Text + `"`
		default:
			text += literal(v)
		}
	}
	d.args = append(d.args, str(text+"}"))
	return op + "$" + strconv.Itoa(len(d.args)) + ")", op + quoteText(text+"}") + ")"
}

// from draws the FROM clause of a query of t and, perhaps, u.
func (d *postgresDraw) from() (parsed, executed string) {
	switch join := rapid.SampledFrom([]string{"", ", u", " JOIN u ON ", " LEFT JOIN u ON "}).Draw(d.T, "join"); {
	case strings.HasSuffix(join, "ON "):
		d.tables = append(d.tables, "u")
		a, b := d.condition(1)
		return "t" + join + a, "t" + join + b
	case join != "":
		d.tables = append(d.tables, "u")
		return "t" + join, "t" + join
	}
	return "t", "t"
}

// The distance of a statement is 0 if and only if PostgreSQL finds rows for it.
func TestDistanceIsThatOfPostgreSQL(t *testing.T) {
	shell := startPostgres(t)
	columns := ""
	for _, c := range postgresTypes {
		columns += ", " + c.name + " " + c.typeName
	}
	for _, table := range []string{"t", "u"} {
		shell.run(t, "CREATE TABLE "+table+" ("+columns[2:]+")")
	}
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		d := &postgresDraw{T: t, tables: []string{"t"}}
		from, executedFrom := d.from()
		a, b := d.condition(3)
		statement := "SELECT 1 FROM " + from + " WHERE " + a + " FOR UPDATE"
		s, ok := Parse(PostgreSQL, statement, nil)
		if !ok {
			t.Fatalf("Parse does not support %s", statement)
		}
		n, setUp := s.Nearest(d.args, sondeprobe.Query(0)), "DELETE FROM t; DELETE FROM u;"
		for i, table := range d.tables {
			for _, c := range postgresTypes {
				s.Tables[i].SetType(c.name, c.typeName)
			}
			for range rapid.IntRange(0, 3).Draw(t, "rows") {
				row, literals := map[string]Value{}, ""
				for _, c := range postgresTypes {
					v, text := d.stored(c.name)
					row[c.name], literals = v, literals+", "+text
				}
				setUp += " INSERT INTO " + table + " VALUES (" + literals[2:] + ");"
				var chosen []Value
				for _, c := range s.Tables[i].Columns {
					chosen = append(chosen, row[c])
				}
				n.Add(i, chosen)
			}
		}
		rows := len(shell.run(t, setUp+" SELECT 1 FROM "+executedFrom+" WHERE "+b))
		if (n.exact() == 0) != (rows > 0) {
			t.Fatalf("%s, %v:\ndistance %v, and PostgreSQL finds %d rows\n%s\n%s", statement, d.args, n.exact(), rows, setUp, b)
		}
		found += min(rows, 1)
	})
	if found == 0 {
		t.Error("PostgreSQL found no rows at all")
	}
	checkCatalog(t, shell)
}

// checkCatalog checks the queries for the schema, and the query for the values of columns.
func checkCatalog(t *testing.T, shell *postgresShell) {
	t.Helper()
	shell.run(t, `CREATE TYPE mood AS ENUM ('good', 'so''so');
		CREATE DOMAIN grade AS int2 NOT NULL DEFAULT 1 CHECK (VALUE IN (1, 2));
		CREATE TABLE "Parent" (a int8 GENERATED ALWAYS AS IDENTITY, b varchar(7) CHECK (b IN ('x', 'y')), PRIMARY KEY (a, b));
		CREATE TABLE child (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), p int8, q varchar(7), m mood, g grade, n numeric(8, 2),
			at timestamptz(3), twice numeric GENERATED ALWAYS AS (n * 2) STORED, tags text[], FOREIGN KEY (p, q) REFERENCES "Parent");
		CREATE VIEW seen AS SELECT 1 AS a;
		INSERT INTO child VALUES
			('A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', NULL, NULL, 'good', 2, 1.50, '2026-01-02 10:00+02', DEFAULT, '{a,b}')`)
	s, _ := Parse(PostgreSQL, "SELECT 1 FROM Child WHERE ID = $1 AND n = 1 AND at > $2 AND tags = $3", nil)
	for _, c := range []struct{ name, typeName string }{
		{"id", "uuid"}, {"n", "numeric(8,2)"}, {"at", "timestamp(3) with time zone"}, {"tags", "text[]"},
	} {
		s.Tables[0].SetType(c.name, c.typeName)
	}
	for _, q := range []struct{ query, want string }{
		{PostgreSQL.Columns("Parent"), "a|int8|1|1|1|1\nb|character varying(7)|1|0|1|0"},
		{PostgreSQL.Columns("child"), "id|uuid|1|1|1|0\np|int8|0|0|0|0\nq|character varying(7)|0|0|0|0\nm|enum|0|0|0|0\n" +
			"g|int2|1|1|0|0\nn|numeric(8,2)|0|0|0|0\nat|timestamp(3) with time zone|0|0|0|0\ntags|text[]|0|0|0|0"},
		{PostgreSQL.ForeignKeys("child"), "p|Parent|a\nq|Parent|b"},
		{PostgreSQL.Definition("child"), "child|CHECK ((g = ANY (ARRAY[1, 2])))\nm IN ('good', 'so''so')"},
		{
			PostgreSQL.Definition("Parent"),
			"Parent|CHECK (((b)::text = ANY ((ARRAY['x'::character varying, 'y'::character varying])::text[])))",
		},
		{PostgreSQL.Definition("parent"), ""},
		{PostgreSQL.Definition("seen"), ""},
		{PostgreSQL.Columns("seen"), ""},
		{PostgreSQL.IsColumn("Parent", "a"), "1"},
		{PostgreSQL.IsColumn("Parent", "A"), ""},
		{
			"BEGIN; DO $$ BEGIN PERFORM set_config('TimeZone', 'UTC', true); END $$; " + s.Rows(0) + "; ROLLBACK",
			"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11|1.5|2026-01-02 08:00:00+00|{a,b}",
		},
		{PostgresMark + "; " + PostgresMarked, "set\n"},
		{"BEGIN; " + PostgresMark + "; " + PostgresMarked + "; ROLLBACK", "set\nset"},
	} {
		if diff := cmp.Diff(q.want, strings.Join(shell.run(t, q.query), "\n")); diff != "" {
			t.Errorf("%s: %s", q.query, diff)
		}
	}
}

// Parse supports the spellings of PostgreSQL: names in double quotes, casts, typed literals, numbered parameters and
// Booleans. Names without quotes are in lower case.
func TestParsePostgreSQL(t *testing.T) {
	for statement, want := range map[string]string{
		`SELECT a FROM T WHERE "B" = $2 AND C = $1`:                                    "t: B c",
		"SELECT a FROM t WHERE b = $1::uuid AND c = CAST($2 AS varchar(9))":            "t: b c",
		"SELECT a FROM t WHERE b >= DATE '2026-01-02' AND c::text ILIKE $1 || '%'":     "t: b c",
		"SELECT a FROM t WHERE b AND NOT c AND d IS NOT TRUE FOR UPDATE SKIP LOCKED":   "t: b c d",
		"SELECT a FROM t WHERE b = ANY($1::int[]) OR c = ANY (ARRAY['x', $2]::text[])": "t: b c",
		"SELECT a FROM t WHERE b IS NOT DISTINCT FROM $1 OFFSET $2":                    "t: b",
		"SELECT a FROM t WHERE b::date = $1":                                           "",
		"SELECT a FROM t WHERE b = E'it\\'s'":                                          "",
		"SELECT a FROM t WHERE b = $$x$$":                                              "",
		"SELECT a FROM t WHERE b @> $1 OR c ->> 'x' = $2 OR d ~ $3":                    "",
		"SELECT a FROM t WHERE NOT b = ANY($1) AND c <> ALL('{1}')":                    "t: b c",
		"SELECT a FROM app.t WHERE b = $1":                                             "",
	} {
		got := ""
		if s, ok := Parse(PostgreSQL, statement, nil); ok {
			got = s.Tables[0].Name + ": " + strings.Join(s.Tables[0].Columns, " ")
		}
		if got != want {
			t.Errorf("%s\ngot %q, want %q", statement, got, want)
		}
	}
}

// Facts have values in the form in which requests and rows have them.
func TestFactsOfPostgreSQL(t *testing.T) {
	q := "SELECT 1 FROM t WHERE b AND c > $1 AND d = $2 AND e = ANY($3) AND NOT f AND g ILIKE $4"
	s, ok := Parse(PostgreSQL, q, nil)
	if !ok {
		t.Fatal("Parse does not support the query")
	}
	for column, name := range map[string]string{
		"b": "boolean", "c": "timestamp with time zone", "d": "date", "e": "text", "f": "boolean", "g": "text",
	} {
		s.Tables[0].SetType(column, name)
	}
	var got []string
	for _, f := range s.Facts(argList{str("2026-01-02T00:30:00+01:00"), str("2026-01-02T00:00:00Z"), str(`{"a b",c}`), str(`50\%%`)}) {
		got = append(got, fmt.Sprint(f.Column, " ", f.Op, " ", f.Value.Text))
	}
	want := "b 2 true, c 4 2026-01-01T23:30:00Z, d 2 2026-01-02, e 2 a b, f 5 true, g 2 50%"
	if diff := cmp.Diff(want, strings.Join(got, ", ")); diff != "" {
		t.Error(diff)
	}
}

// The distance falls with each step towards a row. For times, it falls as the time between them falls. For numbers
// that a driver returns as texts, it falls as their difference falls.
func TestPathsOfPostgreSQL(t *testing.T) {
	for _, p := range []struct {
		query, typeName string
		stored          Value
		path            []Value
	}{
		{
			"SELECT 1 FROM t WHERE a = $1", "date", str("2026-01-02"),
			[]Value{str("x"), str("1999-01-02"), str("2025-12-31"), str("2026-01-02")},
		},
		{
			"SELECT 1 FROM t WHERE a < $1", "timestamp with time zone", str("2026-01-02 10:00:00+00"),
			[]Value{
				str("2026-01-01T00:00:00Z"), str("2026-01-02T10:00:00+01:00"), str("2026-01-02T10:00:00Z"), str("2026-01-02T10:00:01Z"),
			},
		},
		{"SELECT 1 FROM t WHERE a = $1", "numeric(8,2)", Value{Type: Real, Real: 2.5}, []Value{str("9"), num(3), str("2.75"), str("2.50")}},
		{"SELECT 1 FROM t WHERE a = ANY($1)", "text", str("abc"), []Value{str("{x,xxxxxxx}"), str("{x,abx}"), str(`{x,"abc"}`)}},
		{"SELECT 1 FROM t WHERE a = $1", "uuid", str("a0ee-bc"), []Value{str("b0EEBC"), str("A0EEBC")}},
	} {
		last := 9.0
		for _, v := range p.path {
			s, ok := Parse(PostgreSQL, p.query, nil)
			if !ok {
				t.Fatalf("Parse does not support %s", p.query)
			}
			s.Tables[0].SetType("a", p.typeName)
			n := s.Nearest(argList{v}, sondeprobe.Query(0))
			n.Add(0, []Value{p.stored})
			if d := n.exact(); !(d < last) {
				t.Errorf("%s with %v: %v is no less than %v", p.query, v, d, last)
			} else {
				last = d
			}
		}
		if last != 0 {
			t.Errorf("%s: %v where all holds", p.query, last)
		}
	}
}

// Times are parsed and formatted as package time does it.
func TestInstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		micros := rapid.Int64Range(-60_000_000_000_000_000, 250_000_000_000_000_000).Draw(t, "micros")
		at := time.UnixMicro(micros).UTC()
		zone := time.FixedZone("", rapid.IntRange(-14*60, 14*60).Draw(t, "offset")*60)
		if got := formatInstant(micros); got != at.Format(time.RFC3339Nano) {
			t.Fatalf("got %s, want %s", got, at.Format(time.RFC3339Nano))
		}
		text := at.In(zone).Format(time.RFC3339Nano)
		if got, ok := parseInstant(text, true); !ok || got != micros {
			t.Fatalf("%s: got %d, %t, want %d", text, got, ok, micros)
		}
	})
	for _, text := range []string{"", "2026", "2026-13-01", "2026-01-02x", "2026-01-02 10", "2026-01-02 10:00 BC", "infinity"} {
		if got, ok := parseInstant(text, true); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}

func TestIsKnownPostgres(t *testing.T) {
	for version, want := range map[string]bool{
		"PostgreSQL 15.8 (Debian 15.8-0+deb12u1) on x86_64-pc-linux-gnu": true,
		"PostgreSQL 17beta1 on aarch64":                                  true,
		"PostgreSQL 12.0":                                                true,
		"PostgreSQL 9.6.24 on x86_64":                                    false,
		"PostgreSQL 8.0.2 on i686-pc-linux-gnu, Redshift 1.0.77467":      false,
		"CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu)":                 false,
		"PostgreSQL ": false,
		"":            false,
	} {
		if got := IsKnownPostgres(version); got != want {
			t.Errorf("%q: got %t, want %t", version, got, want)
		}
	}
}
