package search

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/instrument/probe"
	"sonde/runner/instrument/probedata"
	"sonde/runner/target/client"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// lazy is a service that continues to work in the background after its answer.
const lazy = `-- go.mod --
module example.com/lazy

go 1.22
-- main.go --
package main

import (
	"fmt"
	"net/http"
	"os"
	"time"
)

var count int

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.URL)
		switch r.URL.Path {
		case "/reset":
			forget()
		case "/soon":
			go soon()
		case "/later":
			go later()
		}
	})
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)
}

func forget() {
	count = 0
}

func soon() {
	time.Sleep(300 * time.Microsecond)
	count++ // soon after the answer
}

func later() {
	time.Sleep(40 * time.Millisecond)
	count++ // long after the answer
}
`

func skipWithoutSharedMemory(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("memory is not shared by a file")
	}
}

// lazyPlan returns a plan for the lazy service, which is built with probes, and its targets.
func lazyPlan(t *testing.T) (model.Plan, *probedata.Manifest) {
	t.Helper()
	skipWithoutSharedMemory(t)
	if testing.Short() {
		t.Skip("skipped in short mode: it builds a service")
	}
	binary := BuildOnce(t, "lazy", func(path string) error {
		for _, f := range txtar.Parse([]byte(lazy)).Files {
			if err := os.WriteFile(filepath.Join(filepath.Dir(path), f.Name), f.Data, 0o644); err != nil {
				return err
			}
		}
		_, err := probe.Build(context.Background(), probe.Options{Dir: filepath.Dir(path), Package: ".", Out: path})
		return err
	})
	manifest, err := probedata.ReadManifest(binary)
	if err != nil {
		t.Fatal(err)
	}
	spec := &model.Spec{}
	for _, path := range []string{"/soon", "/later", "/nothing"} {
		spec.Operations = append(spec.Operations, &model.Operation{ID: model.OpID("GET " + path), Method: "GET", Path: path})
	}
	return model.Plan{
		Spec: spec, Service: &model.Service{Command: []string{binary}}, Reset: &model.Reset{Method: "POST", Path: "/reset"},
		Probes: &model.Probes{Binary: binary},
	}, manifest
}

// lazily starts the lazy service and returns a function that plays a test of one call.
func lazily(t *testing.T) (c *worker, m *probedata.Manifest, play func(op model.OpID) played) {
	t.Helper()
	p, m := lazyPlan(t)
	c, err := newWorker(p, nil, 0, client.NewPacer(0), m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.service.Stop(); c.tracker.close() })
	c.quota.left = 1000
	ctx := context.Background()
	if err := c.start(ctx); err != nil {
		t.Fatal(err)
	}
	return c, m, func(op model.OpID) played {
		c.unchangedTests = 0 // makes the worker reset the service before each test
		return c.play(ctx, ctx, model.Test{Calls: []model.Call{{Op: op}}})
	}
}

// covers reports whether scores cover a target. The target has the given kind, and is on the line with the given
// text. A call is covered if it was completed, another target if it was reached.
func covers(t *testing.T, m *probedata.Manifest, scores []model.Score, kind probedata.TargetKind, text string) bool {
	t.Helper()
	id := targetAt(t, m, kind, text)
	return slices.ContainsFunc(scores, func(s model.Score) bool { return s.Target == id && isCovered(s) })
}

func targetAt(t *testing.T, m *probedata.Manifest, kind probedata.TargetKind, text string) string {
	t.Helper()
	_, source, _ := strings.Cut(lazy, "-- main.go --\n")
	before, _, found := strings.Cut(source, text)
	if !found {
		t.Fatalf("%q is not in the source", text)
	}
	line := 1 + strings.Count(before, "\n")
	i := slices.IndexFunc(m.Targets, func(of probedata.Target) bool { return of.Kind == kind && of.Line == line })
	if i < 0 {
		t.Fatalf("no %s on line %d with %q", kind, line, text)
	}
	return m.Targets[i].ID
}

// Code that runs after the answer to a test is credited to this test, until the next test begins. Code that runs when
// the service starts or is reset is credited to no test.
func TestTrackerAttributesCoverage(t *testing.T) {
	c, m, play := lazily(t)
	first := play("GET /nothing")
	started := covers(t, m, first.setUpScores, probedata.Statement, "func forget()")
	if !started || covers(t, m, first.codeScores, probedata.Statement, "http.HandleFunc") {
		t.Errorf("set-up %v, then %v", first.setUpScores, first.codeScores)
	}
	waited := false
	for i := 0; i < 50 && !waited; i++ { // on a busy machine the service may be slower than the observer waits
		waited = covers(t, m, play("GET /soon").codeScores, probedata.CallCompleted, "time.Sleep(300")
	}
	if !waited {
		t.Error("what came soon does not count for the test before it")
	}
	if p := play("GET /nothing"); p.setUpScores != nil || p.lateScores != nil ||
		covers(t, m, p.codeScores, probedata.CallCompleted, "time.Sleep(300") {
		t.Errorf("what came soon counts for another test, too: %v", p.lateScores)
	}
	waited = true
	for i := 0; i < 50 && waited; i++ { // on a busy machine the service may be done before the observer reads the probes
		p := play("GET /later")
		waited = covers(t, m, p.codeScores, probedata.CallCompleted, "time.Sleep(40")
		if !covers(t, m, p.codeScores, probedata.Statement, "func later()") {
			t.Error("the beginning of what came later was not seen")
		}
	}
	if waited {
		t.Error("what came later was waited for")
	}
	eye := c.tracker.observer.(*probeObserver)
	eye.settleTests = 0
	for eye.reader.Fingerprint() == eye.activity {
		time.Sleep(time.Millisecond)
	}
	if p := play("GET /nothing"); !covers(t, m, p.lateScores, probedata.CallCompleted, "time.Sleep(40") ||
		covers(t, m, p.codeScores, probedata.CallCompleted, "time.Sleep(40") {
		t.Error("what came later does not count for the test before")
	}
	if eye.settleTests == 0 {
		t.Error("a service that was active late is not waited for")
	}
}

