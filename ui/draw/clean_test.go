package draw_test

import (
	"strings"
	"testing"
	"unicode"

	"sonde/ui/draw"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestClean(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":              {"GET /carts", "GET /carts"},
		"colours":            {"\x1b[31mred\x1b[0m", "red"},
		"title sequence":     {"a\x1b]0;pwned\x07b", "ab"},
		"bell and backspace": {"a\x07\x08b", "ab"},
		"lines":              {"one\r\n\ttwo", "one two"},
		"direction":          {"a\u202eb\u2066c", "abc"},
		"joined emoji":       {"👩\u200d🔬", "👩🔬"},
		"piled-up accents":   {"e\u0301\u0301\u0301", "e\u0301"},
		"wide":               {"東京", "東京"},
		"no UTF-8":           {"a\xffb", "a\ufffdb"},
	} {
		if got := draw.Clean(c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestCleanLinesKeepsLines(t *testing.T) {
	if got, want := draw.CleanLines("a\r\n\tb\x1b[2J"), "a\n    b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// For any text, the result has no control characters and no escape sequences.
func TestCleanIsHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got := draw.Clean(string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text"))
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Fatalf("%q is left in %q", r, got)
			}
		}
		if again := draw.Clean(got); again != got {
			t.Fatalf("cleaning %q again gives %q", got, again)
		}
	})
}

func TestOver(t *testing.T) {
	got := draw.Overlay("abcdef\nghijkl\nmnopqr", "XY\nZ", 4, 1)
	if want := "abcdef\nghijXY\nmnopZr"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A box drawn over a picture does not change the picture's size.
func TestOverKeepsTheSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 30).Draw(t, "width"), rapid.IntRange(1, 9).Draw(t, "height")
		picture := draw.FitLines(rapid.StringMatching(`[a-z世é\n]{0,200}`).Draw(t, "picture"), w, h)
		box := rapid.StringMatching(`[A-Z界\n]{0,60}`).Draw(t, "box")
		got := draw.Overlay(picture, box, rapid.IntRange(0, 35).Draw(t, "x"), rapid.IntRange(-2, 12).Draw(t, "y"))
		lines := strings.Split(got, "\n")
		if len(lines) != h {
			t.Fatalf("%d lines, want %d", len(lines), h)
		}
		for _, l := range lines {
			if ansi.StringWidth(l) != w {
				t.Fatalf("line %q is not %d cells wide", l, w)
			}
		}
	})
}

func TestScroll(t *testing.T) {
	for name, c := range map[string]struct{ offset, first, last, height, total, want int }{
		"all fit":         {0, 2, 2, 10, 5, 0},
		"stays":           {3, 5, 5, 10, 50, 3},
		"moves up":        {9, 5, 5, 10, 50, 5},
		"moves down":      {0, 12, 12, 10, 50, 3},
		"block":           {0, 12, 14, 10, 50, 5},
		"list got short":  {40, 3, 3, 10, 12, 2},
		"block too large": {0, 4, 30, 10, 50, 21},
	} {
		if got := draw.ScrollOffset(c.offset, c.first, c.last, c.height, c.total); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}
