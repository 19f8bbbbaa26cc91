package sondequery

import (
	"fmt"
	"strings"
	"testing"

	"sonde/assets/probe/sondeprobe"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// argList has the arguments of a query by index.
type argList []Value

func (l argList) Argument(i int, _ string) Value {
	if i >= len(l) {
		return Value{}
	}
	return l[i]
}

func num(n int64) Value { return Value{Type: Integer, Int: n} }

func str(s string) Value { return Value{Type: Text, Text: s} }

// Parse returns the tables, and the columns in the conditions. In joins, columns without a table are those of u.
func TestParse(t *testing.T) {
	isColumn := func(table, column string) bool { return table == "u" && column != "nowhere" }
	for statement, want := range map[string]string{
		"SELECT a FROM t WHERE b = ?": "t: b",
		"select count(*), (a) from t as x where x.b=:b and T.c == 'it''s' order by d;":        "t: b c",
		"SELECT a -- FROM nothing\nFROM t /* WHERE */ WHERE (b < 3 AND c >= ?) LIMIT 1":       "t: b c",
		"SELECT a FROM \"my t\" x WHERE `b c` = ? OR [d] <> -1.5 GROUP BY e HAVING e > 1":     "my t: b c d",
		"SELECT a FROM t WHERE ? = b AND c IS NULL AND d IS NOT NULL":                         "t: b c d",
		"SELECT a FROM t WHERE b BETWEEN ? AND ? AND c IN (1, 'x', ?) AND lower(d) = ?":       "t: b c",
		"SELECT (SELECT 1 FROM u WHERE v = 1) FROM t WHERE b = ? AND c > (SELECT d FROM u)":   "t: b",
		"SELECT a FROM t WHERE b LIKE '%' || ? || '%' OR NOT (c NOT IN (1, 2) AND d = e)":     "t: b c d e",
		"SELECT a FROM t WHERE (? = '' OR b NOT LIKE ? ESCAPE '!') AND c NOT BETWEEN 1 AND d": "t: b c d",
		"SELECT a FROM t, u WHERE t.b = u.b":                                                  "t: b, u: b",
		"SELECT a FROM t JOIN u ON t.b = u.b WHERE c = 1":                                     "t: b, u: b c",
		"SELECT a FROM t x INNER JOIN u AS y ON (x.b = y.c) ORDER BY d":                       "t: b, u: c",
		"SELECT a FROM t LEFT OUTER JOIN u USING (b, c) CROSS JOIN v":                         "t: b c, u: b c, v: ",
		"SELECT a FROM t LEFT JOIN u ON u.a = 1, w WHERE w.b > t.c":                           "t: c, u: a, w: b",
		"UPDATE t SET a = 1, b = ? WHERE c = ? RETURNING d":                                   "t: c",
		"UPDATE OR IGNORE t SET a = (SELECT 1 FROM u) WHERE b LIKE ?":                         "t: b",
		"DELETE FROM t WHERE a = ? AND b IN (?, ?)":                                           "t: a b",
		"DELETE FROM t AS x WHERE x.a < 3":                                                    "t: a",
		"SELECT a FROM t":                                                                     "",
		"DELETE FROM t":                                                                       "",
		"UPDATE t SET a = 1":                                                                  "",
		"UPDATE t SET a = u.a FROM u WHERE t.b = u.b":                                         "",
		"SELECT a FROM t NATURAL JOIN u WHERE t.b = 1":                                        "",
		"SELECT a FROM t RIGHT JOIN u ON t.b = u.b":                                           "",
		"SELECT a FROM t JOIN (SELECT b FROM u) x ON t.b = x.b":                               "",
		"SELECT a FROM t, u WHERE nowhere = 1":                                                "",
		"SELECT a FROM t, u, v, w, x, y, z WHERE t.b = 1":                                     "",
		"SELECT a FROM other.t WHERE b = 1":                                                   "",
		"SELECT a FROM f(1) WHERE b = 1":                                                      "",
		"SELECT a FROM t WHERE b = 1 UNION SELECT 2":                                          "",
		"SELECT a FROM t WHERE b = 1; SELECT 1":                                               "",
		"SELECT a FROM t WHERE lower(b) = ?":                                                  "",
		"SELECT a FROM t WHERE u.b = ?":                                                       "",
		"SELECT a FROM t WHERE b IS TRUE":                                                     "",
		"SELECT 'a FROM t WHERE b = 1":                                                        "",
		"INSERT INTO t VALUES (1)":                                                            "",
		"WITH t AS (SELECT 1) SELECT a FROM t WHERE b = 1":                                    "",
		"": "",
	} {
		got := ""
		if s, ok := Parse(SQLite, statement, isColumn); ok {
			for i, table := range s.Tables {
				if i > 0 {
					got += ", "
				}
				got += table.Name + ": " + strings.Join(table.Columns, " ")
			}
		}
		if got != want {
			t.Errorf("%s\ngot %q, want %q", statement, got, want)
		}
	}
}

func TestGeneratedQueries(t *testing.T) {
	s, ok := Parse(SQLite, "SELECT 1 FROM [o'clock], u WHERE [o'clock].a = 1 AND [o'clock].`b``c` = 2", nil)
	if !ok {
		t.Fatal("Parse does not support the query")
	}
	want := []string{
		"SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name = 'o''clock' COLLATE NOCASE AND sql NOT LIKE 'create virtual%'",
		"SELECT +`a`, +`b``c` FROM `o'clock` LIMIT 1000",
		"SELECT 1 FROM `u` LIMIT 1",
		"SELECT 1 FROM pragma_table_info('o''clock') WHERE name = 'a' COLLATE NOCASE",
	}
	got := []string{SQLite.Definition(s.Tables[0].Name), s.Rows(0), s.Rows(1), SQLite.IsColumn("o'clock", "a")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// distanceOf returns the distance of a query of one table that has these rows.
func distanceOf(t rapid.TB, query string, args argList, rows ...[]Value) float64 {
	t.Helper()
	return nearest(t, query, args, rows).Distance()
}

// nearest returns the Nearest of a query whose tables have these rows.
func nearest(t rapid.TB, query string, args argList, tables ...[][]Value) *Nearest {
	t.Helper()
	s, ok := Parse(SQLite, query, nil)
	if !ok {
		t.Fatalf("Parse does not support %s", query)
	}
	n := s.Nearest(args, sondeprobe.Query(0))
	for i, rows := range tables {
		for _, r := range rows {
			n.Add(i, r)
		}
	}
	return n
}

// The distance falls with each step towards a row, and is never 0.
func TestPaths(t *testing.T) {
	for _, p := range []struct {
		query string
		row   []Value
		path  []argList
	}{
		{"SELECT 1 FROM t WHERE a = ?", []Value{num(1_700_000_000)}, []argList{
			{}, {num(-9)}, {num(0)}, {num(1_699_999_998)}, {num(1_699_999_999)}, {num(1_700_000_000)}}},
		{"SELECT 1 FROM t WHERE a = $1 AND b = $2", []Value{num(7), str("INV")}, []argList{
			{num(9), str("I")}, {num(8), str("I")}, {num(8), str("IN")},
			{num(8), str("INX")}, {num(8), str("INV")}, {num(7), str("INV")}}},
		{"SELECT 1 FROM t WHERE ?1 > a AND b <= ?2", []Value{num(5), {Type: Real, Real: 2.5}}, []argList{
			{num(3), num(1)}, {num(4), num(1)}, {num(5), num(1)},
			{num(6), num(1)}, {num(6), num(2)}, {num(6), num(3)}}},
		{
			"SELECT 1 FROM t WHERE a BETWEEN ? AND ?", []Value{num(50)},
			[]argList{{num(70), num(10)}, {num(60), num(10)}, {num(60), num(40)}, {num(50), num(50)}},
		},
		{"SELECT 1 FROM t WHERE a IN (?, ?) OR " +
			"a = 400",
			[]Value{num(90)}, []argList{{num(1), num(2)}, {num(1), num(60)}, {num(91), num(60)}, {num(90), num(1)}}},
		{"SELECT 1 FROM t WHERE a = ? AND b IS " +
			"NULL", []Value{str("12"), {Type: Null}}, []argList{{str("x")}, {num(20)}, {num(13)}, {num(12)}}},
		{"SELECT 1 FROM t WHERE a != 'x' AND b > ?", []Value{str("y"), str("m")}, []argList{{str("z")}, {str("n")}, {str("a")}}},
		{
			"DELETE FROM t WHERE a LIKE ? OR NOT (a = ? OR 1 = 1)", []Value{str("Invoice 7")},
			[]argList{{}, {str("xx")}, {str("xx_%")}, {str("k%")}, {str("j%")}, {str("i%7")}},
		},
		{
			"SELECT 1 FROM t WHERE a LIKE '%' || ? || '%' AND b NOT IN (1, ?)", []Value{str("a green pot"), num(5)},
			[]argList{{str("x"), num(5)}, {str("f"), num(5)}, {str("g"), num(5)}, {str("gre"), num(4)}},
		},
	} {
		last := distanceOf(t, p.query, p.path[0])
		for _, args := range p.path {
			d := distanceOf(t, p.query, args, p.row)
			if !(d < last && d > 0) {
				t.Errorf("%s with %v: %v is no less than %v", p.query, args, d, last)
			}
			last = d
		}
		if last != minDistance {
			t.Errorf("%s: %v where all holds", p.query, last)
		}
	}
}

// The nearest of several rows counts, and values that cannot be compared have the maximum distance.
func TestNearest(t *testing.T) {
	q := "SELECT 1 FROM t WHERE a = ? AND b = ?"
	rows := [][]Value{{num(1), str("b")}, {num(100), str("c")}, {{Type: Null}, {}}}
	near, far := distanceOf(t, q, argList{num(101), str("c")}, rows...), distanceOf(t, q, argList{num(101), str("c")}, rows[0], rows[2])
	if !(near < far && far < 2 && distanceOf(t, q, nil, rows...) == 2 && distanceOf(t, q, nil) == 3) {
		t.Errorf("near %v, far %v", near, far)
	}
}

// A condition that is not supported has the distance 1, whatever the row.
func TestUnsupportedCondition(t *testing.T) {
	for _, q := range []string{"SELECT 1 FROM t WHERE a = ? AND lower(b) = ?", "SELECT 1 FROM t WHERE a = ? AND NOT b IN (SELECT 1)"} {
		if d := distanceOf(t, q, argList{num(7)}, []Value{num(7)}); d != 1 {
			t.Errorf("%s: %v", q, d)
		}
	}
}

// Facts are what rows must fulfil. A text fulfils LIKE, and of an OR only the first alternative counts.
func TestFacts(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT 1 FROM t WHERE a = ? AND ? > b AND c LIKE '%' || ? || '_!%' ESCAPE '!'": "t.a 2 {2 5 0 } t.b 1 {4 0 0 x} t.c 2 {4 0 0 ba%}",
		"SELECT 1 FROM t WHERE a IS NULL AND b IS NOT NULL AND c = NULL AND d BETWEEN 1 AND ?": "t.a 2 {1 0 0 } t.b 5 {1 0 0 } " +
			"t.d 6 {2 1 0 } t.d 3 {2 5 0 }",
		"SELECT 1 FROM t JOIN u ON u.x = t.y WHERE (lower(t.z) = 1 OR t.a IN (2, 3) OR t.a = 4)": "u.x 2 t.y t.a 2 {2 2 0 }",
		"DELETE FROM t WHERE NOT a < 1.5 AND b NOT LIKE 'x' AND c = a || 'x'":                    "t.a 6 {3 0 1.5 }",
	} {
		s, ok := Parse(SQLite, query, nil)
		if !ok {
			t.Fatalf("Parse does not support %s", query)
		}
		var got []string
		for _, f := range s.Facts(argList{num(5), str("x"), str("b")}) {
			with := fmt.Sprint(f.Value)
			if f.OtherTable != "" {
				with = f.OtherTable + "." + f.OtherColumn
			}
			got = append(got, fmt.Sprint(f.Table, ".", f.Column, " ", f.Op, " ", with))
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	names := TableNames(SQLite, "WITH x AS (SELECT 1 FROM a) SELECT (SELECT 1 FROM b) FROM f(1), y JOIN c ON EXISTS (SELECT 1 FROM o.d)")
	if diff := cmp.Diff([]string{"a", "b", "c"}, names); diff != "" {
		t.Error(diff)
	}
}

// recordedReporter is a Reporter that keeps the reported values as text.
type recordedReporter []string

func (h *recordedReporter) Ints(op uint8, a, b int64)    { *h = append(*h, fmt.Sprint(a, op, b)) }
func (h *recordedReporter) Reals(op uint8, a, b float64) { *h = append(*h, fmt.Sprint(a, op, b)) }
func (h *recordedReporter) Texts(op uint8, a, b string) {
	*h = append(*h, fmt.Sprint(a, " ", op, " ", b))
}

// Report reports the values of the nearest row that are compared with arguments.
func TestReport(t *testing.T) {
	q := "SELECT 1 FROM t WHERE a = ? AND b > ? AND (c = ? OR d IS NULL) AND e = 'x' AND ? >= a AND b LIKE '%' || ?"
	args := argList{num(5), str("m"), {Type: Real, Real: 0.5}, str("12"), str("l")}
	n := nearest(t, q, args)
	var h recordedReporter
	if n.Report(&h); len(h) > 0 {
		t.Errorf("%v is reported without a row", h)
	}
	for _, a := range []int64{100, 7, 50} {
		n.Add(0, []Value{num(a), str("k"), num(1), {}, str("x")})
	}
	n.Report(&h)
	if diff := cmp.Diff(recordedReporter{"7 2 5", "k 4 m", "1 2 0.5", "7 3 12", "k 2 l"}, h); diff != "" {
		t.Error(diff)
	}
}

// The distance of a join is that of its nearest combination of rows. If a row has no partner in an optional table,
// the columns of that table are NULL.
func TestJoins(t *testing.T) {
	people := [][]Value{{num(1), str("ann")}, {num(2), str("bob")}}
	orders := [][]Value{{num(1), num(30)}, {num(1), num(50)}, {num(9), num(90)}}
	join := "SELECT 1 FROM people p JOIN orders o ON p.id = o.person WHERE p.name = ? AND o.total = ?"
	last := 9.0
	for _, args := range []argList{{str("zzz"), num(99)}, {str("amm"), num(49)}, {str("ann"), num(49)}, {str("ann"), num(50)}} {
		n := nearest(t, join, args, people, orders)
		d := n.Distance()
		if !(d < last) {
			t.Errorf("%v: %v, was %v", args, d, last)
		}
		last = d
	}
	if last != minDistance {
		t.Errorf("%v for rows that join", last)
	}
	for query, holds := range map[string]bool{
		"SELECT 1 FROM people p LEFT JOIN orders o ON p.id = o.person WHERE p.name = 'bob' AND o.total IS NULL": true,
		"SELECT 1 FROM people p LEFT JOIN orders o ON p.id = o.person WHERE p.name = 'ann' AND o.total IS NULL": false,
	} {
		if d := nearest(t, query, nil, people, orders).exact(); (d == 0) != holds {
			t.Errorf("%s: %v", query, d)
		}
	}
}

// The nearest rows of large tables are found although not all combinations are compared.
func TestLargeJoin(t *testing.T) {
	var people, orders [][]Value
	for i := range int64(1000) {
		people = append(people, []Value{num(i), num(5000 - i)})
		orders = append(orders, []Value{num(i), num(i * 3)})
	}
	q := "SELECT 1 FROM p JOIN o ON o.person = p.id WHERE p.age = 4123 AND o.total = ?"
	n := nearest(t, q, argList{num(2630)}, people, orders)
	if n.find(); n.found.rows[1][0] != num(877) || !(n.Distance() < 0.5) {
		t.Errorf("%v at %v", n.found.rows, n.Distance())
	}
}

// FuzzParse checks that Parse returns for any statement, and that the distance is a number.
func FuzzParse(f *testing.F) {
	f.Add("SELECT a FROM t WHERE b = ? AND (c < :x OR d IN (1, 'x''', ?2)) AND e BETWEEN 1 AND 2 ORDER BY f")
	f.Add("SELECT a FROM t LEFT JOIN u USING (b), v WHERE NOT v.c LIKE '%' || ? ESCAPE '!' OR u.d NOT NULL")
	f.Add("DELETE FROM t WHERE a NOT IN (1, b) OR ? IS NOT c")
	f.Add("DELETE WHERE")
	f.Add("SELECT /* -- \"[`'((((")
	f.Add("SELECT a::text FROM \"T\" t WHERE b = ANY($1::uuid[]) AND c ILIKE $2 AND d IS NOT DISTINCT FROM $10 FOR UPDATE")
	f.Fuzz(func(t *testing.T, query string) {
		for _, d := range []Dialect{SQLite, PostgreSQL} {
			fuzzParsed(t, d, query)
		}
	})
}

func fuzzParsed(t *testing.T, d Dialect, query string) {
	TableNames(d, query)
	s, ok := Parse(d, query, func(_, column string) bool { return len(column) > 1 })
	if !ok {
		return
	}
	args := argList{num(1), str("{1,\"a\"}")}
	n := s.Nearest(args, sondeprobe.Query(0))
	for i := range s.Tables {
		table := &s.Tables[i]
		for k, c := range table.Columns {
			table.SetType(c, []string{"int4", "text", "date", "uuid", "boolean"}[k%5])
		}
		n.Add(i, make([]Value, len(table.Columns)))
		n.Add(i, append([]Value{str("2026-01-02")}, make([]Value, len(table.Columns))...)[:len(table.Columns)])
	}
	n.Report(&recordedReporter{})
	s.Facts(args)
	if d := n.Distance(); !(d > 0) {
		t.Errorf("%q: distance %v", query, d)
	}
}

// A number that is nearer to the value of a column never has a greater distance.
func TestNearerNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Int64Range(-1<<62, 1<<62).Draw(t, "column")
		gap := rapid.Int64Range(1, 1<<40).Draw(t, "gap")
		q := "SELECT 1 FROM t WHERE a = ?"
		row := []Value{num(at)}
		far, near := distanceOf(t, q, argList{num(at + gap)}, row), distanceOf(t, q, argList{num(at + gap - 1)}, row)
		if near > far || gap < 1<<31 && near == far {
			t.Errorf("%v from %v: %v, and %v nearer by one", gap, at, far, near)
		}
	})
}