// A service that does not use its probes is searched black-box, with a warning and without coverage.
func TestServiceWithoutItsProbes(t *testing.T) {
	p, _ := lazyPlan(t)
	p.Service.Command = append([]string{"env", "-u", probedata.MemoryVariable}, p.Service.Command...)
	p.Seed, p.Tuning, p.Limits = 1, model.DefaultTuning(), model.Limits{Calls: 20}
	run, err := New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	run.Start(context.Background(), Sink{})
	last := run.Wait()
	warned := slices.ContainsFunc(last.Summary.Warnings, func(w model.Warning) bool { return w.Kind == model.WarnProbes })
	if last.Err != nil || !warned || last.Summary.Code != nil || last.Summary.Calls == 0 {
		t.Errorf("%v, %+v", last.Err, last.Summary)
	}
}

// A black-box search of a service with probes sends the same requests as a black-box search of a service without
// probes.
func TestBlindSearchIgnoresTheProbes(t *testing.T) {
	p, _ := lazyPlan(t)
	op := *p.Spec.Operations[2]
	for _, name := range []string{"a", "b"} {
		op.Params = append(op.Params, model.Parameter{Name: name, In: model.InQuery, Style: "form", Schema: &model.Schema{Type: "string"}})
	}
	p.Spec = &model.Spec{Operations: []*model.Operation{&op}}
	p.Templates = []model.Template{{Steps: []model.TemplateStep{{Op: op.ID, Min: 1, Max: 1}}, Weight: 1}}
	p.Seed, p.Tuning, p.Limits, p.Sampling = 1, model.DefaultTuning(), model.Limits{Calls: 600}, model.DefaultSampling()
	requests := func(probes *model.Probes) string {
		service := *p.Service
		service.Log = filepath.Join(t.TempDir(), "service.log")
		plan := p
		plan.Service, plan.Probes = &service, probes
		run, err := New(context.Background(), plan)
		if err != nil {
			t.Fatal(err)
		}
		run.Start(context.Background(), Sink{})
		if last := run.Wait(); last.Err != nil {
			t.Fatal(last.Err)
		}
		text, err := os.ReadFile(service.Log)
		if err != nil {
			t.Fatal(err)
		}
		_, sent, _ := strings.Cut(string(text), "\n") // the first line has the port
		return sent
	}
	blind := *p.Probes
	blind.Blind = true
	want, got := requests(nil), requests(&blind)
	if n := strings.Count(want, "GET /nothing?"); n < 200 || got != want {
		t.Errorf("%d requests with a query; -without +with probes:\n%s", n, cmp.Diff(want, got))
	}
}

// A search credits late coverage to the test that caused it. It ignores what the start of the service covers.
func TestSearchSeesTheSource(t *testing.T) {
	p, m := lazyPlan(t)
	p.Seed, p.Tuning, p.Limits = 1, model.DefaultTuning(), model.Limits{Calls: 300}
	for _, path := range []string{"/soon", "/later", "/nothing"} {
		step := model.TemplateStep{Op: model.OpID("GET " + path), Min: 1, Max: 1}
		p.Templates = append(p.Templates, model.Template{Steps: []model.TemplateStep{step}, Weight: 1})
	}
	run, err := New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	var covers []model.TestTargets
	var profile string
	run.Start(context.Background(), Sink{SaveCode: func(text []byte, all []model.TestTargets) error {
		profile, covers = string(text), all
		return nil
	}})
	last := run.Wait()
	c := last.Summary.Code
	if last.Err != nil || c == nil || c.Targets != len(m.Targets) || c.SetUp == 0 || c.Covered <= c.SetUp {
		t.Fatalf("%v, %+v", last.Err, c)
	}
	ops := map[string]model.OpID{}
	code := 0
	for _, test := range last.Tests {
		ops[test.ID] = test.Calls[len(test.Calls)-1].Op
		code += test.Code
	}
	if code != c.Covered-c.SetUp {
		t.Errorf("tests are kept for %d targets, %d are covered besides the set-up", code, c.Covered-c.SetUp)
	}
	soon := targetAt(t, m, probedata.Statement, "func soon()")
	if i := slices.IndexFunc(covers, func(by model.TestTargets) bool { return slices.Contains(by.Targets, soon) }); i < 0 ||
		ops[covers[i].Test] != "GET /soon" {
		t.Errorf("what /soon does is kept by %v", ops)
	}
	if statements, _ := c.Totals(); strings.Count(profile, "\n") < 5 || statements.Fraction() < 0.9 {
		t.Errorf("%v covered, profile %s", statements, profile)
	}
}
