package search_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/config"
	"sonde/model/openapi"
	"sonde/model/route"
	"sonde/runner/search"
)

// services are the services for studies, in testdata/services.
var services = []string{"flat", "deep", "nolocation"}

// studied is one of the services for studies.
type studied struct {
	dir       string
	spec      *model.Spec
	plan      model.Plan
	reachable map[string]bool   // "POST /units 201"
	faults    map[string]string // by operation and oracle, such as "GET /units schema": the name of the fault
}

// studiedService reads the files of a service and builds it.
func studiedService(t *testing.T, name string) studied {
	t.Helper()
	s := studied{dir: filepath.Join("..", "testdata", "services", name), reachable: map[string]bool{}, faults: map[string]string{}}
	c, err := config.Load(filepath.Join(s.dir, config.FileName))
	if err != nil {
		t.Fatal(err)
	}
	s.spec, err = openapi.Load(context.Background(), c.Spec, openapi.Options{})
	if err != nil || len(s.spec.Problems) > 0 {
		t.Fatalf("error %v, problems %+v", err, s.spec.Problems)
	}
	s.plan = model.Plan{
		Spec:      s.spec,
		Templates: analysis.Analyze(s.spec, analysis.Options{}).Templates(),
		Service:   c.Service,
		Reset:     c.Reset,
		Users:     c.Users,
		Seed:      1,
		Tuning:    model.DefaultTuning(),
		Sampling:  model.DefaultSampling(),
		Limits:    model.Limits{Calls: 3000},
	}
	s.plan.Service.Command[0], s.plan.Service.Build = program(t, "sonde/runner/testdata/services/"+name), nil
	s.plan.Service.Log = filepath.Join(t.TempDir(), "log")
	for line := range strings.Lines(s.read(t, "reachable.txt")) {
		s.reachable[strings.TrimSpace(line)] = true
	}
	for _, row := range faultRow.FindAllStringSubmatch(s.read(t, "README.md"), -1) {
		s.faults[row[2]+" "+row[3]] = row[1]
	}
	return s
}

// faultRow matches a row of a service's table of faults.
var faultRow = regexp.MustCompile("(?m)^\\| (F\\d\\d) \\| `([^`]+)` \\| `([^`]+)` \\|")

func (s studied) read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// serve starts the service and returns its URL.
func (s studied) serve(t *testing.T) string {
	t.Helper()
	c := exec.Command(s.plan.Service.Command[0])
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		asked := c.Process.Signal(syscall.SIGTERM)
		if asked != nil { // there are no signals on Windows
			c.Process.Kill()
		}
		if err := c.Wait(); err != nil && asked == nil {
			t.Errorf("asked to end, it ended with %v", err)
		}
	})
	var at string
	fmt.Fscanln(out, &at)
	go io.Copy(io.Discard, out)
	return at
}

// scripted matches a line of calls.txt: status, fault, method, target, headers, body.
var scripted = regexp.MustCompile(`^(\d{3})(?: (F\d\d))? ([A-Z]+) (\S+)((?: [A-Za-z-]+:\S+)*)(?: ([^A-Za-z].*))?$`)

// play sends the call of a line and checks the answer.
func play(t *testing.T, at, line string) (method, target string, status int) {
	t.Helper()
	m := scripted.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("%q is no call", line)
	}
	req, err := http.NewRequest(m[3], at+m[4], strings.NewReader(m[6]))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range strings.Fields(m[5]) {
		name, value, _ := strings.Cut(h, ":")
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	if strconv.Itoa(res.StatusCode) != m[1] || res.Header.Get("X-Fault") != m[2] {
		t.Errorf("%s: answered %d %s: %s", line, res.StatusCode, res.Header.Get("X-Fault"), body)
	}
	return m[3], m[4], res.StatusCode
}

// The script calls.txt of a service reaches exactly the listed pairs of an operation and a status, and shows all
// faults.
func TestReachable(t *testing.T) {
	t.Parallel()
	for _, name := range services {
		t.Run(name, func(t *testing.T) {
			s := studiedService(t, name)
			at, router, reached := s.serve(t), route.New(s.spec), map[string]bool{}
			text := s.read(t, "calls.txt")
			for line := range strings.Lines(text) {
				line = strings.TrimSpace(line)
				switch {
				case line == "":
					play(t, at, "204 POST /__reset")
				case line[0] != '#':
					method, target, status := play(t, at, line)
					if op, ok := router.FindOperation(method, target); ok {
						reached[fmt.Sprintf("%s %d", op.Op.ID, status)] = true
					}
				}
			}
			if !maps.Equal(reached, s.reachable) {
				t.Errorf(
					"reached %q,\nsaid to be reachable are %q", slices.Sorted(maps.Keys(reached)),
					slices.Sorted(maps.Keys(s.reachable)),
				)
			}
			for _, fault := range s.faults {
				if !strings.Contains(text, " "+fault+" ") {
					t.Errorf("no call shows %s", fault)
				}
			}
		})
	}
}

// A search finds much of each service, and no fault that was not planted.
func TestSearchServices(t *testing.T) {
	floors := map[string]int{"flat": 23, "deep": 50, "nolocation": 32}
	for _, name := range services {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := studiedService(t, name)
			got := start(t, s.plan, search.Sink{}).Wait()
			if got.Err != nil {
				t.Fatal(got.Err)
			}
			covered, met := s.covered(got), s.met(t)
			t.Logf(
				"%d calls: %d of %d pairs, faults %v of %d", got.Summary.Calls, covered, len(s.reachable),
				slices.Sorted(maps.Keys(met)), len(s.faults),
			)
			if covered < floors[name] {
				t.Errorf("covered %d of %d pairs, want %d at least", covered, len(s.reachable), floors[name])
			}
			for _, f := range got.Faults {
				if fault := s.faults[fmt.Sprintf("%s %s", f.Op, f.Oracle)]; !met[fault] {
					t.Errorf("false alarm: %s breaks %s: expected %s, came %s", f.Op, f.Oracle, f.Expected, f.Text)
				}
			}
		})
	}
}

// covered counts the reachable pairs of an operation and a status for which a run has a test.
func (s studied) covered(got model.Snapshot) int {
	all := map[string]bool{}
	for _, test := range got.Tests {
		for _, target := range test.Covers {
			all[target] = s.reachable[target]
		}
	}
	maps.DeleteFunc(all, func(_ string, reachable bool) bool { return !reachable })
	return len(all)
}

// met returns the names of the faults that the service reported.
func (s studied) met(t *testing.T) map[string]bool {
	t.Helper()
	log, err := os.ReadFile(s.plan.Service.Log)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, m := range saidFault.FindAllStringSubmatch(string(log), -1) {
		all[m[1]] = true
	}
	return all
}

var saidFault = regexp.MustCompile(`(?m)^fault (F\d\d): `)
