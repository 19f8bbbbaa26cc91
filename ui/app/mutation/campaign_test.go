package mutation

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/runner/campaign"
	"sonde/runner/campaign/broker"
	"sonde/runner/instrument/probe"
	"sonde/runner/lab/mutate"
	"sonde/runner/network/netns"
	"sonde/ui/app/experiment"
)

// The test binary is also the keeper of network namespaces.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == netns.KeeperCommand {
		os.Exit(netns.RunKeeper(os.Args[2:]))
	}
	os.Exit(m.Run())
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Tests are packed with what they need: their folder, the module's version of Go, or the whole module.
func TestPackTests(t *testing.T) {
	outer := t.TempDir()
	for name, text := range map[string]string{
		"alone/a_test.go":         "package a\nimport \"testing\"\n",
		"alone/bodies/1.json":     "{}",
		"shop/go.mod":             "// a shop\nmodule example.com/shop\n\ngo 1.24\n",
		"shop/main.go":            "package main\n",
		"shop/results.ndjson":     "{}",
		"shop/plain/a_test.go":    "package a\nimport \"testing\"\n",
		"shop/own/a_test.go":      "package a\nimport \"example.com/shop/port\"\n",
		"shop/foreign/a_test.go":  "package a\nimport \"example.com/other\"\n",
		"shop/foreign/.git/HEAD":  "ref",
		"shop/foreign/b.golden":   "text",
		"nodots/go.mod":           "module shop\n",
		"nodots/own/a_test.go":    "package a\nimport \"shop/port\"\n",
		"nodots/port/port.go":     "package port\n",
		"nodots/broken/a_test.go": "packag",
	} {
		write(t, filepath.Join(outer, filepath.FromSlash(name)), text)
	}
	without := []string{filepath.Join(outer, "shop", "results.ndjson")}
	shop := []string{"foreign/a_test.go", "foreign/b.golden", "go.mod", "main.go", "own/a_test.go", "plain/a_test.go"}
	for _, c := range []struct {
		dir, inside string
		files       []string
	}{
		{"alone", ".", []string{"a_test.go", "bodies/1.json"}},
		{"shop/plain", "plain", []string{"go.mod", "plain/a_test.go"}},
		{"shop/own", "own", shop},
		{"shop/foreign", "foreign", shop},
		{"nodots/own", "own", []string{"broken/a_test.go", "go.mod", "own/a_test.go", "port/port.go"}},
	} {
		packed, inside, err := packTests(t.Context(), filepath.Join(outer, filepath.FromSlash(c.dir)), without)
		if err != nil || inside != c.inside {
			t.Errorf("%s: inside %q, %v", c.dir, inside, err)
			continue
		}
		to := filepath.Join(t.TempDir(), "unpacked")
		if err := campaign.Unpack(packed, to); err != nil {
			t.Fatal(err)
		}
		var got []string
		filepath.WalkDir(to, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				got = append(got, filepath.ToSlash(strings.TrimPrefix(path, to+string(filepath.Separator))))
			}
			return err
		})
		if !slices.Equal(got, c.files) {
			t.Errorf("%s: got %q, want %q", c.dir, got, c.files)
		}
	}
	if _, _, err := packTests(t.Context(), filepath.Join(outer, "nodots", "broken"), nil); err == nil {
		t.Error("tests that cannot be read are packed")
	}
}

func TestRelative(t *testing.T) {
	for pattern, want := range map[string]string{
		"./cmd": "./cmd", "example.com/shop": "example.com/shop", "/src/shop/cmd": "./cmd", "/src/shop": "./.", "/src/a/...": "./../a/...",
	} {
		if got := relative("/src/shop", pattern); got != want {
			t.Errorf("%s: got %s, want %s", pattern, got, want)
		}
	}
}

// A worker without permission gets no files.
func TestTesterIsRefused(t *testing.T) {
	r := &Tester{Cache: t.TempDir()}
	_, err := r.Execute(t.Context(), campaign.Task{Payload: json.RawMessage(`{"analysis":"x","id":"y"}`)})
	if !errors.Is(err, campaign.ErrRefused) || !strings.Contains(err.Error(), "--allow-build") {
		t.Error(err)
	}
}

// shop writes a module with a service, its tests, and a package that the tests import.
func shop(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	lab := filepath.Join("..", "..", "..", "runner", "lab", "mutate", "testdata")
	for from, to := range map[string]string{
		filepath.Join(lab, "shop", "go.mod"):                                  "go.mod",
		filepath.Join(lab, "shop", "main.go"):                                 "cmd/main.go",
		filepath.Join(lab, "tests", "sales_test.go"):                          "sales/sales_test.go",
		filepath.Join("..", "..", "..", "runner", "testdata", "port/port.go"): "port/port.go",
	} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "sonde/runner/testdata/port", "example.com/shop/port")
		write(t, filepath.Join(root, filepath.FromSlash(to)), text)
	}
	return root
}

