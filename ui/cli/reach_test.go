package cli

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/lab/stat"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
)

var (
	reachSeeds = flag.Int("reach", 0, "number of seeds for measuring what each way to sample tests reaches")
	reachCalls = flag.Int("reach-calls", 10_000, "the calls of each of these searches")
	reachOn    = flag.String("reach-on", "", "measure only on the services whose names have this in them")
	reachKeep  = flag.Bool("reach-keep", false, "measure without resets: what a test creates is there in the next")
	reachWays  = flag.String("reach-ways", "", "measure only the ways of these names, apart by commas, besides the first")
)

// samplings are the ways of sampling that TestReach compares with the first one, in which all probabilities are 0.
var samplings = []struct {
	name string
	model.Sampling
}{
	{"plain", model.Sampling{}},
	{"invalid", model.Sampling{Invalid: 0.1}},
	{"sequel", model.Sampling{Sequel: 0.2}},
	{"edge", model.Sampling{Edge: 0.3}},
	{"echo", model.Sampling{Echo: 0.3}},
	{"pool", model.Sampling{Pool: 0.05}},
	{"sweep", model.Sampling{Sweep: 0.5}},
	{"distilled", model.Sampling{Distilled: 0.2}},
	{"plain + binary", model.Sampling{Binary: 1}},
	{"plain + skip-initial", model.Sampling{SkipInitial: 1}},
	{"paper", paper(func(*model.Sampling) {})},
	{"paper + scores", paper(func(s *model.Sampling) { s.Binary = 0 })},
	{"paper + initial", paper(func(s *model.Sampling) { s.SkipInitial = 0 })},
	{"paper + templates", paper(func(s *model.Sampling) { s.PlainTemplates = 0 })},
	{"paper + values", paper(func(s *model.Sampling) { s.Uniform = 0 })},
	{"paper + users", paper(func(s *model.Sampling) { s.AnyUser = 0 })},
	{"paper + invalid", paper(func(s *model.Sampling) { s.Invalid = 0.1 })},
	{"paper + sequel", paper(func(s *model.Sampling) { s.Sequel = 0.2 })},
	{"paper + edge", paper(func(s *model.Sampling) { s.Edge = 0.3 })},
	{"paper + echo", paper(func(s *model.Sampling) { s.Echo = 0.3 })},
	{"paper + pool", paper(func(s *model.Sampling) { s.Pool = 0.05 })},
	{"paper + sweep", paper(func(s *model.Sampling) { s.Sweep = 0.45 })},
	{"paper + negative", paper(func(s *model.Sampling) { s.Negative = 0.1 })},
	{"paper + interactions", paper(func(s *model.Sampling) { s.Interactions = 0.05 })},
	{"paper + attempts", paper(func(s *model.Sampling) { s.Attempts = 0.25 })},
	{"paper + checks", paper(func(s *model.Sampling) { s.SkipChecks = 0 })},
	{"paper + follow-ups", paper(func(s *model.Sampling) { s.SkipFollowUps = 0 })},
	{"paper + fewer resets", paper(func(s *model.Sampling) { s.EveryReset = 0 })},
	{"paper + ties", paper(func(s *model.Sampling) { s.PlainTies = 0 })},
	{"paper + stop at 3xx", paper(func(s *model.Sampling) { s.AfterRedirect = 0 })},
	{"usual", model.DefaultSampling()},
	{"usual - edge", usual(func(s *model.Sampling) { s.Edge = 0 })},
	{"usual - echo", usual(func(s *model.Sampling) { s.Echo = 0 })},
	{"usual - pool", usual(func(s *model.Sampling) { s.Pool = 0 })},
	{"usual - sweep", usual(func(s *model.Sampling) { s.Sweep = 0 })},
	{"usual - negative", usual(func(s *model.Sampling) { s.Negative = 0 })},
	{"usual - attempts", usual(func(s *model.Sampling) { s.Attempts = 0 })},
	{"usual - interactions", usual(func(s *model.Sampling) { s.Interactions = 0 })},
	{"usual + refusals", usual(func(s *model.Sampling) { s.Refusals = 0.5 })},
	{"usual + distilled", usual(func(s *model.Sampling) { s.Distilled = 0.2 })},
	{"usual + binary", usual(func(s *model.Sampling) { s.Binary = 1 })},
	{"usual + skip-initial", usual(func(s *model.Sampling) { s.SkipInitial = 1 })},
}

