package draw

import "testing"

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"payments.example:443", 20, "payments.example:443"},
		{"payments.example:443", 9, "paym…:443"},
		{"支払い.example", 8, "支…ample"},
		{"長長長長", 4, "…長"},
		{"long", 1, "…"},
		{"long", 0, ""},
		{"", 5, ""},
	} {
		if got := CutMiddle(c.text, c.width); got != c.want || widthOf(got) > c.width {
			t.Errorf("%q in %d cells: got %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
