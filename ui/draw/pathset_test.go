package draw

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The width of an outlined path is the width of its text, whichever segments are kept.
func TestOutlinedPathWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		segment := rapid.SampledFrom([]string{"a", "{id}", "carts", "größe", "値"})
		path := "/" + strings.Join(rapid.SliceOfN(segment, 1, 8).Draw(t, "segments"), "/")
		p := newOutlinedPath(path)
		for range 8 {
			i, width := rapid.IntRange(-1, len(p.segments)-1).Draw(t, "segment"), rapid.IntRange(0, 40).Draw(t, "width")
			before := p.width
			kept := p.keep(i, width)
			if got := widthOf(p.text()); got != p.width || kept && got > width || !kept && got != before {
				t.Fatalf("%q has %d cells; the width is %d of at most %d, and was %d", p.text(), got, p.width, width, before)
			}
		}
	})
}