// A tester gets the same results as the coordinator's machine, from the files on the servers. It prepares once for
// all units of an analysis. If its mutants would differ from those of the coordinator, it leaves the units to other
// workers.
func TestTester(t *testing.T) {
	if testing.Short() || !broker.Embeds() {
		t.Skip("builds a service and its mutants, and needs a NATS server")
	}
	root := shop(t)
	s := openStore(t)
	dir := t.TempDir()
	suite, err := mutate.OpenSuite(t.Context(), filepath.Join(root, "sales"), dir)
	if err != nil {
		t.Fatal(err)
	}
	a, err := mutate.Prepare(t.Context(), mutate.Plan{
		Service: probe.Options{Dir: root, Package: filepath.Join(root, "cmd"), Cover: []string{"./..."}}, Suite: suite,
		Operators: mutate.Operators, Sample: 2, Jobs: 2, Dir: dir, Alone: netns.CheckSupport() == nil,
	})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := mutate.OpenLog("", a.Head)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Run(t.Context(), alone); err != nil {
		t.Fatal(err)
	}
	log, err := mutate.OpenLog("", a.Head)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Distribute(t.Context(), s, a, log, Source{Results: filepath.Join(root, "results.ndjson")})
	if err != nil {
		t.Fatal(err)
	}
	about, err := d.Describe()
	if err != nil || about.Units != a.Made || d.Skipped() != a.Made-2 {
		t.Errorf("%d units of %d mutants, %d skipped, %v", about.Units, a.Made, d.Skipped(), err)
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	r := &Tester{Cache: t.TempDir(), Permissions: experiment.Permissions{Build: true}}
	w := d.Work()
	for unit := range about.Units {
		if w.IsDone(unit) {
			continue
		}
		if value, err := r.Execute(t.Context(), task(t, s, w, unit)); err != nil {
			t.Error(err)
		} else if data, err := json.Marshal(value); err != nil || w.Handle(unit, data) != nil || !w.IsDone(unit) {
			t.Errorf("the result of unit %d is not taken: %v", unit, err)
		}
		if err := w.Handle(unit, json.RawMessage(`{"id":"other","status":"killed"}`)); err == nil {
			t.Error("the result of another mutant is taken")
		}
	}
	want, got := a.Results(alone), a.Results(log)
	for i := range got {
		got[i].Seconds = want[i].Seconds
	}
	if wanted, err := json.Marshal(want); err != nil || string(wanted) != encode(t, got) || len(got) != 2 {
		t.Errorf("got %s, want %s, %v", encode(t, got), wanted, err)
	}
	if len(r.prepared) != 1 {
		t.Errorf("%d preparations", len(r.prepared))
	}
	testOtherGo(t, s, r, d.sent)
	if err := w.Fail(0, "no reason"); err != nil || d.Err() == nil || !strings.Contains(d.Err().Error(), "no reason") {
		t.Errorf("%v, %v", err, d.Err())
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(temporary, "sonde-*")); len(left) > 0 {
		t.Errorf("files are left: %q", left)
	}
}

// testOtherGo gives a tester a unit of a coordinator with another version of Go.
func testOtherGo(t *testing.T, s *campaign.Store, r *Tester, sent string) {
	t.Helper()
	data, err := s.Input(t.Context(), sent, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var a sentAnalysis
	if err := json.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	a.Basis.Go = "go1.1 plan9/386"
	other, err := s.PutInput(t.Context(), []byte(encode(t, a)))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		unit := encode(t, sentMutant{Analysis: other, ID: "x"})
		_, err = r.Execute(t.Context(), campaign.Task{Store: s, Payload: json.RawMessage(unit)})
		if !errors.Is(err, campaign.ErrRefused) || !strings.Contains(err.Error(), "the coordinator with go1.1 plan9/386") {
			t.Error(err)
		}
	}
	if p := r.prepared[other]; p == nil || p.err == nil || isFolder(p.dir) {
		t.Errorf("the reason is not kept, or files are left: %+v", p)
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func task(t *testing.T, s *campaign.Store, w campaign.Work, unit int) campaign.Task {
	t.Helper()
	payload, err := w.Payload(unit)
	if err != nil {
		t.Fatal(err)
	}
	return campaign.Task{Unit: unit, Payload: json.RawMessage(encode(t, payload)), Store: s}
}

func encode(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// openStore starts a NATS server.
func openStore(t *testing.T) *campaign.Store {
	t.Helper()
	server, err := broker.Serve("127.0.0.1", 0, t.TempDir(), "secret")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	conn, err := broker.Connect(context.Background(), server.Options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	s, err := campaign.OpenStore(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
