package draw_test

import (
	"maps"
	"math"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/draw"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// saturating returns a curve like that of a search: steep at first, then flat.
func saturating(points, calls, top int) []model.CurvePoint {
	var out []model.CurvePoint
	for i := range points {
		x := i * calls / points
		out = append(out, model.CurvePoint{Calls: x, Covered: int(float64(top) * (1 - math.Exp(-4*float64(x)/float64(calls))))})
	}
	return out
}

func TestRender(t *testing.T) {
	for name, c := range map[string]struct {
		chart draw.Chart
		want  []string
	}{
		"steps": {
			draw.Chart{
				Curve:  []model.CurvePoint{{Calls: 0, Covered: 0}, {Calls: 40, Covered: 5}, {Calls: 80, Covered: 10}},
				Now:    100,
				Width:  24,
				Height: 6,
			},
			[]string{
				"10┤                ⢸⠉⠉⠉⠉",
				"  │                ⢸    ",
				"  │        ⡏⠉⠉⠉⠉⠉⠉⠉⠁    ",
				"  │⣀⣀⣀⣀⣀⣀⣀⣀⠇            ",
				"  └─────────────────────",
				"  0            100 calls",
			},
		},
		"another run behind, cut off where this one ends": {
			draw.Chart{
				Curve:  []model.CurvePoint{{Calls: 0, Covered: 0}, {Calls: 40, Covered: 10}},
				Now:    60,
				Span:   100,
				Before: []model.CurvePoint{{Calls: 0, Covered: 5}, {Calls: 80, Covered: 20}, {Calls: 200, Covered: 90}},
				Until:  300,
				Width:  24,
				Height: 6,
			},
			[]string{
				"20┤                ⢸⠉⠉⠉⠉",
				"  │                ⢸    ",
				"  │        ⡏⠉⠉⠉⠉   ⢸    ",
				"  │⣏⣉⣉⣉⣉⣉⣉⣉⠏⠉⠉⠉⠉⠉⠉⠉⠁    ",
				"  └─────────────────────",
				"  0            100 calls",
			},
		},
		"another run behind, dashed": {
			draw.Chart{
				Curve:  []model.CurvePoint{{Calls: 0, Covered: 0}, {Calls: 40, Covered: 10}},
				Now:    60,
				Span:   100,
				Before: []model.CurvePoint{{Calls: 0, Covered: 5}, {Calls: 80, Covered: 20}, {Calls: 200, Covered: 90}},
				Until:  300,
				Dashed: true,
				Width:  24,
				Height: 6,
			},
			[]string{
				"20┤                ⢸ ⠉ ⠉",
				"  │                ⢸    ",
				"  │        ⡏⠉⠉⠉⠉   ⢸    ",
				"  │⣏⣀⣉⣀⣉⣀⣉⣀⠏ ⠉ ⠉ ⠉ ⠁    ",
				"  └─────────────────────",
				"  0            100 calls",
			},
		},
		"before a run": {
			draw.Chart{Span: 2000, Width: 30, Height: 5},
			[]string{
				"1┤                            ",
				" │                            ",
				" │                            ",
				" └────────────────────────────",
				" 0                 2,000 calls",
			},
		},
		"labels keep off each other and, where they can, off the curve": {
			draw.Chart{
				Curve: saturating(100, 600, 92), Now: 600, Span: 1000, Width: 44, Height: 8,
				Marks: []draw.ChartMark{
					{Call: 300, Label: "P .60→.80"},
					{Call: 320, Label: "F .50→.40"},
					{Call: 590, Label: "P .80→.60"},
					{Call: 950, Label: "late one"},
				},
			},
			[]string{
				"100┤            ┆    ⢀⣀⣀⣀⣀⣀⣀⡀             ┆ ",
				"   │        ⢀⡠⠤⠔⠒⠒⠉⠉⠉⠁     ┆              ┆ ",
				"   │     ⡠⠔⠊⠁   ┆          ┆              ┆ ",
				" 50┤  ⢀⡠⠊       ┆          ┆              ┆ ",
				"   │ ⡠⠊         ┆F .50→.40 ┆      late one┆ ",
				"   │⡔⠁          ┆P .60→.80 ┆P .80→.60     ┆ ",
				"   └────────────────────────────────────────",
				"   0                   500       1,000 calls",
			},
		},
		"no room for numbers": {
			draw.Chart{Curve: []model.CurvePoint{{Calls: 0, Covered: 1}}, Now: 10, Width: 8, Height: 2},
			[]string{"1┤⡏⠉⠉⠉⠉⠉", " │⡇     "},
		},
	} {
		if got := ansi.Strip(c.chart.Render()); got != strings.Join(c.want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, strings.Join(c.want, "\n"))
		}
	}
}

