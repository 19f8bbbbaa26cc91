package network

import (
	"testing"

	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	"pgregory.net/rapid"
)

// The panes fill the screen without overlaps, wherever their borders are dragged to.
func TestSplitPanes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(40, 220).Draw(t, "width"), rapid.IntRange(9, 60).Draw(t, "height")
		splits := screen.Splits{
			hostBorder:     rapid.IntRange(-5, 1005).Draw(t, "host"),
			contactsBorder: rapid.IntRange(-5, 1005).Draw(t, "contacts"),
		}
		focus := rapid.SampledFrom([]focus{onMap, onContact}).Draw(t, "focus")
		l := newLayout(width, height, focus).split(splits)
		cells := 0
		for _, r := range []draw.Rect{l.hosts, l.facts, l.contacts} {
			if !r.Empty() {
				cells += r.W * r.H
			}
		}
		if cells != width*height || l.facts.Meets(l.contacts) || l.hosts.Meets(l.facts) || l.hosts.Meets(l.contacts) {
			t.Fatalf("%d cells of %d: %+v", cells, width*height, l)
		}
	})
}
