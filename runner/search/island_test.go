package search_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"sonde/model"
	"sonde/runner/search"
)

// leases returns a function for Island.Lease that grants a budget in parts.
func leases(budget, part int) func(context.Context) (int, error) {
	var left atomic.Int64
	left.Store(int64(budget))
	return func(context.Context) (int, error) {
		n := min(int64(part), left.Load())
		left.Add(-n)
		return int(n), nil
	}
}

// runIsland runs an island until its end.
func runIsland(t *testing.T, p model.Plan, i search.Island) (*search.Run, model.Snapshot) {
	t.Helper()
	run, err := search.NewIsland(t.Context(), p, i)
	if err != nil {
		t.Fatal(err)
	}
	run.Start(t.Context(), search.Sink{})
	return run, run.Wait()
}

// An island sends exactly the requests that it was granted, even if the last lease ends in the middle of a test.
func TestIslandKeepsToItsLeases(t *testing.T) {
	for _, budget := range []int{1, 7, 150, 301} {
		service, url := serve(t)
		island := search.Island{
			Lease: leases(budget, 20), Parts: 1, Every: 50, Migrants: 3,
			Exchange: func(context.Context, int, []search.Migrant) ([]search.Migrant, error) { return nil, nil },
		}
		run, last := runIsland(t, plan(url, 1000), island)
		sent := int(service.requests.Load())
		if sent+run.Unused() != budget || run.Unused() > 5 || last.Summary.Calls != sent || last.Err != nil {
			const message = "%d requests granted, %d sent, %d counted, %d unused, error %v"
			t.Errorf(message, budget, sent, last.Summary.Calls, run.Unused(), last.Err)
		}
	}
}

// A resumed island counts its earlier requests, and continues with its earlier tests.
func TestIslandIsResumed(t *testing.T) {
	service, url := serve(t)
	var numbers []int
	island := search.Island{Lease: leases(300, 20), Parts: 1, Every: 100, Migrants: 3, Exchange: func(
		_ context.Context, number int, _ []search.Migrant,
	) ([]search.Migrant, error) {
		numbers = append(numbers, number)
		return nil, nil
	}}
	p := plan(url, 500)
	lost := model.Test{ID: "t9999", Calls: []model.Call{{Op: "POST /things", Status: 409}}, Covers: []string{"POST /things 409"}}
	p.Resume = &model.ResumeState{Tests: []model.Test{lost}, Last: model.Progress{Call: 230}, Ended: true}
	run, last := runIsland(t, p, island)
	sent := int(service.requests.Load())
	if last.Summary.Calls != 230+sent || sent > 270 || sent < 265 {
		t.Errorf("%d requests counted after 230, %d sent", last.Summary.Calls, sent)
	}
	if want := []int{3, 4, 5}; len(numbers) < 2 || numbers[0] != want[0] || numbers[1] != want[1] {
		t.Errorf("migrations %v, want %v", numbers, want)
	}
	covers := false
	for _, k := range run.Kept() {
		for _, score := range k.Scores {
			covers = covers || score.Target == "POST /things 409" && k.Test.ID == "t9999"
		}
	}
	if !covers {
		t.Error("the test of before is lost")
	}
}

// Tests that leave an island arrive at another island. The other island plays only tests that bring its search nearer
// to a target. No test leaves twice for the same targets.
func TestTestsMigrate(t *testing.T) {
	_, from := serve(t)
	var sent [][]search.Migrant
	island := search.Island{Lease: leases(300, 50), Parts: 1, Every: 60, Migrants: 4, Exchange: func(
		_ context.Context, number int, leave []search.Migrant,
	) ([]search.Migrant, error) {
		if number != len(sent)+1 || len(leave) > 4 {
			t.Errorf("migration %d after %d, %d tests", number, len(sent), len(leave))
		}
		sent = append(sent, leave)
		return nil, nil
	}}
	runIsland(t, plan(from, 300), island)
	best := map[string]float64{}
	for _, leave := range sent {
		for _, m := range leave {
			for _, score := range m.Scores {
				if score.H <= best[score.Target] {
					t.Errorf("%s leaves for %q with %v, after %v", m.Test.ID, score.Target, score.H, best[score.Target])
				}
				best[score.Target] = score.H
			}
		}
	}
	if len(sent) < 4 || len(best) == 0 {
		t.Fatalf("%d migrations for %d targets", len(sent), len(best))
	}

	_, to := serve(t)
	island.Lease = leases(100, 50)
	island.Exchange = func(_ context.Context, number int, _ []search.Migrant) ([]search.Migrant, error) {
		if number == 1 {
			return sent[0], nil
		}
		return nil, nil
	}
	island.Every = 2
	p := plan(to, 100)
	p.Tuning.Smart, p.Templates = 0, nil
	_, last := runIsland(t, p, island)
	migrated := 0
	for _, test := range last.Tests {
		if test.Lineage.Rule == model.FromMigration {
			migrated++
		}
	}
	if migrated == 0 {
		t.Error("no test of the other island is kept")
	}
}

// The same islands send and keep the same tests, in whatever order the islands run.
func TestIslandsRepeat(t *testing.T) {
	search2 := func() (kept []string) {
		ways := [2]chan []search.Migrant{make(chan []search.Migrant, 1), make(chan []search.Migrant, 1)}
		var results [2][]string
		var both sync.WaitGroup
		for i := range 2 {
			_, url := serve(t)
			p := plan(url, 200)
			p.Seed = uint64(i + 1)
			run, err := search.NewIsland(t.Context(), p, search.Island{
				Lease: leases(200, 20), Parts: 1, Every: 50, Migrants: 3,
				Exchange: func(_ context.Context, number int, leave []search.Migrant) ([]search.Migrant, error) {
					if number > 3 {
						return nil, nil
					}
					ways[i] <- leave
					return <-ways[1-i], nil
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			run.Start(t.Context(), search.Sink{})
			both.Go(func() {
				for _, test := range run.Wait().Tests {
					results[i] = append(results[i], test.ID+" "+string(test.Calls[0].Op))
				}
			})
		}
		both.Wait()
		return append(results[0], results[1]...)
	}
	one, other := search2(), search2()
	if len(one) < 10 || len(one) != len(other) {
		t.Fatalf("%d and %d tests", len(one), len(other))
	}
	for i := range one {
		if one[i] != other[i] {
			t.Errorf("test %d: %q and %q", i, one[i], other[i])
		}
	}
}

// NewIsland returns ErrNoLease if no requests are granted. A run ends with the error of Lease if there is one.
func TestIslandWithoutLease(t *testing.T) {
	_, url := serve(t)
	island := search.Island{Lease: leases(0, 10), Parts: 1, Every: 10, Migrants: 1}
	if _, err := search.NewIsland(t.Context(), plan(url, 100), island); !errors.Is(err, search.ErrNoLease) {
		t.Errorf("got %v", err)
	}
	broken, first := errors.New("the servers do not answer"), true
	island.Lease = func(context.Context) (int, error) {
		if first {
			first = false
			return 5, nil
		}
		return 0, broken
	}
	if _, last := runIsland(t, plan(url, 100), island); !errors.Is(last.Err, broken) {
		t.Errorf("got %v", last.Err)
	}
}
