package cli

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/runner/stat"
)

var (
	reachSeeds = flag.Int("reach", 0, "measure with so many seeds what the ways to sample tests reach")
	reachCalls = flag.Int("reach-calls", 10_000, "the calls of each of these searches")
	reachWays  = flag.String("reach-ways", "", "measure only the ways whose names have this in them, besides the first")
)

// ways to sample tests are compared with the first, the paper's.
var ways = []struct {
	name string
	model.Sampling
}{
	{"paper", model.Sampling{}},
	{"invalid", model.Sampling{Invalid: 0.1}},
	{"sequel", model.Sampling{Sequel: 0.2}},
	{"pool", model.Sampling{Pool: 0.05}},
	{"distilled", model.Sampling{Distilled: 0.2}},
	{"usual", model.DefaultSampling()},
	{"usual + pool", func() model.Sampling { s := model.DefaultSampling(); s.Pool = 0.05; return s }()},
	{"usual + distilled", func() model.Sampling { s := model.DefaultSampling(); s.Distilled = 0.2; return s }()},
}

// target is a service that searches are compared on.
type target struct {
	name string
	// reachable are the pairs of operation and status that it can answer, and
	// faults the IDs of those that can strike, as X-Fault has them.
	reachable, faults []string
	open              func(t testing.TB) (settings, *model.Spec, *revealed)
}

func theDemo(t testing.TB) target {
	return target{"demo", pairs(t, "../../assets/demo/reachable.txt"), inside(), func(t testing.TB) (settings, *model.Spec, *revealed) {
		d := &revealed{Handler: demo.New(demo.Config{Reveal: true}), faults: map[string]bool{}}
		server := httptest.NewServer(d)
		t.Cleanup(server.Close)
		spec, err := loadDemo(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return settings{source: demoSource, service: demoAt(server.URL)}, spec, d
	}}
}

// inside are the demo's faults that need nobody outside.
func inside() (ids []string) {
	for _, f := range demo.Faults() {
		if !f.Outside {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// pairs reads a list of operations with statuses.
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

// reached is what some searches came to, a figure a seed.
type reached struct {
	pairs, faults, with2 []float64
	missed               map[string]int // by how many of them
}

// searches looks at a service in one way, with the seeds 1 to n.
func searches(t testing.TB, in target, s model.Sampling, calls, n int) reached {
	t.Helper()
	r := reached{missed: map[string]int{}}
	for seed := range n {
		set, spec, d := in.open(t)
		set.limits, set.tuning, set.sampling, set.seed = model.Limits{Calls: calls}, model.DefaultTuning(), s, uint64(seed+1)
		set.folder = filepath.Join(t.TempDir(), "run")
		run, err := set.begin(context.Background(), spec)
		if err != nil {
			t.Fatal(err)
		}
		last := run.Wait()
		if last.Err != nil {
			t.Fatal(last.Err)
		}
		r.add(in, last, d.faults)
	}
	return r
}

// add adds what one search covered: what it kept tests for.
func (r *reached) add(in target, last model.Snapshot, faults map[string]bool) {
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

func (r *reached) count(wanted []string, have map[string]bool) (n int) {
	for _, id := range wanted {
		if have[id] {
			n++
		} else {
			r.missed[id]++
		}
	}
	return n
}

// TestGoalsOnTheDemo: of what the demo can answer 85% is covered, and all but one
// of its faults that need nobody outside are struck, by the median search of
// 10,000 calls. TestReach measures the same with more seeds.
func TestGoalsOnTheDemo(t *testing.T) {
	in := theDemo(t)
	r := searches(t, in, model.DefaultSampling(), 10_000, 3)
	if got := median(r.pairs); got < 85 {
		t.Errorf("%.1f%% of the reachable pairs are covered, want 85%%; by seed %v", got, r.pairs)
	}
	if got := median(r.faults); got < float64(len(in.faults)-1) {
		t.Errorf("%v of %d faults are struck; by seed %v", got, len(in.faults), r.faults)
	}
}

// TestReach measures what the ways to sample reach. It is a measurement:
//
//	go test ./ui/cli -run TestReach -reach 10 -v -timeout 1h
func TestReach(t *testing.T) {
	if *reachSeeds == 0 {
		t.Skip("measures only with -reach SEEDS")
	}
	in := theDemo(t)
	var first reached
	for i, w := range ways {
		if i > 0 && !strings.Contains(w.name, *reachWays) {
			continue
		}
		r := searches(t, in, w.Sampling, *reachCalls, *reachSeeds)
		if i == 0 {
			first = r
		}
		tell := func(what string, sample, base []float64) {
			_, p := stat.MannWhitney(sample, base)
			t.Logf("%-8s %-18s %-20s mean %6.2f  median %6.2f  A12 %.2f  p %.3f", in.name, w.name, what, stat.Mean(sample), median(sample), stat.A12(sample, base), p)
		}
		tell("reachable pairs, %", r.pairs, first.pairs)
		tell("distinct X-Fault", r.faults, first.faults)
		tell("operations with 2xx", r.with2, first.with2)
		t.Logf("%-8s %-18s missed: %s", in.name, w.name, tally(r.missed))
	}
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
