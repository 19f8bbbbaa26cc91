package draw

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// widthOf returns the same width as the library.
func TestWidthOf(t *testing.T) {
	pieces := []string{
		"a", " ", "/carts", "│", "╭─", "▸", "▾", "●", "○", "✓", "△", "✗", "▶", "‖", "…", "·", "←", "→", "◆", "⏎",
		"\x1b[1;31m", "\x1b[0m", "\x1b[2J", "\x1b]0;x\x07", "\x1b", "\x1b[", "世", "é", "e\u0301",
		"\u200d", "\ufe0f", "👩", "⣿", "\n", "\t", "\xff",
	}
	rapid.Check(t, func(t *rapid.T) {
		s := ""
		for _, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces") {
			s += p
		}
		if got, want := widthOf(s), ansi.StringWidth(s); got != want {
			t.Fatalf("%q: got %d, want %d", s, got, want)
		}
	})
}

func BenchmarkWidthOf(b *testing.B) {
	line := "│ \x1b[38;5;114mPOST\x1b[0m   /carts/{cartId}/items   ✓ │"
	for b.Loop() {
		widthOf(line)
	}
}
