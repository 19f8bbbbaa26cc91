package explore

import (
	"testing"

	"sonde/ui/draw"
)

func TestDivide(t *testing.T) {
	for _, c := range []struct {
		width      int
		reading    bool
		tree, page draw.Rect
	}{
		{40, false, draw.Rect{W: 40, H: 20}, draw.Rect{}},
		{60, true, draw.Rect{}, draw.Rect{W: 60, H: 20}},
		{80, true, draw.Rect{W: 36, H: 20}, draw.Rect{X: 36, W: 44, H: 20}},
		{120, false, draw.Rect{W: 43, H: 20}, draw.Rect{X: 43, W: 77, H: 20}},
		{200, false, draw.Rect{W: 64, H: 20}, draw.Rect{X: 64, W: 136, H: 20}},
	} {
		if tree, page := divide(c.width, 20, c.reading); tree != c.tree || page != c.page {
			t.Errorf("width %d: got %v and %v, want %v and %v", c.width, tree, page, c.tree, c.page)
		}
	}
}
