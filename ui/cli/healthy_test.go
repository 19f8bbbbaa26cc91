package cli

import (
	"context"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
)

// searchHealthy searches the demo without its faults. changes are applied to the spec first.
func searchHealthy(t testing.TB, calls int, seed uint64, changes ...func(*model.Spec)) model.Snapshot {
	t.Helper()
	server := httptest.NewServer(demo.NewShop(demo.Config{Healthy: true}))
	defer server.Close()
	spec, err := service.LoadDemo(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		change(spec)
	}
	s := searchrun.Settings{
		Source:   service.DemoSource,
		Service:  service.DemoAt(server.URL),
		Limits:   model.Limits{Calls: calls},
		Tuning:   model.DefaultTuning(),
		Sampling: model.DefaultSampling(),
		Seed:     seed,
		Folder:   filepath.Join(t.TempDir(), fmt.Sprint(seed)),
	}
	run, err := s.StartRun(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	last := run.Wait()
	if last.Err != nil {
		t.Fatal(last.Err)
	}
	return last
}

// A search of a service that conforms to its spec reports no faults and no notes. One search checks this,
// or five with -campaigns. BenchmarkHealthyDemo checks it with more calls.
func TestHealthyDemoHasNoFaults(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	of := searchSeries{seeds: 1, calls: 3000}
	if *campaigns {
		of.seeds = 5
	}
	for seed := range uint64(of.seeds) {
		last := searchHealthy(t, of.calls, seed+1)
		if last.Summary.Checking == 0 || last.Summary.With2xx < 20 {
			t.Errorf("seed %d looked too little: %+v", seed+1, last.Summary)
		}
		complain(t, seed+1, last.Faults)
	}
}

func complain(t testing.TB, seed uint64, faults []model.Fault) {
	t.Helper()
	for _, f := range faults {
		t.Errorf("seed %d: %s breaks %s: expected %s, came %s; by %+v", seed, f.Op, f.Oracle, f.Expected, f.Text, f.Test)
	}
}

// If the spec differs from the service, the search reports exactly this difference.
func TestHealthyDemoBySpecThatLies(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	t.Parallel()
	last := searchHealthy(t, 2000, 1, func(spec *model.Spec) {
		answer := func(op model.OpID) *model.Response { return &spec.Operation(op).Responses[0] }
		answer("GET /health").Contents[0].Schema = &model.Schema{
			Type:       "object",
			Properties: []model.Property{{Name: "mood", Required: true, Schema: &model.Schema{}}},
		}
		answer("GET /stores").Status = "206"
		answer("GET /stock/{sku}").Contents[0].Media = "text/csv"
		spec.Operation("POST /customers").Secured = true
	})
	var got []string
	for _, f := range last.Faults {
		got = append(got, fmt.Sprintf("%s %s %s", f.Op, f.Oracle, f.Verdict))
	}
	slices.Sort(got)
	want := []string{
		"GET /health schema reproducible",
		"GET /stock/{sku} undeclared-content-type reproducible", "GET /stores undeclared-status reproducible",
		"POST /customers auth-ignored reproducible",
	}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// BenchmarkHealthyDemo runs searches of 10,000 calls each, which must find nothing. Run ten by:
//
//	go test ./ui/cli -run '^$' -bench HealthyDemo -benchtime 10x
func BenchmarkHealthyDemo(b *testing.B) {
	faults, seed := 0, uint64(0)
	for b.Loop() {
		seed++
		last := searchHealthy(b, 10_000, seed)
		complain(b, seed, last.Faults)
		faults += len(last.Faults)
	}
	b.ReportMetric(float64(faults), "faults")
}
