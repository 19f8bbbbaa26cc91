package cli

import (
	"context"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner"
)

var (
	whiteSeeds = flag.Int("white", 0, "measure with so many seeds what a search reaches that sees into the demo")
	whiteCalls = flag.Int("white-calls", 5000, "the calls of each of these searches")
	whiteWays  = flag.String("white-ways", "", "measure only the ways whose names have this in them, besides the first")
)

// sights are ways to see into a service, compared with the first.
var sights = []struct {
	name  string
	blind bool
	model.Sampling
}{
	{"black", true, model.DefaultSampling()},
	{"white", false, constantly(0)},
	{"white + constants", false, constantly(0.3)},
	{"white + constants 0.6", false, constantly(0.6)},
}

// constantly is the usual way to sample with so many of the source's constants.
func constantly(odds float64) model.Sampling {
	s := model.DefaultSampling()
	s.Constants = odds
	return s
}

// seen is what some searches of the demo came to, a figure a seed.
type seen struct {
	reached
	statements, branches []float64
}

// TestWhite measures what seeing into the demo brings. It is a measurement:
//
//	go test ./ui/cli -run TestWhite -white 5 -v -timeout 1h
func TestWhite(t *testing.T) {
	if *whiteSeeds == 0 {
		t.Skip("measures only with -white SEEDS")
	}
	b := demoBuilding()
	r, err := b.build(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b.service.Command = append(started(b.service.Command, r.Binary), "--reveal")
	b.service.Build = nil
	var first seen
	for i, w := range sights {
		if i > 0 && !strings.Contains(w.name, *whiteWays) {
			continue
		}
		s := seen{reached: reached{missed: map[string]int{}}}
		for seed := range *whiteSeeds {
			s.search(t, b, model.Probes{Binary: r.Binary, Blind: w.blind}, w.Sampling, uint64(seed+1))
		}
		if i == 0 {
			first = s
		}
		compare(t, "demo", w.name, "statements, %", s.statements, first.statements)
		compare(t, "demo", w.name, "branches, %", s.branches, first.branches)
		s.tell(t, "demo", w.name, first.reached)
	}
}

// search searches once and adds what that came to.
func (s *seen) search(t *testing.T, b *building, probes model.Probes, how model.Sampling, seed uint64) {
	t.Helper()
	in := theDemo(t)
	spec, err := loadDemo(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	set := settings{service: demoAt(""), limits: model.Limits{Calls: *whiteCalls}, tuning: model.DefaultTuning(), sampling: how, minimise: model.DefaultMinimise, seed: seed}
	for _, kv := range strings.Split(os.Getenv("TUNE"), ",") {
		if k, v, ok := strings.Cut(kv, "="); ok {
			f, _ := strconv.ParseFloat(v, 64)
			set.tuning = set.tuning.With(model.Turn{Knob: model.Knob(k), Value: f})
		}
	}
	plan := set.plan(spec)
	plan.BaseURL, plan.Service, plan.Probes = b.base, &b.service, &probes
	run, err := runner.New(context.Background(), plan)
	if err != nil {
		t.Fatal(err)
	}
	faults := map[string]bool{}
	run.Go(context.Background(), runner.Sink{Answer: func(r model.Reply) error {
		for _, id := range r.Header["X-Fault"] {
			faults[id] = true
		}
		return nil
	}})
	last := run.Wait()
	if last.Err != nil || last.Summary.Code == nil {
		t.Fatalf("%v, %v", last.Err, last.Summary.Warnings)
	}
	statements, branches := last.Summary.Code.Whole()
	s.statements = append(s.statements, 100*statements.Share())
	s.branches = append(s.branches, 100*branches.Share())
	s.add(in, last, faults)
}
