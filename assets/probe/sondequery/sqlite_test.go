package sondequery

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"sonde/assets/probe/sondeprobe"

	"pgregory.net/rapid"
)

// sqliteShell is a running sqlite3, with a database in memory.
type sqliteShell struct {
	in  io.Writer
	out *bufio.Scanner
}

func startSQLite(t *testing.T) *sqliteShell {
	t.Helper()
	path, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("needs the program sqlite3")
	}
	c := exec.Command(path, "-batch", ":memory:")
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
	return &sqliteShell{in, bufio.NewScanner(out)}
}

// run executes statements and returns the number of lines of their results.
func (s *sqliteShell) run(t *rapid.T, statements string) int {
	fmt.Fprintln(s.in, statements, ";\n.print end")
	n := 0
	for ; s.out.Scan(); n++ {
		if s.out.Text() == "end" {
			return n
		}
	}
	t.Fatalf("sqlite3 ended: %s", statements)
	return 0
}

// The columns of the tables t and u of the random conditions: integers, texts and reals.
var (
	sqliteColumns = []string{"i", "s", "r"}
	sqliteTables  = "DROP TABLE IF EXISTS t; DROP TABLE IF EXISTS u; " +
		"CREATE TABLE t (i INTEGER, s TEXT, r REAL); CREATE TABLE u (i INTEGER, s TEXT, r REAL);"
)

// drawText draws a short text, often a number or a pattern of LIKE.
func drawText(t *rapid.T) string {
	return rapid.StringOfN(rapid.RuneFrom([]rune("aB1_%é")), 0, 3, -1).Draw(t, "text")
}

func drawInt(t *rapid.T) int64 { return rapid.Int64Range(-2, 3).Draw(t, "int") }

func drawReal(t *rapid.T) float64 { return float64(rapid.IntRange(-3, 5).Draw(t, "real")) / 2 }

// drawRow draws a row of a table, with the values as SQLite stores them.
func drawRow(t *rapid.T) []Value {
	row := []Value{num(drawInt(t)), str(drawText(t)), {Type: Real, Real: drawReal(t)}}
	for i := range row {
		if rapid.IntRange(0, 4).Draw(t, "null") == 0 {
			row[i] = Value{Type: Null}
		}
	}
	return row
}

func literal(v Value) string {
	switch v.Type {
	case Integer:
		return strconv.FormatInt(v.Int, 10)
	case Real:
		return strconv.FormatFloat(v.Real, 'f', 1, 64)
	case Text:
		return quoteText(v.Text)
	}
	return "NULL"
}

// conditionDraw draws a condition on the columns of some tables. Its arguments are written into the text for SQLite.
type conditionDraw struct {
	*rapid.T
	tables []string
	args   argList
}

// value draws a value to be compared with a column. For a column of texts it draws no real number, because Parse does
// not compute how SQLite writes a real number as a text. It returns the value as Parse gets it (a parameter or a
// literal), and as a literal for SQLite.
func (d *conditionDraw) value(columnType string) (parsed, executed string) {
	v := str(drawText(d.T))
	switch rapid.IntRange(0, 5).Draw(d.T, "type") {
	case 0, 1:
		v = num(drawInt(d.T))
	case 2:
		if columnType != "s" {
			v = Value{Type: Real, Real: drawReal(d.T)}
		}
	case 3:
		v = Value{Type: Null}
	}
	if rapid.Bool().Draw(d.T, "literal") {
		return literal(v), literal(v)
	}
	d.args = append(d.args, v)
	return "?" + strconv.Itoa(len(d.args)), literal(v)
}

func (d *conditionDraw) column() (name, columnType string) {
	columnType = rapid.SampledFrom(sqliteColumns).Draw(d.T, "column")
	return rapid.SampledFrom(d.tables).Draw(d.T, "table") + "." + columnType, columnType
}