// A chart has its size for any content, even for content from a hostile file: a falling curve, or numbers
// out of range.
func TestRenderKeepsItsSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := draw.Chart{Now: rapid.IntRange(0, 5000).Draw(t, "now"), Span: rapid.IntRange(0, 5000).Draw(t, "span")}
		c.Width, c.Height = rapid.IntRange(0, 120).Draw(t, "width"), rapid.IntRange(0, 30).Draw(t, "height")
		at := 0
		for range rapid.IntRange(0, 50).Draw(t, "points") {
			at += rapid.IntRange(0, 100).Draw(t, "calls")
			c.Curve = append(c.Curve, model.CurvePoint{Calls: at, Covered: rapid.IntRange(-5, 400).Draw(t, "covered")})
		}
		if rapid.Bool().Draw(t, "another") {
			c.Before, c.Until = saturating(20, rapid.IntRange(1, 8000).Draw(t, "length"), 300), rapid.IntRange(0, 9000).Draw(t, "until")
		}
		for range rapid.IntRange(0, 5).Draw(t, "marks") {
			c.Marks = append(c.Marks, draw.ChartMark{Call: rapid.IntRange(-100, 6000).Draw(t, "mark"), Label: "P .60→.80"})
		}
		rows := strings.Split(c.Render(), "\n")
		if len(rows) != max(1, c.Height) {
			t.Fatalf("%d lines, want %d", len(rows), c.Height)
		}
		for _, r := range rows {
			if got := ansi.StringWidth(r); got > c.Width && c.Width > 6 {
				t.Fatalf("line %q has %d cells, want at most %d", r, got, c.Width)
			}
		}
	})
}

// The line of every mark is visible, for any number of marks, any distances and any labels.
func TestEveryMarkHasItsLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := draw.Chart{Now: 1000, Width: rapid.IntRange(8, 80).Draw(t, "width"), Height: rapid.IntRange(1, 12).Draw(t, "height")}
		c.Curve = saturating(50, 1000, rapid.SampledFrom([]int{9, 99}).Draw(t, "top"))
		axis := strings.IndexAny(ansi.Strip(c.Render()), "┤│") + 1 // the characters before the axis take one cell each
		columns := c.Width - axis
		want := map[int]bool{}
		for range rapid.IntRange(1, 12).Draw(t, "marks") {
			call := rapid.IntRange(0, 1000).Draw(t, "call")
			label := rapid.SampledFrom([]string{"", "P .60→.80", "F .5"}).Draw(t, "label")
			c.Marks = append(c.Marks, draw.ChartMark{Call: call, Label: label})
			want[min(call*columns/1000, columns-1)] = true
		}
		got := map[int]bool{}
		for _, row := range strings.Split(ansi.Strip(c.Render()), "\n") {
			cells := []rune(row)
			for i, r := range cells {
				if r == '┆' {
					got[i-axis] = true
				}
			}
		}
		if !maps.Equal(got, want) {
			t.Fatalf("lines in columns %v, want %v:\n%s", got, want, ansi.Strip(c.Render()))
		}
	})
}

func BenchmarkRender(b *testing.B) {
	c := draw.Chart{
		Curve:  saturating(400, 2000, 92),
		Now:    2000,
		Width:  110,
		Height: 20,
		Marks:  []draw.ChartMark{{Call: 700, Label: "P .60→.80"}},
	}
	for b.Loop() {
		c.Render()
	}
}
