package cli

import (
	"flag"
	"slices"
	"testing"

	"sonde/model"
)

var (
	panicsSeeds = flag.Int("panics", 0, "number of seeds for measuring what a search reaches that watches operations that may panic")
	panicsCalls = flag.Int("panics-calls", 20_000, "the calls of each of these searches")
)

// The service brittle has eight rare events, which the code reaches only after an operation that may panic. A search of
// 5,000 calls that watches such operations makes at least two of the events occur. Over eight seeds, such searches make
// 3.0 events occur on average, and searches that watch only branches 0.6. TestPanics measures both.
func TestGoalBehindPanics(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a service, and searches it twice")
	}
	t.Parallel()
	seen := probedService(t, target{name: "brittle"}, true).searches(t, false, model.DefaultSampling(), 5000, 2).guards
	if slices.Min(seen) < 2 {
		t.Errorf("%v of 8 events occur", seen)
	}
}

// TestPanics compares searches that watch operations that may panic with searches that do not. It measures how many
// of eight rare events of the service brittle occur, and what the searches reach on other services. Run it by:
//
//	go test ./ui/cli -run 'TestPanics$' -panics 10 -v -timeout 2h
func TestPanics(t *testing.T) {
	if *panicsSeeds == 0 {
		t.Skip("measures only with -panics SEEDS")
	}
	run := func(name, way string, p probed, blind bool, base *probedFigures) probedFigures {
		s := p.searches(t, blind, model.DefaultSampling(), *panicsCalls, *panicsSeeds)
		if base == nil {
			base = &s
		}
		compare(t, name, way, "events", s.guards, base.guards)
		compare(t, name, way, "statements, %", s.statements, base.statements)
		compare(t, name, way, "branches, %", s.branches, base.branches)
		if len(p.compare.reachable) > 0 {
			compare(t, name, way, "pairs, %", s.pairs, base.pairs)
			compare(t, name, way, "faults", s.faults, base.faults)
		}
		return s
	}
	for _, name := range []string{"brittle", "guarded", "demo", "flat", "deep", "nolocation"} {
		in := target{name: name}
		switch name {
		case "demo":
			in = theDemo(t)
		case "flat", "deep", "nolocation":
			in = studied(t, name)
		}
		build := func(panics bool) probed {
			if name == "demo" {
				return probedDemo(t, panics)
			}
			return probedService(t, in, panics)
		}
		plain := build(false)
		white := run(name, "white", plain, false, nil)
		run(name, "black", plain, true, &white)
		run(name, "white + panics", build(true), false, &white)
	}
}
