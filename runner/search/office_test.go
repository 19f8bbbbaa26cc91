package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/runner/search"
)

// A search finds ids in XML, in plain text and in any part of a URL. It also finds numbers and dates that must fit
// together.
func TestSearchOffice(t *testing.T) {
	t.Parallel()
	s := studiedService(t, "office")
	s.plan.Seed, s.plan.Limits.Calls = 4, 8000
	got := start(t, s.plan, search.Sink{}).Wait()
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	covered := map[string]bool{}
	patterns := 0
	for _, test := range got.Tests {
		for _, target := range test.Covers {
			covered[target] = true
		}
		for _, l := range test.Links {
			if l.Pattern != "" {
				patterns++
			}
		}
	}
	for target := range s.reachable {
		if !covered[target] {
			t.Errorf("no test has %s", target)
		}
	}
	var faults []string
	for _, f := range got.Faults {
		key := fmt.Sprintf("%s %s", f.Op, f.Oracle)
		if s.faults[key] == "" {
			t.Errorf("found %s, which is not planted: want %s, got %s", key, f.Expected, f.Text)
		}
		faults = append(faults, s.faults[key])
	}
	slices.Sort(faults)
	if all := strings.Join(faults, " "); all != "F01 F02 F03 F04 F05" {
		t.Errorf("found the faults %s", all)
	}
	if patterns == 0 {
		t.Error("no kept test takes a part of a text")
	}
	t.Logf("%d calls, %d tests, %d links to parts of texts", got.Summary.Calls, len(got.Tests), patterns)
}
