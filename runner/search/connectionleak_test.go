//go:build unix

package search_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/instrument/probe"
	"sonde/runner/search"
	"sonde/runner/search/oracle"
)

// A search reports a service that keeps its connections to a host open, but not a service that closes them.
func TestSearchFindsLeaks(t *testing.T) {
	skipInShort(t, "builds a service")
	binary := filepath.Join(t.TempDir(), "leaky")
	if _, err := probe.Build(t.Context(), probe.Options{Package: "../testdata/leaky", Out: binary, Net: true}); err != nil {
		t.Fatal(err)
	}
	t.Parallel() // the test waits for hosts
	for name, c := range map[string]struct {
		op    model.OpID
		close bool
		want  []string
	}{
		"HTTP":         {"GET /weather", false, []string{"GET /weather weather.example:80"}},
		"HTTP, closed": {"GET /weather", true, nil},
		"TCP":          {"GET /owner", false, []string{"GET /owner whois.example:43"}},
		"TCP, closed":  {"GET /owner", true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := leaksOf(t, binary, c.op, c.close); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// leaksOf searches one operation and returns the reported leaks.
func leaksOf(t *testing.T, binary string, op model.OpID, closes bool) (all []string) {
	t.Helper()
	service := &model.Service{Command: []string{binary}}
	if closes {
		service.Command = append(service.Command, "--close")
	}
	method, path, _ := strings.Cut(string(op), " ")
	got := start(t, model.Plan{
		Spec: &model.Spec{
			Operations: []*model.Operation{
				{ID: op, Method: method, Path: path, Responses: []model.Response{{Status: "200"}, {Status: "503"}}},
			},
		},
		Service:   service,
		Reset:     &model.Reset{Method: "POST", Path: "/reset"},
		Seed:      1,
		Tuning:    model.DefaultTuning(),
		Sampling:  model.DefaultSampling(),
		Limits:    model.Limits{Calls: 600},
		Net:       &model.VirtualNetwork{},
		Templates: []model.Template{{Steps: []model.TemplateStep{{Op: op, Min: 1, Max: 1}}, Weight: 1}},
	}, search.Sink{}).Wait()
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	for _, f := range got.Faults {
		if f.Oracle == oracle.ConnectionLeak {
			all = append(all, string(f.Op)+" "+f.Signature)
		}
	}
	return all
}
