package search_test

import (
	"context"
	"os"
	"os/exec"
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

// A search plays the database of a service. It finds replies with which the service starts, and reaches nearly all of
// the service's source. The kept tests have stubs only for the database.
func TestDatabasesArePlayed(t *testing.T) {
	for _, s := range []struct {
		name     string
		protocol model.Protocol
		share    float64 // least share of the statements; with a real database and as many calls it is about 0.75
	}{
		{"shop", model.Postgres, 0.85}, {"library", model.MySQL, 0.8}, {"carts", model.Redis, 0.9},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p := databasePlan(t, s.name)
			got := start(t, p, search.Sink{}).Wait()
			if got.Err != nil {
				t.Fatal(got.Err)
			}
			code := got.Summary.Code.Packages[0].Statements
			t.Logf("%d of %d statements, %d startup stubs", code.Covered, code.All, len(got.StartupStubs))
			if float64(code.Covered) < s.share*float64(code.All) {
				t.Errorf("reached %d of %d statements, want %.0f%%", code.Covered, code.All, 100*s.share)
			}
			if !slices.ContainsFunc(got.StartupStubs, func(stub model.Stub) bool { return stub.Protocol == s.protocol }) {
				t.Errorf("the stubs of the start are %+v", got.StartupStubs)
			}
			stubs := map[model.Protocol]int{}
			for _, kept := range got.Tests {
				for _, stub := range kept.Stubs {
					stubs[stub.Protocol]++
				}
			}
			if stubs[s.protocol] < 5 {
				t.Errorf("stubs by protocol: %v", stubs)
			}
		})
	}
}

// databasePlan returns the plan of a search of a service in testdata/databases.
func databasePlan(t *testing.T, name string) model.Plan {
	t.Helper()
	return moduleServicePlan(t, "databases", name)
}

// moduleServicePlan returns the plan of a search of a service in a module in testdata. It skips the test if the
// module cache lacks modules that the service uses. The script .ci/run downloads them.
func moduleServicePlan(t *testing.T, module, name string) model.Plan {
	t.Helper()
	skipInShort(t, "builds a service")
	dir := filepath.Join("..", "testdata", module, name)
	list := exec.Command("go", "list", "-deps", ".")
	list.Dir, list.Env = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly")
	if out, err := list.CombinedOutput(); err != nil {
		t.Skipf("modules are not here: go mod download in runner/testdata/%s fetches them: %s", module, out)
	}
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
		Limits:    model.Limits{Calls: 300},
		Net:       &model.VirtualNetwork{},
		Probes:    &model.Probes{Binary: binary},
	}
	p.Service.Command[0], p.Service.Build = binary, nil
	p.Service.Log = filepath.Join(t.TempDir(), "log")
	return p
}
