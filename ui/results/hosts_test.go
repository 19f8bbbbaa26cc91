package results

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"

	"pgregory.net/rapid"
)

func TestOutcomesCountTheRest(t *testing.T) {
	counts := map[string]int{"a": 9, "b": 8, "c": 7, "d": 6, "e": 5, "f": 4, "g": 1}
	if got, want := OutcomeText(counts), "9 × a, 8 × b, 7 × c, 6 × d, 5 × e, 4 × f, 1 other outcome"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	counts["h"] = 1
	if got, want := OutcomeText(counts), "9 × a, 8 × b, 7 × c, 6 × d, 5 × e, 4 × f, 2 other outcomes"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Hosts beyond the limit are counted in the last line. Lookups of names that were answered are not counted, because
// they have no line in any case.
func TestHostLinesCountWhatIsLeftOut(t *testing.T) {
	host := model.HostSummary{Host: "a.example:80", Protocol: model.HTTP, Count: 1, Outcomes: map[string]int{"answer": 1}}
	found, lost := host, host
	found.Protocol, lost.Protocol = model.DNS, model.DNS
	lost.Outcomes = map[string]int{"no such host": 1}
	all := slices.Concat(slices.Repeat([]model.HostSummary{host}, maxHosts), []model.HostSummary{found, host, found, lost, found})
	if got := HostLines(all); len(got) != maxHosts+1 || got[maxHosts] != "and 2 more" {
		t.Errorf("got %q, want %d lines and 2 more", got, maxHosts)
	}
}

// A resource of the environment has a line only if it did not always work.
func TestHostLinesOfTheEnvironment(t *testing.T) {
	port := model.HostSummary{Host: "7000/tcp", Protocol: model.Environment, Count: 3, Outcomes: map[string]int{model.OutcomeWorks: 3}}
	taken := port
	taken.Outcomes = map[string]int{model.OutcomeWorks: 2, string(model.NetAddressInUse): 1}
	got := HostLines([]model.HostSummary{port, taken})
	if len(got) != 1 || got[0] != "7000/tcp (environment): 2 × works, 1 × address-in-use" {
		t.Errorf("got %q", got)
	}
	c := model.Contact{Kind: model.ContactUse, Protocol: port.Protocol, Host: port.Host, Data: []byte("listen"), Outcome: "works", Stub: -1}
	if got := ContactLine(c); got != "7000/tcp (environment): listen: works" {
		t.Errorf("got %q", got)
	}
}

// Every outcome is either named or counted in the number of the other outcomes.
func TestOutcomesAreAllCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.MapOf(rapid.StringMatching(`[a-z]{1,3}`), rapid.IntRange(1, 9)).Draw(t, "counts")
		text := OutcomeText(counts)
		parts, others := strings.Split(text, ", "), 0
		if text == "" {
			parts = nil
		}
		last := 10
		for _, part := range parts {
			var n int
			var name string
			if _, err := fmt.Sscanf(part, "%d × %s", &n, &name); err != nil {
				fmt.Sscanf(part, "%d other", &others)
				continue
			}
			if counts[name] != n || n > last {
				t.Fatalf("%q has %q after %d, want %d", text, part, last, counts[name])
			}
			last = n
		}
		shown := len(parts)
		if others > 0 {
			shown--
		}
		if shown+others != len(counts) {
			t.Fatalf("%q has %d outcomes and %d others, want %d", text, shown, others, len(counts))
		}
	})
}
