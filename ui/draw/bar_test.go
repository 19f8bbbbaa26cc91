package draw_test

import (
	"math"
	"testing"

	"sonde/ui/draw"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestBar(t *testing.T) {
	for share, want := range map[float64]string{
		0:          "──────────",
		1:          "━━━━━━━━━━",
		0.5:        "━━━━━─────",
		0.55:       "━━━━━╸────",
		7:          "━━━━━━━━━━",
		-1:         "──────────",
		math.NaN(): "──────────",
	} {
		if got := ansi.Strip(draw.Bar(share, 10)); got != want {
			t.Errorf("%v: got %q, want %q", share, got, want)
		}
	}
}

func TestSlider(t *testing.T) {
	for share, want := range map[float64]string{0: "◂╋──────▸", 0.5: "◂━━━╋───▸", 1: "◂━━━━━━╋▸", 2: "◂━━━━━━╋▸"} {
		if got := ansi.Strip(draw.Slider(share, 9, true)); got != want {
			t.Errorf("%v: got %q, want %q", share, got, want)
		}
	}
	if got := draw.Slider(0.5, 2, false); got != "" {
		t.Errorf("no room: got %q", got)
	}
}

func TestGaugesKeepTheirWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		share, width := rapid.Float64().Draw(t, "share"), rapid.IntRange(3, 200).Draw(t, "width")
		if got := ansi.StringWidth(draw.Bar(share, width)); got != width {
			t.Fatalf("bar: %d cells, want %d", got, width)
		}
		if got := ansi.StringWidth(draw.Slider(share, width, false)); got != width {
			t.Fatalf("slider: %d cells, want %d", got, width)
		}
	})
}