// usual returns the sampling of the default strategy after it was changed by the given function. paper does the same
// for the strategy of the EvoMaster paper.
func usual(change func(*model.Sampling)) model.Sampling {
	return changed(model.StrategyDefault, change)
}
func paper(change func(*model.Sampling)) model.Sampling { return changed(model.StrategyPaper, change) }

func changed(strategy model.Strategy, change func(*model.Sampling)) model.Sampling {
	s, _ := strategy.Sampling()
	change(&s)
	return s
}

// target is a service for the comparison of searches.
type target struct {
	name      string
	reachable []string // what the service can answer, such as "GET /units 200"
	faults    []string // IDs of the service's faults
	// open starts the service. met returns the IDs of the faults that were triggered so far.
	open func(t testing.TB) (s searchrun.Settings, spec *model.Spec, met func() map[string]bool)
}

func theDemo(t testing.TB) target {
	return target{name: "demo", reachable: pairs(
		t, "../../assets/demo/reachable.txt",
	), faults: faultsWithoutHosts(), open: func(t testing.TB) (searchrun.Settings, *model.Spec, func() map[string]bool) {
		d := &revealed{Handler: demo.NewShop(demo.Config{Reveal: true}), faults: map[string]bool{}}
		server := httptest.NewServer(d)
		t.Cleanup(server.Close)
		spec, err := service.LoadDemo(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		settings := searchrun.Settings{Source: service.DemoSource, Service: service.DemoAt(server.URL)}
		return settings, spec, func() map[string]bool { return d.faults }
	}}
}

// studied returns one of the services in runner/testdata/services. The service prints the ID of each triggered fault.
func studied(t testing.TB, name string) target {
	t.Helper()
	dir := filepath.Join("../../runner/testdata/services", name)
	program := filepath.Join(t.TempDir(), name)
	if out, err := exec.Command("go", "build", "-o", program, "./"+dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	in := target{name: name, reachable: pairs(t, filepath.Join(dir, "reachable.txt"))}
	for i := range 8 {
		in.faults = append(in.faults, fmt.Sprintf("F%02d", i+1))
	}
	in.open = func(t testing.TB) (searchrun.Settings, *model.Spec, func() map[string]bool) {
		spec, err := openapi.Load(context.Background(), filepath.Join(dir, "openapi.yaml"), openapi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		url, end := run(t, program)
		return searchrun.Settings{
				Source:  name,
				Service: service.Service{URL: url, Reset: &model.Reset{Method: "POST", Path: "/__reset"}},
			}, spec, func() map[string]bool {
				met := map[string]bool{}
				for _, m := range struck.FindAllStringSubmatch(end(), -1) {
					met[m[1]] = true
				}
				return met
			}
	}
	return in
}

var struck = regexp.MustCompile(`(?m)^fault (F[0-9]+):`)

// run starts a program and returns the URL in its first line of output. The function end stops the program and returns
// the rest of the output.
func run(t testing.TB, program string) (url string, end func() string) {
	t.Helper()
	cmd := exec.Command(program)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	b := bufio.NewReader(out)
	line, err := b.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	rest := make(chan string)
	go func() {
		text, _ := io.ReadAll(b)
		rest <- string(text)
	}()
	return strings.TrimSpace(line), func() string {
		cmd.Process.Kill()
		defer cmd.Wait()
		return <-rest
	}
}

// faultsWithoutHosts returns the IDs of the demo's faults that need no other host.
func faultsWithoutHosts() (ids []string) {
	for _, f := range demo.BuiltInFaults() {
		if !f.Outside {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// pairs reads a file of operations with statuses, one per line.
func pairs(t testing.TB, path string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if pair := strings.TrimSpace(line); !strings.HasPrefix(pair, "#") {
			all = append(all, pair)
		}
	}
	return all
}

// searchFigures has the results of several searches. Each measure has one number for each seed.
type searchFigures struct {
	pairs, faults, with2 []float64
	missed               map[string]int // key: target; value: number of searches that missed the target
}

// searches runs n searches of a service with the seeds 1 to n, and returns their results.
func searches(t testing.TB, in target, s model.Sampling, calls, n int) searchFigures {
	t.Helper()
	r := searchFigures{missed: map[string]int{}}
	for seed := range n {
		set, spec, met := in.open(t)
		set.Limits, set.Tuning, set.Sampling, set.Seed = model.Limits{Calls: calls}, model.DefaultTuning(), s, uint64(seed+1)
		if *reachKeep {
			set.Service.Reset = nil
		}
		set.Folder = filepath.Join(t.TempDir(), "run")
		search, err := set.StartRun(context.Background(), spec)
		if err != nil {
			t.Fatal(err)
		}
		last := search.Wait()
		if last.Err != nil {
			t.Fatal(last.Err)
		}
		r.add(in, last, met())
	}
	return r
}

// add adds the results of one search.
func (r *searchFigures) add(in target, last model.Snapshot, faults map[string]bool) {
	covered := map[string]bool{}
	for _, test := range last.Tests {
		for _, id := range test.Covers {
			covered[id] = true
		}
	}
	r.pairs = append(r.pairs, 100*float64(r.count(in.reachable, covered))/float64(len(in.reachable)))
	r.faults = append(r.faults, float64(r.count(in.faults, faults)))
	r.with2 = append(r.with2, float64(last.Summary.With2xx))
}

func (r *searchFigures) count(wanted []string, have map[string]bool) (n int) {
	for _, id := range wanted {
		if have[id] {
			n++
		} else {
			r.missed[id]++
		}
	}
	return n
}

// The median search of 10,000 calls covers 85% of the demo's reachable targets and finds all but one
// of its faults that need no other host. One search of 3,000 calls covers as many targets and finds
// all but five faults. TestReach measures the same with more seeds.
func TestGoalsOnTheDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	of, missed := searchSeries{seeds: 1, calls: 3000}, 5
	if *campaigns {
		of, missed = searchSeries{seeds: 3, calls: 10_000}, 1
	}
	in := theDemo(t)
	r := searches(t, in, model.DefaultSampling(), of.calls, of.seeds)
	if got := median(r.pairs); got < 85 {
		t.Errorf("%.1f%% of the reachable pairs are covered, want 85%%; by seed %v", got, r.pairs)
	}
	if got := median(r.faults); got < float64(len(in.faults)-missed) {
		t.Errorf("%v of %d faults are found; by seed %v", got, len(in.faults), r.faults)
	}
}

// TestReach measures what searches reach with each of the samplings. Run it by:
//
//	go test ./ui/cli -run TestReach -reach 10 -v -timeout 2h
func TestReach(t *testing.T) {
	if *reachSeeds == 0 {
		t.Skip("measures only with -reach SEEDS")
	}
	targets := []target{theDemo(t)}
	for _, name := range []string{"flat", "deep", "nolocation"} {
		targets = append(targets, studied(t, name))
	}
	for _, in := range targets {
		if !strings.Contains(in.name, *reachOn) {
			continue
		}
		first := searches(t, in, samplings[0].Sampling, *reachCalls, *reachSeeds)
		first.log(t, in.name, samplings[0].name, first)
		for _, w := range samplings[1:] {
			if *reachWays == "" || slices.Contains(strings.Split(*reachWays, ","), w.name) {
				searches(t, in, w.Sampling, *reachCalls, *reachSeeds).log(t, in.name, w.name, first)
			}
		}
	}
}

// log logs results and, for comparison, the results with the first sampling.
func (r searchFigures) log(t *testing.T, service, way string, first searchFigures) {
	for _, figure := range []struct {
		what         string
		sample, base []float64
	}{
		{"reachable pairs, %", r.pairs, first.pairs},
		{"distinct X-Fault", r.faults, first.faults},
		{"operations with 2xx", r.with2, first.with2},
	} {
		compare(t, service, way, figure.what, figure.sample, figure.base)
	}
	t.Logf("%-10s %-18s missed: %s", service, way, tally(r.missed))
}

// compare logs a measure and, for comparison, the same measure with the first sampling.
func compare(t *testing.T, service, way, what string, sample, base []float64) {
	_, p := stat.MannWhitney(sample, base)
	t.Logf("%-10s %-18s %-20s mean %6.2f  median %6.2f  A12 %.2f  p %.3f", service, way, what,
		stat.Mean(sample), median(sample), stat.A12(sample, base), p)
}

func median(sample []float64) float64 {
	s := slices.Sorted(slices.Values(sample))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

func tally(counts map[string]int) string {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	for i, k := range keys {
		keys[i] = fmt.Sprintf("%d× %s", counts[k], k)
	}
	return strings.Join(keys, ", ")
}
