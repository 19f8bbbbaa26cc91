package words_test

import (
	"testing"

	"sonde/ui/words"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 6214: "6,214", 1234567: "1,234,567", -6214: "-6,214"} {
		if got := words.Count(n); got != want {
			t.Errorf("Count(%d): got %q, want %q", n, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 calls", 1: "1 call", 2: "2 calls", 1500: "1,500 calls"} {
		if got := words.Plural(n, "call"); got != want {
			t.Errorf("Plural(%d): got %q, want %q", n, got, want)
		}
	}
}

func TestShare(t *testing.T) {
	for f, want := range map[float64]string{0: "0.00", 0.6: "0.60", 0.305: "0.30", 1: "1.00"} {
		if got := words.Share(f); got != want {
			t.Errorf("Share(%v): got %q, want %q", f, got, want)
		}
	}
}
