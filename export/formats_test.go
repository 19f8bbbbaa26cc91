package export_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"

	"pgregory.net/rapid"
)

// written writes a suite in a format. It returns the folder and the output.
func written(t *testing.T, name string, s export.Suite) (string, format.Output) {
	t.Helper()
	f, err := format.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	_, made, err := f.Write(dir, s, false)
	if err != nil {
		t.Fatal(err)
	}
	return dir, made
}

// runners is the folder of the programs that run exported tests, "" if there is none.
// testdata/runners/install installs them.
var runners = os.Getenv("SONDE_RUNNERS")

// runner returns the path of a program that runs exported tests. It skips the test if the program is not
// installed.
func runner(t *testing.T, program string) string {
	t.Helper()
	path, err := findRunner(program)
	if err != nil {
		t.Skipf("%s is not here: what is exported for it is not run; testdata/runners/install installs it", program)
	}
	return path
}

func findRunner(program string) (string, error) {
	if path, err := exec.LookPath(filepath.Join(runners, "bin", program)); runners != "" && err == nil {
		return path, nil
	}
	return exec.LookPath(program)
}

// outcome runs a program in a folder and returns what it prints.
func outcome(t *testing.T, dir string, env []string, program string, args ...string) (string, error) {
	t.Helper()
	export.LeaveOutIfShort(t)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, runner(t, program), args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	output, err := cmd.CombinedOutput()
	return string(output), err
}

// goBinary is the binary of Go tests, in their folder.
const goBinary = "suite.test"

// buildGo builds the Go tests in a folder, without debug information and without optimizations, which take
// longer than they save.
func buildGo(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		files[i] = filepath.Base(file)
	}
	buildGoFiles(t, dir, files...)
}

// buildGoFiles builds the given files of Go tests in a folder.
func buildGoFiles(t *testing.T, dir string, files ...string) {
	t.Helper()
	export.LeaveOutIfShort(t)
	args := append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-gcflags=-N -l", "-o", goBinary}, files...)
	if output, err := outcome(t, dir, nil, "go", args...); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, output)
	}
}

// vetGo fails if go vet has findings in files of Go tests in a folder.
func vetGo(t *testing.T, dir string, files ...string) {
	t.Helper()
	if output, err := outcome(t, dir, []string{"GO111MODULE=off"}, "go", append([]string{"vet"}, files...)...); err != nil {
		t.Errorf("go vet %s: %v\n%s", strings.Join(files, " "), err, output)
	}
}

// runGo runs the binary that buildGo has built.
func runGo(t *testing.T, dir string, env []string) (string, error) {
	t.Helper()
	return outcome(t, dir, env, filepath.Join(dir, goBinary), "-test.v")
}

// far is a server that records its requests.
type far struct {
	*httptest.Server
	mu       sync.Mutex
	requests []receivedRequest
}

type receivedRequest struct {
	method, target, body string
	header               http.Header
}

func newFar(t *testing.T) *far {
	f := &far{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.requests = append(f.requests, receivedRequest{method: r.Method, target: r.RequestURI, body: string(body), header: r.Header})
	}))
	t.Cleanup(f.Close)
	return f
}

// anyEcho draws a test of one call with unusual texts in every place.
func anyEcho() *rapid.Generator[model.Test] {
	return rapid.Custom(func(t *rapid.T) model.Test {
		c := model.Call{
			Op:     model.OpID(rapid.SampledFrom([]string{"POST", "PUT", "PATCH"}).Draw(t, "method") + " /echo/{a}/{b}"),
			Status: 200,
		}
		for _, a := range []model.Arg{
			{In: model.InPath, Name: "a"},
			{In: model.InPath, Name: "b"},
			{In: model.InHeader, Name: "X-Odd"},
			{In: model.InCookie, Name: "c"},
		} {
			a.Value = export.AnyText().Draw(t, "value")
			c.Args = append(c.Args, a)
		}
		for range rapid.IntRange(0, 2).Draw(t, "queries") {
			c.Args = append(
				c.Args,
				model.Arg{In: model.InQuery, Name: export.AnyText().Draw(t, "name"), Value: export.AnyText().Draw(t, "value")},
			)
		}
		switch rapid.IntRange(0, 2).Draw(t, "body") {
		case 1:
			c.Body = &model.Payload{Media: "text/plain", Data: export.AnyText().Draw(t, "data")}
		case 2:
			data, _ := json.Marshal(export.AnyJSON(3).Draw(t, "json"))
			c.Body = &model.Payload{Media: "application/json", Data: string(data)}
		}
		return model.Test{Calls: []model.Call{c}}
	})
}

// echoes returns a suite of n tests drawn from anyEcho.
func echoes(url string, n int) export.Suite {
	s := export.Suite{BaseURL: url}
	for i := range n {
		test := anyEcho().Example(i)
		test.ID = fmt.Sprint("e", i)
		test.Calls[0].Args = append(test.Calls[0].Args, model.Arg{In: model.InHeader, Name: "X-Test", Value: test.ID})
		s.Tests = append(s.Tests, test)
	}
	return s
}

// wantArrived fails unless the server received the requests of all tests in the files, as the script has
// them.
func wantArrived(t *testing.T, f *far, s export.Suite, made format.Output) {
	t.Helper()
	script, err := s.Script(export.LoginPerCase)
	if err != nil {
		t.Fatal(err)
	}
	var want []export.Request
	for _, c := range script.Cases {
		if slices.Contains(made.Tests, c.ID) {
			want = append(want, c.Steps[0].Request)
		}
	}
	if len(f.requests) != len(want) || len(want) < len(s.Tests)/2 {
		t.Fatalf("%d requests came, want %d of %d", len(f.requests), len(want), len(s.Tests))
	}
	slices.SortFunc(f.requests, func(a, b receivedRequest) int {
		return order(a.header.Get("X-Test"), made.Tests) - order(b.header.Get("X-Test"), made.Tests)
	})
	for i, r := range want {
		got := f.requests[i]
		if wanted := r.Method + " " + text(r.Path); got.method+" "+got.target != wanted {
			t.Errorf("request %d: got %s %q, want %q", i, got.method, got.target, wanted)
		}
		for _, h := range r.Headers {
			if wanted := strings.TrimSpace(text(h.Value)); got.header.Get(h.Name) != wanted {
				t.Errorf("request %d: got the header %s %q, want %q", i, h.Name, got.header.Get(h.Name), wanted)
			}
		}
		if r.Body != nil && got.body != text(r.Body.Parts) {
			t.Errorf("request %d: got the body %q, want %q", i, got.body, text(r.Body.Parts))
		}
	}
}

// order returns the index of a test among those in the file. Some runners play tests in another order.
func order(id string, made []string) int { return slices.Index(made, id) }

func text(parts []export.TextPart) string {
	all := ""
	for _, p := range parts {
		all += p.Text
	}
	return all
}

// readFile returns the text of the file that a format wrote.
func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
