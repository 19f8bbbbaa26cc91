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

// Parse returns the table, and the columns in the conditions.
func TestParse(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT a FROM t WHERE b = ?": "t: b",
		"select count(*), (a) from t as x where x.b=:b and T.c == 'it''s' order by d;":      "t: b c",
		"SELECT a -- FROM nothing\nFROM t /* WHERE */ WHERE (b < 3 AND c >= ?) LIMIT 1":     "t: b c",
		"SELECT a FROM \"my t\" x WHERE `b c` = ? OR [d] <> -1.5 GROUP BY e HAVING e > 1":   "my t: b c d",
		"SELECT a FROM t WHERE ? = b AND c IS NULL AND d IS NOT NULL":                       "t: b c d",
		"SELECT a FROM t WHERE b BETWEEN ? AND ? AND c IN (1, 'x', ?) AND lower(d) = ?":     "t: b c",
		"SELECT (SELECT 1 FROM u WHERE v = 1) FROM t WHERE b = ? AND c > (SELECT d FROM u)": "t: b",
		"SELECT a FROM t":                                   "",
		"SELECT a FROM t, u WHERE t.b = u.b":                "",
		"SELECT a FROM t JOIN u ON t.b = u.b WHERE t.c = 1": "",
		"SELECT a FROM other.t WHERE b = 1":                 "",
		"SELECT a FROM f(1) WHERE b = 1":                    "",
		"SELECT a FROM t WHERE b = 1 UNION SELECT 2":        "",
		"SELECT a FROM t WHERE lower(b) = ?":                "",
		"SELECT a FROM t WHERE u.b = ?":                     "",
		"SELECT 'a FROM t WHERE b = 1":                      "",
		"UPDATE t SET a = 1 WHERE b = 1":                    "",
		"WITH t AS (SELECT 1) SELECT a FROM t WHERE b = 1":  "",
		"": "",
	} {
		got := ""
		if s, ok := Parse(query); ok {
			got = s.Table + ": " + strings.Join(s.Columns, " ")
		}
		if got != want {
			t.Errorf("%s\ngot %q, want %q", query, got, want)
		}
	}
}

func TestGeneratedQueries(t *testing.T) {
	s, ok := Parse("SELECT 1 FROM [o'clock] WHERE a = 1 AND `b``c` = 2")
	if !ok {
		t.Fatal("Parse does not support the query")
	}
	want := []string{
		"SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'o''clock' COLLATE NOCASE AND sql NOT LIKE 'create virtual%'",
		"SELECT +`a`, +`b``c` FROM `o'clock` LIMIT 1000",
	}
	if diff := cmp.Diff(want, []string{s.IsTable(), s.Rows()}); diff != "" {
		t.Error(diff)
	}
}

// distanceOf returns the distance of a query from the nearest of some rows.
func distanceOf(t rapid.TB, query string, args argList, rows ...[]Value) float64 {
	t.Helper()
	s, ok := Parse(query)
	if !ok {
		t.Fatalf("Parse does not support %s", query)
	}
	n := s.Nearest(args, sondeprobe.Query(0))
	for _, r := range rows {
		n.Add(r)
	}
	return n.Distance()
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

// recordedReporter is a Reporter that keeps the reported values as text.
type recordedReporter []string

func (h *recordedReporter) Ints(op uint8, a, b int64)    { *h = append(*h, fmt.Sprint(a, op, b)) }
func (h *recordedReporter) Reals(op uint8, a, b float64) { *h = append(*h, fmt.Sprint(a, op, b)) }
func (h *recordedReporter) Texts(op uint8, a, b string) {
	*h = append(*h, fmt.Sprint(a, " ", op, " ", b))
}

// Report reports the values of the nearest row that are compared with arguments.
func TestReport(t *testing.T) {
	s, _ := Parse("SELECT 1 FROM t WHERE a = ? AND b > ? AND (c = ? OR d IS NULL) AND e = 'x' AND a <= ?")
	args := argList{num(5), str("m"), {Type: Real, Real: 0.5}, str("12")}
	n := s.Nearest(args, sondeprobe.Query(0))
	var h recordedReporter
	if n.Report(&h); len(h) > 0 {
		t.Errorf("%v is reported without a row", h)
	}
	for _, a := range []int64{100, 7, 50} {
		n.Add([]Value{num(a), str("k"), num(1), {}, str("x")})
	}
	n.Report(&h)
	if diff := cmp.Diff(recordedReporter{"7 2 5", "k 4 m", "1 2 0.5", "7 3 12"}, h); diff != "" {
		t.Error(diff)
	}
}

// FuzzParse checks that Parse returns for any query, and that the distance is a number.
func FuzzParse(f *testing.F) {
	f.Add("SELECT a FROM t WHERE b = ? AND (c < :x OR d IN (1, 'x''', ?2)) AND e BETWEEN 1 AND 2 ORDER BY f")
	f.Add("SELECT /* -- \"[`'((((")
	f.Fuzz(func(t *testing.T, query string) {
		s, ok := Parse(query)
		if !ok {
			return
		}
		n := s.Nearest(argList{num(1)}, sondeprobe.Query(0))
		n.Add(make([]Value, len(s.Columns)))
		n.Report(&recordedReporter{})
		if d := n.Distance(); !(d > 0) {
			t.Errorf("%q: distance %v", query, d)
		}
	})
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
