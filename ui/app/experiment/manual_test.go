package experiment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model/config"
	"sonde/runner/instrument/probe"
	"sonde/runner/lab/study"

	"golang.org/x/tools/txtar"
)

// withTests is a service with a test of a unit and a test by HTTP. Both reach the function size.
const withTests = `
-- go.mod --
module example.com/shop

go 1.22
-- main.go --
package main

import (
	"fmt"
	"net/http"
)

func main() { http.ListenAndServe("127.0.0.1:0", http.HandlerFunc(serve)) }

func serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Size", "1")
	fmt.Fprint(w, size(r.URL.Path))
}

func size(text string) int { return len(text) }

func unused() int { return 1 }
-- unit_test.go --
package main

import "testing"

func TestUnit(t *testing.T) {
	if size("ab")+unused() != 3 {
		t.Error("not 3")
	}
}
-- http_test.go --
package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestHTTP(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(serve))
	defer s.Close()
	if _, err := http.Get(s.URL); err != nil {
		t.Error(err)
	}
}
`

// Statements are counted for each group of tests, and for both groups together. A statement that both groups reach
// counts once.
func TestRunManual(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds tests: left out by -short")
	}
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(withTests)).Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	unit, calls := strings.Fields("go test -run TestUnit ."), strings.Fields("go test -run TestHTTP .")
	for _, c := range []struct {
		tests config.ManualTests
		want  study.ManualCoverage
	}{
		{config.ManualTests{All: strings.Fields("go test ./...")}, study.ManualCoverage{Total: 4, Unit: -1, HTTP: -1}},
		{config.ManualTests{Unit: unit}, study.ManualCoverage{Total: 2, Unit: 2, HTTP: -1}},
		{config.ManualTests{Unit: unit, HTTP: calls}, study.ManualCoverage{Total: 4, Unit: 2, HTTP: 3}},
	} {
		got, err := runManual(t.Context(), probe.Options{Dir: dir, Package: "."}, c.tests)
		if err != nil || got != c.want {
			t.Errorf("%+v: got %+v and error %v, want %+v", c.tests, got, err, c.want)
		}
	}
}