// condition draws a condition, once for Parse and once for SQLite.
func (d *conditionDraw) condition(depth int) (parsed, executed string) {
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

func (d *conditionDraw) comparison() (parsed, executed string) {
	name, columnType := d.column()
	a, b := d.value(columnType)
	not := rapid.SampledFrom([]string{"", "NOT "}).Draw(d.T, "not")
	switch rapid.IntRange(0, 7).Draw(d.T, "kind") {
	case 0:
		return name + " IS " + not + "NULL", name + " IS " + not + "NULL"
	case 1:
		c, e := d.value(columnType)
		return name + " " + not + "BETWEEN " + a + " AND " + c, name + " " + not + "BETWEEN " + b + " AND " + e
	case 2:
		c, e := d.value(columnType)
		return name + " " + not + "IN (" + a + ", " + c + ")", name + " " + not + "IN (" + b + ", " + e + ")"
	case 3:
		if columnType == "r" {
			break
		}
		d.args = append(d.args, str(drawText(d.T)))
		a, b = "?"+strconv.Itoa(len(d.args)), literal(d.args[len(d.args)-1])
		return name + " " + not + "LIKE '%' || " + a + " ESCAPE '1'", name + " " + not + "LIKE '%' || " + b + " ESCAPE '1'"
	case 4:
		other, _ := d.column()
		if !strings.HasSuffix(other, columnType) && strings.HasSuffix(name+other, "s") {
			break
		}
		return name + " = " + other, name + " = " + other
	}
	op := rapid.SampledFrom([]string{"=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT"}).Draw(d.T, "operator")
	if rapid.Bool().Draw(d.T, "swapped") {
		return a + " " + op + " " + name, b + " " + op + " " + name
	}
	return name + " " + op + " " + a, name + " " + op + " " + b
}

// The distance of a statement is 0 if and only if SQLite finds rows for it. The statements are about one table, two
// tables, or a table and an optional one.
func TestDistanceIsThatOfSQLite(t *testing.T) {
	shell := startSQLite(t)
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		d := &conditionDraw{T: t, tables: []string{"t"}}
		from, forSQLite := "t", "t"
		switch join := rapid.SampledFrom([]string{"", ", u", " JOIN u ON ", " LEFT JOIN u ON "}).Draw(t, "join"); {
		case strings.HasSuffix(join, "ON "):
			d.tables = append(d.tables, "u")
			a, b := d.condition(1)
			from, forSQLite = from+join+a, forSQLite+join+b
		case join != "":
			d.tables = append(d.tables, "u")
			from, forSQLite = from+join, forSQLite+join
		}
		a, b := d.condition(3)
		statement := "SELECT 1 FROM " + from + " WHERE " + a
		s, ok := Parse(SQLite, statement, nil)
		if !ok {
			t.Fatalf("Parse does not support %s", statement)
		}
		n := s.Nearest(d.args, sondeprobe.Query(0))
		setUp := sqliteTables
		for i, table := range d.tables {
			for range rapid.IntRange(0, 3).Draw(t, "rows") {
				row := drawRow(t)
				setUp += fmt.Sprintf(" INSERT INTO %s VALUES (%s, %s, %s);", table, literal(row[0]), literal(row[1]), literal(row[2]))
				n.Add(i, chosen(row, s.Tables[i].Columns))
			}
		}
		rows := shell.run(t, setUp+" SELECT 1 FROM "+forSQLite+" WHERE "+b)
		if (n.exact() == 0) != (rows > 0) {
			t.Fatalf("%s, %v:\ndistance %v, and SQLite finds %d rows", statement, d.args, n.exact(), rows)
		}
		found += min(rows, 1)
	})
	if found == 0 {
		t.Error("SQLite found no rows at all")
	}
}

// chosen returns the values of some columns.
func chosen(row []Value, columns []string) []Value {
	var all []Value
	for _, c := range columns {
		for i, name := range sqliteColumns {
			if c == name {
				all = append(all, row[i])
			}
		}
	}
	return all
}
