package draw_test

import (
	"testing"

	"sonde/ui/draw"
	"sonde/ui/theme"

	"pgregory.net/rapid"
)

// If there is a 5xx answer, the glyph is the one for a failure. Otherwise, if there is a 2xx answer, it is the one
// for a success.
func TestAnswersGlyph(t *testing.T) {
	for _, test := range []struct {
		counts map[int]int
		want   string
	}{
		{map[int]int{200: 9, 500: 1}, theme.Failed},
		{map[int]int{200: 1, 404: 9}, theme.Ok},
		{map[int]int{302: 1, 404: 9}, theme.Refused},
		{map[int]int{302: 1}, theme.Refused},
		{map[int]int{500: 0}, theme.Untried},
		{nil, theme.Untried},
	} {
		if got, _ := draw.AnswersGlyph(test.counts); got != test.want {
			t.Errorf("%v: got %s, want %s", test.counts, got, test.want)
		}
	}
}

// With more room there are more statuses, the most telling ones first, and their counts.
func TestAnswers(t *testing.T) {
	many := map[int]int{200: 40, 201: 3, 404: 1200, 500: 2}
	for _, test := range []struct {
		counts map[int]int
		width  int
		want   string
	}{
		{nil, 40, "·"},
		{map[int]int{500: 0}, 40, "·"},
		{many, 1, "✗"},
		{many, 3, "500"},
		{many, 5, "✗ 500"},
		{many, 8, "✗ 500"},
		{many, 9, "✗ 500×2 …"},
		{many, 16, "✗ 500×2 200×40 …"},
		{many, 40, "✗ 500×2 200×40 201×3 404×1,200"},
		{map[int]int{404: 3}, 7, "△ 404×3"},
		{map[int]int{404: 30}, 7, "△ 404"},
		{map[int]int{404: 3, 302: 9}, 20, "△ 404×3 302×9"},
		{map[int]int{0: 3}, 3, "—  "},
	} {
		if got := draw.Answers(test.counts, test.width).Text(); got != test.want {
			t.Errorf("%v in %d cells: got %q, want %q", test.counts, test.width, got, test.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.MapOfN(rapid.IntRange(0, 599), rapid.IntRange(0, 1e6), 0, 6).Draw(t, "counts")
		width := rapid.IntRange(1, 60).Draw(t, "width")
		if got := draw.Answers(counts, width); got.Width() > width {
			t.Fatalf("%v is %q, which is wider than %d cells", counts, got.Text(), width)
		}
	})
}
