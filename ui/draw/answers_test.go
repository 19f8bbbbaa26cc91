package draw_test

import (
	"testing"

	"sonde/ui/draw"
	"sonde/ui/theme"
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
