package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
	"sonde/ui/app/suite"
)

// revealed is the demo with counters for its requests and the triggered faults. It reads the faults from
// the header X-Fault, which a search ignores.
type revealed struct {
	http.Handler
	mu     sync.Mutex
	calls  int
	faults map[string]bool
}

func (d *revealed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.Handler.ServeHTTP(w, r)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	if f := w.Header().Get("X-Fault"); f != "" {
		d.faults[f] = true
	}
}

// outside has the operations that answer 2xx only if another host answers. In these tests there are no other hosts.
var outside = map[model.OpID]bool{"POST /stock/{sku}/sync": true}

// searchDemo does the same as "sonde search --demo --calls N --seed S -o DIR".
func searchDemo(t testing.TB, dir string, calls int, seed uint64) (model.Snapshot, *revealed) {
	t.Helper()
	d := &revealed{Handler: demo.NewShop(demo.Config{Reveal: true}), faults: map[string]bool{}}
	server := httptest.NewServer(d)
	defer server.Close()
	spec, err := service.LoadDemo(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s := searchrun.Settings{
		Source:   service.DemoSource,
		Service:  service.DemoAt(server.URL),
		Limits:   model.Limits{Calls: calls},
		Tuning:   model.DefaultTuning(),
		Sampling: model.DefaultSampling(),
		Seed:     seed,
		Folder:   dir,
	}
	run, err := s.StartRun(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	last := run.Wait()
	if last.Err != nil {
		t.Fatal(last.Err)
	}
	return last, d
}

func TestSearchOfTheDemo(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	const calls = 2000
	dir := t.TempDir()
	last, d := searchDemo(t, filepath.Join(dir, "run"), calls, 1)
	if d.calls > calls || d.calls != last.Summary.Calls {
		t.Errorf("%d requests arrived, summary says %d, budget %d", d.calls, last.Summary.Calls, calls)
	}
	if len(d.faults) < 5 {
		t.Errorf("struck %d faults, want at least 5: %v", len(d.faults), d.faults)
	}
	spec, _ := service.LoadDemo(context.Background())
	within, answered := 0, 0
	for _, op := range spec.Operations {
		if outside[op.ID] {
			continue
		}
		within++
		if has2xx(last.Grid[op.ID]) {
			answered++
		}
	}
	if answered*10 < within*9 {
		t.Errorf("%d of %d operations answered 2xx, want 90%%", answered, within)
	}
	searchDemo(t, filepath.Join(dir, "again"), calls, 1)
	if a, b := read(t, dir, "run"), read(t, dir, "again"); !bytes.Equal(a, b) {
		t.Error("the same seed gave another suite.json")
	}
	exportAndRun(t, dir)
}

func has2xx(counts map[int]int) bool {
	for status := range counts {
		if status/100 == 2 {
			return true
		}
	}
	return false
}

func read(t *testing.T, dir, run string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, run, "suite.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(data) {
		t.Fatalf("suite.json of %s is no JSON", run)
	}
	return data
}

// exportAndRun exports the tests of the run, compiles them, and runs them three times against one new demo.
func exportAndRun(t *testing.T, dir string) {
	t.Helper()
	run, err := codec.OpenRun(filepath.Join(dir, "run"))
	if err != nil {
		t.Fatal(err)
	}
	path, _, err := suite.WriteFiles(filepath.Join(dir, "tests"), suite.DefaultFormat, suite.FromRun(run.RunHeader, run.Tests, ""), false)
	if err != nil {
		t.Fatal(err)
	}
	fresh := httptest.NewServer(demo.NewShop(demo.Config{}))
	defer fresh.Close()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "tests.exe")
	in := func(cmd *exec.Cmd) {
		cmd.Dir = filepath.Dir(path)
		cmd.Env = append(os.Environ(), "SONDE_BASE_URL="+fresh.URL)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("exported tests fail: %v\n%s", err, out)
		}
	}
	in(exec.Command("go", append([]string{"test", "-c", "-ldflags=-s", "-o", binary}, files...)...))
	for range 3 {
		in(exec.Command(binary))
	}
}

// BenchmarkSearchOfTheDemo measures a whole run of 5,000 calls with the demo in the same process,
// each time with another seed.
func BenchmarkSearchOfTheDemo(b *testing.B) {
	calls, faults, covered, seed := 0, 0, 0, uint64(0)
	for b.Loop() {
		seed++
		last, d := searchDemo(b, filepath.Join(b.TempDir(), "run"), 5000, seed)
		calls += last.Summary.Calls
		faults += len(d.faults)
		covered += last.Summary.With2xx
	}
	b.ReportMetric(float64(calls)/b.Elapsed().Seconds(), "calls/s")
	b.ReportMetric(float64(faults)/float64(seed), "faults/run")
	b.ReportMetric(float64(covered)/float64(seed), "2xx-operations/run")
}
