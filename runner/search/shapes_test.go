package search_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/config"
	"sonde/model/openapi"
	"sonde/runner/instrument/probe"
	"sonde/runner/search"
)

var shapeSeeds = flag.Int("shapes", 0, "number of seeds with which each service of testdata/shapes is searched")

// shapedServices are services whose hosts do not just answer with JSON. Some use other formats or DNS records. Others
// have faulty names, certificates or bodies, or answer differently on each connection. without is the share of the
// service's statements that a search reached without such answers.
var shapedServices = []struct {
	name    string
	without float64
	calls   int // budget of the search
}{
	{"podcasts", 16.0 / 49, 500},
	{"rollout", 33.0 / 57, 500},
	{"rates", 29.0 / 55, 500},
	{"login", 25.0 / 45, 500},
	{"ledger", 15.0 / 36, 500},
	{"meter", 40.0 / 73, 500},
	{"metrics", 28.0 / 73, 500},
	{"mailcheck", 56.0 / 66, 500},
	{"sitecheck", 44.0 / 56, 2000},
	{"twice", 53.0 / 58, 2000},
}

// A search makes up answers in the formats that a service decodes. With 2,000 calls it reaches more of the source
// than a search without such answers.
func TestShapes(t *testing.T) {
	t.Parallel()
	for _, s := range shapedServices {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			var shares []float64
			for seed := range max(1, *shapeSeeds) {
				covered, all, call := searchShapes(t, s.name, uint64(seed+1), s.calls)
				t.Logf("seed %d: %d of %d statements, the last at call %d", seed+1, covered, all, call)
				shares = append(shares, float64(covered)/float64(all))
			}
			slices.Sort(shares)
			if median := shares[len(shares)/2]; median <= s.without {
				t.Errorf("reached %.2f of the statements, without the formats %.2f", median, s.without)
			}
		})
	}
}

// The best tests, which were written by hand in best.json, reach all statements of their services.
func TestBestOfShapes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sitecheck", "twice"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := shapePlan(t, name)
			var best struct{ Tests []model.Test }
			data, err := os.ReadFile(filepath.Join("..", "testdata", "shapes", name, "best.json"))
			if err == nil {
				err = json.Unmarshal(data, &best)
			}
			if err != nil {
				t.Fatal(err)
			}
			p.Recorded, p.Limits.Calls, p.Net.Closed = best.Tests, 3*len(best.Tests), true
			got := start(t, p, search.Sink{}).Wait()
			if got.Err != nil {
				t.Fatal(got.Err)
			}
			if n := got.Summary.Code.Packages[0].Statements; n.Covered != n.All {
				t.Errorf("%d of %d statements", n.Covered, n.All)
			}
		})
	}
}

// searchShapes searches a service. It returns the number of covered statements, the number of all statements, and the
// number of the call that covered the last one.
func searchShapes(t *testing.T, name string, seed uint64, calls int) (covered, all, last int) {
	t.Helper()
	p := shapePlan(t, name)
	p.Seed, p.Limits.Calls = seed, calls
	if *shapeSeeds > 0 {
		p.Limits.Calls = 2000
	}
	got := start(t, p, search.Sink{Emit: func(l model.LogEntry) error {
		if _, ok := l.Event.(model.CodeCovered); ok {
			last = l.Call
		}
		return nil
	}}).Wait()
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	n := got.Summary.Code.Packages[0].Statements
	return n.Covered, n.All, last
}

// shapePlan returns the plan of a search of a service in testdata/shapes.
func shapePlan(t *testing.T, name string) model.Plan {
	t.Helper()
	return builtPlan(t, filepath.Join("..", "testdata", "shapes", name))
}

// builtPlan returns the plan of a search of a service, built with probes and the virtual network.
func builtPlan(t *testing.T, dir string) model.Plan {
	t.Helper()
	c, err := config.Load(filepath.Join(dir, config.FileName))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := openapi.Load(context.Background(), c.Spec, openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	binary := withProbes(t, dir, probe.Options{Dir: c.Service.Dir, Package: c.Service.Build.Package, Net: true})
	p := model.Plan{
		Spec:      spec,
		Templates: analysis.Analyze(spec, analysis.Options{}).Templates(),
		Service:   c.Service,
		Seed:      1,
		Tuning:    model.DefaultTuning(),
		Sampling:  model.DefaultSampling(),
		Net:       &model.VirtualNetwork{},
		Probes:    &model.Probes{Binary: binary},
	}
	p.Service.Command, p.Service.Build = []string{binary}, nil
	p.Service.Log = filepath.Join(t.TempDir(), "log")
	return p
}
