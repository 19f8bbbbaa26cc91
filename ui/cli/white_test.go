package cli

import (
	"context"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/model/openapi"
	"sonde/runner/instrument/probe"
	"sonde/runner/search"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"

	"github.com/google/go-cmp/cmp"
)

var (
	campaigns  = flag.Bool("campaigns", false, "test goals with all their seeds and calls, as .ci/full does")
	whiteSeeds = flag.Int("white", 0, "number of seeds for measuring what a white-box search reaches")
	whiteCalls = flag.Int("white-calls", 5000, "the calls of each of these searches")
	whiteWays  = flag.String("white-ways", "", "measure only the ways whose names have this in them, besides the first")
)

// whiteVariants are variants of white-box searches. TestWhite compares them with the first one, which is
// black-box.
var whiteVariants = []struct {
	name  string
	blind bool
	model.Sampling
}{
	{"black", true, model.DefaultSampling()},
	{"white", false, knowing(0, 0)},
	{"white + constants", false, knowing(model.DefaultSampling().Constants, 0)},
	{"white + operands", false, knowing(0, model.DefaultSampling().Operands)},
	{"white + both", false, model.DefaultSampling()},
}

// knowing returns the default sampling with changed probabilities of two kinds of values: constants of the source, and
// operands that probes reported. If the probability of operands is 0, delays and extensions are off, too.
func knowing(constants, operands float64) model.Sampling {
	s := model.DefaultSampling()
	s.Constants, s.Operands = constants, operands
	if operands == 0 {
		s.Delay, s.Extensions = 0, 0
	}
	return s
}

// probed is a service that was built with probes.
type probed struct {
	name    string
	plan    model.Plan
	plain   func() *model.Service // builds the service with go build -cover, without probes
	best    []probe.CoverBlock    // the blocks that the best known test reaches
	compare target                // the targets and faults on which searches are compared
}

