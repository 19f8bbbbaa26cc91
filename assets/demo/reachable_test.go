package demo

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"testing"
)

//go:embed reachable.txt
var reachable string

// TestReachable checks that calls to a shop without other hosts get exactly the answers in reachable.txt.
func TestReachable(t *testing.T) {
	seen := map[string]bool{}
	show := func(name string, c Config, steps []step) {
		t.Run(name, func(t *testing.T) {
			v := visit(t, c)
			v.follow(steps)
			maps.Copy(seen, v.seen)
		})
	}
	for _, s := range scenarios {
		if s.provider == "" && s.feed == "" {
			show(s.name, Config{}, s.steps)
		}
	}
	for id, f := range triggers {
		if f.provider == "" && f.feed == "" {
			steps := slices.Clone(f.steps)
			steps[len(steps)-1].want = 500
			show(id, Config{}, steps)
		}
	}
	listed := map[string]bool{}
	for line := range strings.Lines(reachable) {
		if pair := strings.TrimSpace(line); !strings.HasPrefix(pair, "#") {
			listed[pair] = true
		}
	}
	for pair := range listed {
		if !seen[pair] {
			t.Errorf("%s is listed, but no call got it", pair)
		}
	}
	for pair := range seen {
		if !listed[pair] {
			t.Errorf("%s was answered, but is not listed", pair)
		}
	}
}
