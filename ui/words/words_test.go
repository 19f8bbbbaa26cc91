package words_test

import (
	"slices"
	"testing"
	"time"

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

func TestLeft(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                            "",
		59 * time.Second:             "",
		time.Minute:                  "about 1m left",
		125 * time.Second:            "about 2m left",
		65*time.Minute + time.Second: "about 1h5m left",
	} {
		if got := words.Left(d); got != want {
			t.Errorf("Left(%v): got %q, want %q", d, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"one two three", 20, []string{"one two three"}},
		{"one two three", 7, []string{"one two", "three"}},
		{"sonde search --seed 1", 14, []string{"sonde search", "--seed 1"}},
		{"a http://127.0.0.1:80/path b", 10, []string{"a", "http://127", ".0.0.1:80/", "path b"}},
		{"東京都", 4, []string{"東京", "都"}},
		{"", 5, []string{""}},
		{"abc", 0, []string{"a", "b", "c"}},
	} {
		if got := words.Wrap(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("Wrap(%q, %d): got %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// A count that reached a limit says so, in words or by a sign.
func TestLimited(t *testing.T) {
	for _, test := range []struct {
		more       bool
		text, cell string
	}{{false, "2,001 seqs", "2,001"}, {true, "2,001 seqs, more exist", "2,001+"}} {
		text, cell := words.Limited("2,001 seqs", test.more), words.LimitedCell(2001, test.more)
		if text != test.text || cell != test.cell {
			t.Errorf("more %t: got %q and %q, want %q and %q", test.more, text, cell, test.text, test.cell)
		}
	}
}

func TestLiteral(t *testing.T) {
	for want, v := range map[string]any{"a b": "a b", "1.5": 1.5, `["x"]`: []any{"x"}, "null": nil} {
		if got := words.Literal(v); got != want {
			t.Errorf("%v: got %q, want %q", v, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 2001: "2,001", 99_999: "99,999", 100_000: "100k", 214_999: "214k", 999_999: "999k", 1_000_000: "1M",
		2_199_999: "2.1M", 9_999_999: "9.9M", 30_400_000: "30M",
	} {
		if got := words.Short(n); got != want || len(got) > 6 {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
	if got := words.LimitedText("5M", true) + words.LimitedText("5M", false); got != "5M+5M" {
		t.Errorf("got %s", got)
	}
}