// probedDemo builds the demo with probes. If panics is set, operations that may panic have probes, too. The demo
// names the triggered faults in its answers (--reveal).
func probedDemo(t *testing.T, panics bool) probed {
	t.Helper()
	spec, err := service.LoadDemo(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	b := service.DemoBuilder()
	b.Service.Command = append(b.Service.Command, "--reveal")
	set := searchrun.Settings{WatchPanics: panics, Service: service.Service{
		Users:   service.DemoAt("").Users,
		Reset:   service.DemoAt("").Reset,
		Owners:  service.DemoAt("").Owners,
		Builder: b,
	}}
	p := built(t, "demo", spec, set, theDemo(t))
	p.best = p.counted(t, playBest)
	return p
}

// probedGuarded builds a service whose answers do not reveal which branches were taken.
func probedGuarded(t *testing.T) probed {
	t.Helper()
	return probedService(t, target{name: "guarded"}, false)
}

// probedService builds, with probes, the service for studies that has the name of the target. If panics is set,
// operations of the service that may panic have probes, too.
func probedService(t *testing.T, compare target, panics bool) probed {
	t.Helper()
	dir := filepath.Join("../../runner/testdata/services", compare.name)
	c, err := config.Load(filepath.Join(dir, config.FileName))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := openapi.Load(context.Background(), c.Spec, openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set := searchrun.Settings{Service: service.Configuration{Config: c}.ServiceAt("", spec), WatchPanics: panics}
	return built(t, compare.name, spec, set, compare)
}

func newProbed(t *testing.T, name string, spec *model.Spec, s service.Service, compare target) probed {
	t.Helper()
	return built(t, name, spec, searchrun.Settings{Service: s}, compare)
}

// built builds a service with the given settings.
func built(t *testing.T, name string, spec *model.Spec, set searchrun.Settings, compare target) probed {
	t.Helper()
	set.Tuning, set.Minimise = model.DefaultTuning(), model.DefaultMinimise
	p := probed{name: name, plan: set.Plan(spec), compare: compare}
	_, end, err := set.BuildService(context.Background(), &p.plan)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	p.plain = sync.OnceValue(func() *model.Service {
		plain, err := set.Service.Builder.BuildPlain(context.Background(), t.TempDir(), p.plan.Net != nil)
		if err != nil {
			t.Fatal(err)
		}
		return plain
	})
	return p
}

// probedFigures has the results of several searches of a probed service: a number per seed for each
// measure.
type probedFigures struct {
	searchFigures
	statements, branches, guards []float64
	// kept is the percentage of statements that a replay of the kept tests reaches, as go build -cover
	// counts them.
	kept []float64
	// lost has the number of searches whose kept tests miss a block, for each block that the best test reaches.
	lost map[string]int
	// long is the percentage of kept tests with more than 12 calls.
	long  []float64
	tests [][]model.Test // the kept tests, by search
}

// TestWhite measures how much more white-box searches reach than black-box searches. Run it by:
//
//	go test ./ui/cli -run 'TestWhite$' -white 5 -v -timeout 1h
func TestWhite(t *testing.T) {
	if *whiteSeeds == 0 {
		t.Skip("measures only with -white SEEDS")
	}
	for _, p := range []probed{probedDemo(t, false), probedGuarded(t)} {
		var first probedFigures
		for i, w := range whiteVariants {
			if i > 0 && !strings.Contains(w.name, *whiteWays) {
				continue
			}
			s := p.searches(t, w.blind, w.Sampling, *whiteCalls, *whiteSeeds)
			p.replay(t, &s)
			if i == 0 {
				first = s
			}
			compare(t, p.name, w.name, "statements, %", s.statements, first.statements)
			compare(t, p.name, w.name, "of the suite, %", s.kept, first.kept)
			compare(t, p.name, w.name, "branches, %", s.branches, first.branches)
			compare(t, p.name, w.name, "tests of > 12 calls, %", s.long, first.long)
			if p.name == "guarded" {
				compare(t, p.name, w.name, "guards of 30", s.guards, first.guards)
			} else {
				s.log(t, p.name, w.name, first.searchFigures)
				p.gap(t, w.name, median(s.kept), median(first.kept))
				t.Logf("%-10s %-18s lost: %s", p.name, w.name, tally(s.lost))
			}
		}
	}
}

// gap logs how much of a gap is closed: the gap between the coverage of a black-box search, which is black, and that of
// the best test. kept is the coverage of the search that closes a part of the gap.
func (p probed) gap(t *testing.T, way string, kept, black float64) {
	best := 100 * probe.CountStatements(p.best).Fraction()
	t.Logf(
		"%-10s %-18s %-20s best %.2f  black %.2f  this %.2f: %.0f%% of the gap", p.name, way, "of the suite, %",
		best, black, kept, 100*(kept-black)/(best-black),
	)
}

// searchSeries has the number and the length of the searches that check a goal.
type searchSeries struct {
	seeds, calls int
}

// The gap has the statements of the demo that can be reached, but that a black-box search does not reach. A white-box
// search of 5,000 calls closes at least half of the gap (the median of three searches). A white-box search of 2,000
// calls closes at least a fifth (the median of five searches). go build -cover counts the statements, and the probes
// report the same. TestWhite measures this with more seeds.
func TestGoalInTheDemosSource(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	of, want := searchSeries{seeds: 5, calls: 2000}, .2
	if *campaigns {
		of, want = searchSeries{seeds: 3, calls: 5000}, .5
	}
	p := probedDemo(t, false)
	t.Run("as go build -cover counts", func(t *testing.T) { checkAsCover(t, p) })
	black := p.searches(t, true, model.DefaultSampling(), of.calls, of.seeds)
	white := p.searches(t, false, model.DefaultSampling(), of.calls, of.seeds)
	p.replay(t, &black)
	p.replay(t, &white)
	best, reached, blind := 100*probe.CountStatements(p.best).Fraction(), median(white.kept), median(black.kept)
	if reached < blind+want*(best-blind) {
		t.Errorf("%.1f%% of the statements are reached, want %v of the gap from %.1f%% to %.1f%%", reached, want, blind, best)
	}
}

// The answers of the service do not show which of its thirty branches were taken. A white-box search reaches at least
// 28 of them, and a black-box search at most 11, in the median of the searches. Short white-box searches reach 18, in
// the median of five. The same seed keeps the same tests. TestWhite measures this with more seeds.
func TestGoalOnTheGuarded(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	of, want := searchSeries{seeds: 5, calls: 1000}, 18.
	if *campaigns {
		of, want = searchSeries{seeds: 3, calls: 20_000}, 28
	}
	p := probedGuarded(t)
	seeing := p.searches(t, false, model.DefaultSampling(), of.calls, of.seeds)
	if got := median(seeing.guards); got < want {
		t.Errorf("%v of 30 branches are reached, want %v", got, want)
	}
	if got := median(seeing.long); got > 15 {
		t.Errorf("%.0f%% of the kept tests have more than 12 calls", got)
	}
	if got := median(p.searches(t, true, model.DefaultSampling(), of.calls, of.seeds).guards); got > 11 {
		t.Errorf("%v of 30 branches are reached by chance", got)
	}
	again := p.searches(t, false, model.DefaultSampling(), of.calls, 1)
	if diff := cmp.Diff(seeing.tests[0], again.tests[0]); diff != "" {
		t.Errorf("the same seed comes to other tests: %s", diff)
	}
}

// searches runs searches with the seeds 1 to n, and returns their figures.
func (p probed) searches(t *testing.T, blind bool, how model.Sampling, calls, n int) probedFigures {
	t.Helper()
	s := probedFigures{searchFigures: searchFigures{missed: map[string]int{}}, lost: map[string]int{}}
	for seed := range n {
		plan, start, probes := p.plan, *p.plan.Service, *p.plan.Probes
		start.Log = filepath.Join(t.TempDir(), "log")
		probes.Blind = blind
		plan.Service, plan.Probes, plan.Sampling, plan.Limits, plan.Seed = &start, &probes, how, model.Limits{Calls: calls}, uint64(seed+1)
		s.search(t, p.compare, plan)
	}
	return s
}

// replay replays the kept tests of each search in s, and adds the coverage to s.
func (p probed) replay(t *testing.T, s *probedFigures) {
	t.Helper()
	for _, tests := range s.tests {
		s.keeps(p.replayed(t, tests), p.best)
	}
}

// replayed plays tests and returns the blocks that they reach, as go build -cover counts them.
func (p probed) replayed(t *testing.T, tests []model.Test) []probe.CoverBlock {
	t.Helper()
	plan := p.plan
	return p.counted(t, func(s *model.Service) error {
		plan.Service = s
		return search.PlayTests(context.Background(), plan, tests)
	})
}

// keeps adds the coverage of one search to s. blocks are the blocks that the kept tests of the search reach, and best
// are those that the best known test reaches.
func (s *probedFigures) keeps(blocks, best []probe.CoverBlock) {
	s.kept = append(s.kept, 100*probe.CountStatements(blocks).Fraction())
	have := map[string]bool{}
	for _, b := range blocks {
		have[b.Place] = b.Reached
	}
	for _, b := range best {
		if b.Reached && !have[b.Place] {
			s.lost[b.Place]++
		}
	}
}

// counted calls play with a service, and returns the blocks that play reaches in the service, as go build -cover counts
// them.
func (p probed) counted(t *testing.T, play func(*model.Service) error) []probe.CoverBlock {
	t.Helper()
	dir, start := t.TempDir(), *p.plain()
	start.Env = maps.Clone(start.Env)
	if start.Env == nil {
		start.Env = map[string]string{}
	}
	start.Env[probe.CoverDirVariable] = dir
	if err := play(&start); err != nil {
		t.Fatal(err)
	}
	blocks, err := probe.ReadCover(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// guardMet matches a line that a service prints when a branch is taken or a query returns rows.
var guardMet = regexp.MustCompile(`(?m)^met \w+$`)

// search runs one search, and adds its results to s.
func (s *probedFigures) search(t *testing.T, in target, plan model.Plan) {
	t.Helper()
	run, err := search.New(context.Background(), plan)
	if err != nil {
		t.Fatal(err)
	}
	faults := map[string]bool{}
	run.Start(context.Background(), search.Sink{ObserveReply: func(r model.Reply) error {
		for _, id := range r.Header["X-Fault"] {
			faults[id] = true
		}
		return nil
	}})
	last := run.Wait()
	if last.Err != nil || last.Summary.Code == nil {
		t.Fatalf("%v, %v", last.Err, last.Summary.Warnings)
	}
	statements, branches := last.Summary.Code.Totals()
	s.statements = append(s.statements, 100*statements.Fraction())
	s.branches = append(s.branches, 100*branches.Fraction())
	s.add(in, last, faults)
	log, err := os.ReadFile(plan.Service.Log)
	if err != nil {
		t.Fatal(err)
	}
	met := map[string]bool{}
	for _, line := range guardMet.FindAllString(string(log), -1) {
		met[line] = true
	}
	s.guards = append(s.guards, float64(len(met)))
	long := 0
	for _, test := range last.Tests {
		if len(test.Calls) > 12 {
			long++
		}
	}
	s.long = append(s.long, 100*float64(long)/float64(len(last.Tests)))
	s.tests = append(s.tests, last.Tests)
}
