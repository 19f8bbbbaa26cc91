package probe

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"
)

// sqliteService is the folder of a service with SQLite, which is a module of its own.
const sqliteService = "../../testdata/services/sqlite"

// needsSQLite skips a test if the module of the SQLite driver is not in the module cache.
func needsSQLite(t *testing.T) {
	t.Helper()
	c := exec.Command("go", "list", "-deps", ".")
	c.Dir, c.Env = sqliteService, append(os.Environ(), "GOPROXY=off")
	if out, err := c.CombinedOutput(); err != nil {
		t.Skipf("needs modernc.org/sqlite, which go mod download in %s fetches: %v\n%s", sqliteService, err, out)
	}
}

// served starts the service with arguments. call sends a request and returns the status and body of the answer.
func (w *watched) served(args ...string) (call func(method, target, body string) string) {
	w.t.Helper()
	c := w.command()
	c.Args = append(c.Args, args...)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	var at string
	fmt.Fscanln(out, &at)
	go io.Copy(io.Discard, out)
	return func(method, target, body string) string {
		req, err := http.NewRequest(method, at+target, strings.NewReader(body))
		if err != nil {
			w.t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			w.t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return fmt.Sprint(res.StatusCode, " ", string(text))
	}
}

// The score of a query rises with each step towards a row, and is 1 only at the last: with one column,
// several, ranges, a prepared statement, named arguments, and in a transaction.
func TestSQLite(t *testing.T) {
	needsSQLite(t)
	w := watch(t, built(t, Options{Dir: sqliteService, SQL: true}))
	call := w.served()
	for _, c := range []struct {
		method, target, body string // %v is replaced by the step
		line                 string // the source of the line with the query
		steps                []string
		found                string
	}{
		{"GET", "/shipments/%v", "", "q.QueryRow(", []string{"5", "700", "730", "731"}, `200 {"value":1}`},
		{
			"GET", "/stock?%v", "", "FROM stock",
			[]string{
				"warehouse=1&shelf=1", "warehouse=300&shelf=1", "warehouse=311&shelf=1", "warehouse=311&shelf=86",
				"warehouse=311&shelf=87",
			},
			`200 {"value":40}`,
		},
		{"GET", "/vouchers/%v", "", "FROM vouchers", []string{"x", "xx", "MAYxx", "MAY9", "MAY4"}, `200 {"value":10}`},
		{
			"GET", "/rates?%v", "", "FROM rates",
			[]string{"zone=A&grams=1", "zone=M&grams=1", "zone=N&grams=1", "zone=N&grams=1500", "zone=N&grams=1501"},
			`200 {"value":990}`,
		},
		{
			"POST", "/logins", `{"badge":%v}`, "FROM staff",
			[]string{`1,"pin":1`, `2040,"pin":1`, `2041,"pin":1`, `2041,"pin":740`, `2041,"pin":739`},
			`200 {"value":1}`,
		},
		{
			"POST", "/returns", `{"receipt":%v}`, "FROM receipts",
			[]string{`7000,"item":12`, `7001,"item":12`, `7001,"item":31`},
			`201 {"value":450}`,
		},
		{"POST", "/orders", `{"amount":1,"sku":"%v"}`, "FROM products", []string{"t", "tx", "taa", "tec", "tea"}, `201 {"value":1}`},
	} {
		last, said := 0.0, ""
		for i, step := range c.steps {
			w.Reset()
			said = call(c.method, strings.ReplaceAll(c.target, "%v", step), strings.ReplaceAll(c.body, "%v", step))
			near := w.nearRows(c.line)
			if !(last < near) || (near == 1) != (i == len(c.steps)-1) {
				t.Errorf("%s %s: %v, was %v", c.line, step, near, last)
			}
			last = near
		}
		if said != c.found {
			t.Errorf("%s: answered %s, want %s", c.line, said, c.found)
		}
	}
	w.rowTold(call)
}

// isQuery reports whether a predicate belongs to a query.
func (w *watched) isQuery(pred int) bool {
	return slices.ContainsFunc(w.manifest.Targets, func(t probedata.Target) bool {
		return t.Kind == probedata.QueryRows && t.Terms[0].Pred == pred
	})
}

// rowTold checks that the comparisons of a query with the nearest row can be read: their operands and operators.
func (w *watched) rowTold(call func(method, target, body string) string) {
	w.t.Helper()
	w.WatchOperands(true)
	for _, c := range []struct{ method, target, body, want string }{
		{"POST", "/logins", `{"badge":2040,"pin":1}`, "2041 == 2040, 739 == 1"},
		{"GET", "/vouchers/MAYxx", "", "MAY4 == MAYxx"},
		{"GET", "/rates?zone=N&grams=1500", "", "N == N, 1500 < 1500, 2000 >= 1500"},
	} {
		w.Reset()
		call(c.method, c.target, c.body)
		var got []string
		for _, o := range w.AppendOperands(nil) {
			if w.isQuery(o.Slot / 2) {
				got = append(got, fmt.Sprint(text(o.A), " ", o.Op, " ", text(o.B)))
			}
		}
		if strings.Join(got, ", ") != c.want {
			w.t.Errorf("%s: got %v, want %s", c.target, got, c.want)
		}
	}
}

// nearRows finds the source line that contains text, and returns how near its query came to finding a row: the score of its
// QueryRows target, or 0 if there is none.
func (w *watched) nearRows(text string) float64 {
	w.t.Helper()
	for _, s := range w.AppendScores(nil) {
		for _, t := range w.manifest.Targets {
			if t.ID == s.Target && t.Kind == probedata.QueryRows &&
				strings.Contains(lineOf(w.t, w.manifest.Files[t.File].Path, t.Line), text) {
				return s.H
			}
		}
	}
	return 0
}

func lineOf(t *testing.T, file string, n int) string {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(source), "\n")[n-1]
}
