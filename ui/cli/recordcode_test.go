package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/generation"

	"golang.org/x/tools/txtar"
)

// parcels is a service in Go. Its answers for light and for heavy parcels have the same shape, but come from
// different branches. Two tickers run other code all the time. One begins when the service starts, and the first
// request starts the other one.
const parcels = `
-- go.mod --
module example.com/parcels

go 1.24
-- sonde.yaml --
spec: openapi.yaml
sut: {build: ., run: ["{binary}", "127.0.0.1:{port}"], ready: /health}
-- openapi.yaml --
openapi: 3.0.3
info: {title: Parcels, version: "1"}
paths:
  /costs:
    get:
      parameters: [{name: grams, in: query, required: true, schema: {type: integer}}]
      responses:
        "200":
          description: what it costs
          content: {application/json: {schema: {type: object, properties: {cents: {type: integer}}}}}
-- main.go --
package main

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

var (
	ticks   atomic.Int64
	started sync.Once
)

func tick() {
	for range time.Tick(time.Millisecond) {
		if n := ticks.Add(1); n%2 == 0 {
			ticks.Add(2)
		} else if n%3 == 0 {
			ticks.Add(3)
		} else {
			ticks.Add(5)
		}
	}
}

func cents(grams int) int {
	if grams > 1000 {
		return 699
	}
	return 270
}

func costs(w http.ResponseWriter, r *http.Request) {
	started.Do(func() { go tick() })
	time.Sleep(5 * time.Millisecond)
	grams, _ := strconv.Atoi(r.FormValue("grams"))
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, "{\"cents\":%d}", cents(grams))
}

func main() {
	go tick()
	http.HandleFunc("/health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("/costs", costs)
	fmt.Println(http.ListenAndServe(os.Args[1], nil))
}
`

// A recording of a Go service that Sonde builds has the code that the service ran for each request, without the code
// of tickers. If two exchanges have the same shape but ran different branches, both become tests. If they ran the
// same branches, or if the recording has no code, only one of them becomes a test.
func TestRecordedCode(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("it builds a service with probes")
	}
	t.Parallel()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(parcels)).Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := recording(t, "--config", filepath.Join(dir, "sonde.yaml"), "--net")
	for range 3 {
		for _, grams := range []int{100, 5000, 200} {
			request(t, "GET", fmt.Sprint(r.in, "/costs?grams=", grams), "", 200)
		}
	}
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() { request(t, "GET", r.in+"/costs?grams=300", "", 200) })
		all.Go(func() { request(t, "GET", r.in+"/costs?grams=5000", "", 200) })
	}
	all.Wait()
	r.ended(t, 0)
	rec, err := codec.OpenRecording(r.folder)
	if err != nil || len(rec.Served) != 29 {
		t.Fatalf("%d requests, %v", len(rec.Served), err)
	}
	checkRecordedCode(t, rec)

	tests := filepath.Join(t.TempDir(), "tests")
	report := generatedReport(t, r.folder, tests)
	if len(report.Tests) != 2 || report.Code == nil || report.Code.ByCode != 2 || report.Code.Chosen != report.Code.Recorded ||
		!slices.ContainsFunc(report.Tests, func(test generation.ReportedTest) bool {
			return test.Chosen == "it runs 1 statement and 1 branch that no exchange chosen before it runs"
		}) {
		t.Errorf("got %+v, %+v", report.Tests, report.Code)
	}
	forgetCode(t, filepath.Join(r.folder, codec.ExchangesFile))
	if report := generatedReport(t, r.folder, tests); len(report.Tests) != 1 || report.Code != nil {
		t.Errorf("without code: got %+v, %+v", report.Tests, report.Code)
	}
}

// checkRecordedCode checks the code that the requests to parcels ran, except for the first one, which also started a
// ticker. Requests for light parcels ran the same code, and so did requests for heavy parcels. The first nine
// requests came one after the other. The others came at the same time. Code that several of them ran is recorded only
// for the first of these, so each may have only a part of the code.
func checkRecordedCode(t *testing.T, rec model.Recording) {
	t.Helper()
	want := map[string]model.TargetSet{}
	for i, x := range rec.Served[1:] {
		if x.Covered == nil || x.CoveredByOthers {
			t.Fatalf("request %d ran unknown code", i)
		}
		kind := map[bool]string{true: "heavy", false: "light"}[strings.HasSuffix(x.Request.URL, "=5000")]
		if want[kind] == nil {
			want[kind] = x.Covered
		}
		more := slices.Collect(x.Covered.Without(want[kind]))
		less := slices.Collect(want[kind].Without(x.Covered))
		if len(more) > 0 || i < 8 && len(less) > 0 {
			t.Errorf("request %d, %s: ran also %v, but not %v, unlike another one of its kind", i, kind, more, less)
		}
	}
	for _, kind := range []string{"heavy", "light"} {
		statements := 0
		for target := range want[kind].All() {
			statements += rec.CodeStatements[target]
		}
		if statements != 7 { // 5 of costs, 2 of cents
			t.Errorf("%s: %d statements, want 7", kind, statements)
		}
	}
}

// generatedReport makes the tests of a recording, without playing them, and returns the report.
func generatedReport(t *testing.T, rec, tests string) (report generation.Report) {
	t.Helper()
	c := bounded(t, program(t), "generate", rec, "-o", tests, "--no-run", "--force", "--json")
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return report
}

// forgetCode removes the sets of executed code from a file of exchanges. The file is then like a recording of a
// service that Sonde did not build, although its requests still refer to these sets.
func forgetCode(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.SplitAfter(string(data), "\n"), func(line string) bool {
		return strings.HasPrefix(line, `{"code"`) || strings.HasPrefix(line, `{"covered"`)
	})
	if err := os.WriteFile(file, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
}
