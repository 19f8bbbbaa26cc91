package results

import (
	"testing"
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
