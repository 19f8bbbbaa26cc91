package export_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
)

// namesLag is how long a name is not listed after its creation. The tests that create names pause longer.
const namesLag = 100 * time.Millisecond

// flawed returns a service with a fault for each of several oracles, until mended is set.
func flawed(mended *atomic.Bool) http.Handler {
	mux := http.NewServeMux()
	answer := func(pattern string, good, bad int, goodBody, badBody string) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			status, body := bad, badBody
			if mended.Load() {
				status, body = good, goodBody
			}
			w.WriteHeader(status)
			io.WriteString(w, body)
		})
	}
	answer("GET /price", 200, 200, `{"items":[{"price":1.5},{"price":2}]}`, `{"items":[{"price":1.5},{"price":"2"}]}`)
	answer("GET /named", 200, 200, `{"name":"x"}`, `{}`)
	answer("GET /state", 200, 200, `{"state":"open","more":1}`, `{"state":"odd","more":1}`)
	answer("GET /closed", 200, 200, `{"a":1}`, `{"a":1,"b/c":2}`)
	answer("GET /day", 200, 200, `{"day":"2026-11-24"}`, `{"day":"today"}`)
	answer("GET /trace", 200, 200, `{"error":"no"}`, `{"error":"goroutine 1 [running]:\nmain.go:1"}`)
	answer("GET /boom", 404, 500, `{}`, `{"error":"boom"}`)
	answer("GET /secret", 401, 200, `{}`, `{"secret":1}`)
	var named atomic.Int64 // the time of the last POST /names
	mux.HandleFunc("GET /names", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if mended.Load() && time.Since(time.UnixMilli(named.Load())) > namesLag {
			io.WriteString(w, `[{"id":7}]`)
		} else {
			io.WriteString(w, `[]`)
		}
	})
	answer("GET /names/page", 200, 200, `{"items":[{"id":8}]}`, `{"items":[{"id":7}]}`)
	answer("GET /names/first", 200, 200, `[{"id":7},{"id":6}]`, `[{"id":7},{"id":6}]`)
	answer("GET /names/more", 200, 200, `{"more":[{"id":8}]}`, `{"more":[{"id":8}]}`)
	answer("GET /names/all", 200, 200, `[{"id":7},{"id":8}]`, `[{"id":7},{"id":8}]`)
	mux.HandleFunc("POST /names", func(w http.ResponseWriter, _ *http.Request) {
		named.Store(time.Now().UnixMilli())
		w.Header().Set("Location", "/names/7")
		w.WriteHeader(201)
		io.WriteString(w, `{"id":7}`)
	})
	answer("DELETE /things/{id}", 204, 204, ``, ``)
	answer("GET /things/{id}", 404, 200, `{}`, `{"id":1}`)
	mux.HandleFunc("POST /things", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(201)
		io.WriteString(w, `{"id":1}`)
	})
	mux.HandleFunc("GET /moved", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", map[bool]string{true: "/things/1", false: "/things/a b"}[mended.Load()])
	})
	size := 1
	mux.HandleFunc("PUT /size", func(w http.ResponseWriter, _ *http.Request) {
		if !mended.Load() {
			size++
		}
		w.WriteHeader(422)
	})
	mux.HandleFunc("GET /size", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"size":%d}`, size)
	})
	return mux
}

// flaws returns the faults of the service that flawed returns.
func flaws() export.Suite {
	fault := func(oracle string, status int, expected, came string, calls ...model.OpID) model.Fault {
		t := model.Test{Origin: model.OriginSearched}
		for i, op := range calls {
			c := model.Call{Op: op, Status: 200}
			if i == len(calls)-1 {
				c.Status = status
			}
			t.Calls = append(t.Calls, c)
		}
		return model.Fault{
			Op: calls[len(calls)-1], Oracle: oracle, Severity: model.SeverityError, Status: status, Expected: expected, Text: came,
			Signature: came, Verdict: model.VerdictReproducible, Calls: len(calls), Test: &t,
		}
	}
	gone := fault(
		"readable-after-delete", 200, "404 or 410, as call 2 deleted it", "{}", "POST /things",
		"DELETE /things/{id}", "GET /things/{id}",
	)
	gone.Test.Calls[0].Status, gone.Test.Calls[1].Status = 201, 204
	for i := 1; i < 3; i++ {
		gone.Test.Calls[i].Args = []model.Arg{{In: model.InPath, Name: "id", Value: "x"}}
		gone.Test.Links = append(gone.Test.Links, model.Link{From: 0, To: i, Pointer: "/id", In: model.InPath, Name: "id"})
	}
	applied := fault(
		"write-refused-but-applied", 200, `"size" as before, as call 2 was answered 422`, "2", "GET /size",
		"PUT /size", "GET /size",
	)
	applied.Test.Calls[1].Status = 422
	unlisted := fault(
		"created-not-listed", 200, `"/*/id" has "/id" of call 1, which created the element`, "[]", "POST /names", "GET /names",
	)
	filtered := fault("inconsistent-filter", 200, `"/*/id" has "Location" of call 1, as this list does`, "[]", "POST /names", "GET /names")
	filtered.Test.Calls[0].Status, unlisted.Test.Calls[0].Status = 201, 201
	filtered.Test.Pause, unlisted.Test.Pause = 2*namesLag, 2*namesLag
	note := fault("undeclared-status", 404, "one of 200", "x", "GET /note")
	note.Severity = model.SeverityNote
	return export.Suite{
		Title: "Flawed", BaseURL: "http://127.0.0.1:1",
		Tests: []model.Test{
			{ID: "t1", Calls: []model.Call{{Op: "GET /named", Status: 200}}, Covers: []string{"GET /named 200"}},
			{
				ID:     "t2",
				Calls:  []model.Call{{Op: "GET /named", Status: 200}, {Op: "GET /boom", Status: 500}},
				Covers: []string{"GET /boom 500"},
			},
			{
				ID:     "t3",
				Calls:  []model.Call{{Op: "GET /boom", Status: 500}, {Op: "GET /size", Status: 200}, {Op: "GET /boom", Status: 500}},
				Covers: []string{"GET /size 200"},
			},
			{ID: "t4", Calls: []model.Call{{Op: "GET /named", Status: 200}}, Covers: []string{"other"}},
		},
		Faults: []model.Fault{
			fault("schema", 200, "/items/*/price of Item is of type number", `"2"`, "GET /price"),
			fault("schema", 200, `the answer of Named has "name"`, "{}", "GET /named"),
			fault("schema", 200, `/state is one of ["open","closed"]`, `"odd"`, "GET /state"),
			fault("schema", 200, `the answer of Closed has no further property`, `"b/c"`, "GET /closed"),
			fault("schema", 200, `/day is a date`, `"today"`, "GET /day"),
			fault("stack-trace", 200, "no stack trace", "Go: goroutine 1 [running]:", "GET /trace"),
			fault("server-error", 500, "a status below 500", "boom", "GET /boom"),
			fault("auth-ignored", 200, "401 or 403, as the caller is anonymous", "{}", "GET /secret"),
			fault("location-not-a-uri", 200, "a Location that is a URI", `"/things/a b"`, "GET /moved"),
			gone, applied, note, unlisted, filtered,
			fault(
				"inconsistent-pages", 200, `on call 2, "/items/*/id" has "/1/id" of call 1, as this list does`, "no page has 8",
				"GET /names/all", "GET /names/page", "GET /names/all",
			),
			fault(
				"inconsistent-pages", 200, `"/items/*/id" has none "/*/id" of call 1, which is another page`, "both have 7",
				"GET /names/first", "GET /names/page",
			),
			fault(
				"inconsistent-filter", 200, `"/items/*/id" has all "/more/*/id" of call 1, which is this list filtered by x`, "no 8",
				"GET /names/more", "GET /names/page",
			),
			fault(
				"inconsistent-sort", 200, `"/items/0/id" is "/1/id" of call 1, as this list is sorted by id`, "8 before 7",
				"GET /names/all", "GET /names/page",
			),
			fault("schema", 200, "/a is one of 2 alternatives", "3", "GET /alternatives"),
		},
	}
}

// buildFaults builds the faults file of a format, if the format needs a build. It vets the file for one
// mode only.
func buildFaults(t *testing.T, f format.Format, dir string, mode export.FaultMode) {
	t.Helper()
	if strings.HasPrefix(f.Name, "go") && mode == export.FailFaults {
		vetGo(t, dir, f.FaultsFile, f.HelpersFile)
	}
	if strings.HasPrefix(f.Name, "go") {
		buildGoFiles(t, dir, f.FaultsFile, f.HelpersFile)
	}
}

// faultsIn runs the faults file of a format.
func faultsIn(t *testing.T, f format.Format, dir, base string) (string, error) {
	t.Helper()
	env := []string{"SONDE_BASE_URL=" + base}
	switch f.Name {
	case "go", "go-table":
		return runGo(t, dir, env)
	case "pytest":
		return runPytestFile(t, dir, env, "-v", f.FaultsFile)
	case "node":
		return outcome(t, dir, env, "node", "--test-reporter=tap", f.FaultsFile)
	case "curl":
		runner(t, "jq")
		return outcome(t, dir, env, "sh", f.FaultsFile)
	case "postman":
		return outcome(t, dir, nil, "newman", "run", "--color", "off", "--env-var", "base_url="+base, f.FaultsFile)
	case "http":
		return sendAll(t, dir, f.FaultsFile, base)
	case "bruno":
		return bruRun(t, filepath.Dir(filepath.Join(dir, f.FaultsFile)), base, nil)
	case "hurl":
		return outcome(t, dir, nil, "hurl", "--test", "--continue-on-error", "--no-color", "--variable", "base_url="+base, f.FaultsFile)
	case "k6":
		return outcome(t, dir, append(env, "K6_NO_USAGE_REPORT=true"), "k6", "run", "--quiet", "--no-color", f.FaultsFile)
	}
	return runJavaClass(t, dir, "SondeFaultsTest", env...)
}

// Each fault has a test that fails while the fault exists and passes after it is fixed. With pin, the test passes while
// the fault exists and fails after it is fixed. With skip, the tests are skipped.
func TestFaultsAreShown(t *testing.T) {
	t.Parallel()
	for name := range playIn {
		t.Run(name, func(t *testing.T) {
			f, _ := format.Named(name)
			var mended atomic.Bool
			var requests atomic.Int32
			flawed := flawed(&mended)
			service := newFar(t)
			service.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				flawed.ServeHTTP(w, r)
			})
			for _, mode := range export.FaultModes {
				suite := flaws()
				suite.FaultMode = mode
				dir, made := written(t, name, suite)
				want := 17
				left := strings.Join(made.Omissions, "\n")
				if !strings.Contains(left, "No test shows the fault schema of GET /alternatives") {
					t.Errorf("%s lacks %q", mode, left)
				}
				if slices.Contains([]string{"hurl", "postman", "http", "bruno"}, name) {
					want = len(made.Faults)
				}
				if name == "bruno" && mode == export.SkipFaults { // it cannot skip a test
					if want > 0 {
						t.Errorf("%s: wrote %q", mode, made.Faults)
					}
					continue
				}
				if len(made.Faults) != want || want < 8 || !slices.Equal(made.Tests, []string{"t1", "t3"}) {
					t.Fatalf("%s: tests %q, faults %q", mode, made.Tests, made.Faults)
				}
				if text := readFile(t, dir, f.TestsFile); strings.Contains(text, "500") {
					t.Errorf("the tests pin a fault:\n%s", text)
				}
				buildFaults(t, f, dir, mode)
				states := []bool{false, true}
				// A skipped test sends no request, so the state of the service does not matter. Newman
				// sends the requests and skips only the assertions.
				silent := mode == export.SkipFaults && name != "postman"
				if silent {
					states = states[:1]
				}
				requests.Store(0)
				for _, now := range states {
					mended.Store(now)
					output, err := faultsIn(t, f, dir, service.URL)
					passes := mode == export.SkipFaults || (mode == export.PinFaults) != now
					if (err == nil) != passes {
						t.Errorf("%s, mended %t: error %v\n%s\n%s", mode, now, err, output, readFile(t, dir, f.FaultsFile))
					}
					counted := !slices.Contains([]string{"postman", "http", "bruno"}, name)
					if !passes && counted && mode == export.FailFaults {
						wantAllFail(t, name, output, want)
					}
				}
				if got := requests.Load(); silent && got > 0 {
					t.Errorf("%s: %d requests were sent, want none", mode, got)
				}
			}
		})
	}
}

// failures match failed tests in the output of runners, by format.
var failures = map[string]string{
	"go":       "--- FAIL: Test",
	"go-table": "    --- FAIL: TestFaults/",
	"pytest":   " FAILED ",
	"node":     "\nnot ok ",
	"curl":     "not ok ",
	"junit5":   " ✘ ",
	"k6":       "level=error",
	"hurl":     "error: ",
}

func wantAllFail(t *testing.T, name, output string, want int) {
	t.Helper()
	if got := strings.Count("\n"+output, failures[name]); got < want {
		t.Errorf("%d tests fail, want %d:\n%s", got, want, output)
	}
}

// If a test turns out to show a fault, an update removes the test from the tests file, even if the test has another
// name there.
func TestOldFilesLoseFaults(t *testing.T) {
	for _, name := range []string{"go", "pytest", "node", "curl"} {
		f, _ := format.Named(name)
		suite := flaws()
		old := suite
		old.Faults = nil
		dir, _ := written(t, name, old)
		path := filepath.Join(dir, f.TestsFile)
		if !strings.Contains(readFile(t, dir, f.TestsFile), "500") {
			t.Fatalf("%s: nothing pins a fault", name)
		}
		text := strings.ReplaceAll(readFile(t, dir, f.TestsFile), "GetNamed_200\n", "GetNamed_Older\n")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.Write(dir, suite, false); err != nil {
			t.Fatal(err)
		}
		if text := readFile(t, dir, f.TestsFile); strings.Contains(text, "500") || strings.Contains(text, "Older") {
			t.Errorf("%s: got\n%s", name, text)
		}
	}
}

// A fault that depends on earlier state has a test only if all tests are requested, because the calls of the test do
// not show the fault on a new service.
func TestFaultsThatDependOnEarlierState(t *testing.T) {
	suite := flaws()
	_, shown := suite.SplitFaults()
	suite.Faults[0].Verdict = model.VerdictEarlierState
	once := *suite.Faults[1].Test
	once.EarlierState = "its values can be used once"
	suite.Faults[1].Test = &once
	for _, all := range []bool{false, true} {
		suite.IncludeEarlierState = all
		_, faults := suite.SplitFaults()
		want := len(shown.Tests)
		if !all {
			want -= 2
		}
		if len(faults.Tests) != want {
			t.Errorf("all %v: %d tests, want %d", all, len(faults.Tests), want)
		}
		if left := strings.Join(faults.UnshownFaults(), "\n"); strings.Contains(left, "depends on earlier state") == all {
			t.Errorf("all %v: left out are %q", all, left)
		}
	}
}
