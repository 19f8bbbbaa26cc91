package explore

import (
	"testing"

	"sonde/ui/pane"
)

func TestDivide(t *testing.T) {
	for _, c := range []struct {
		width      int
		reading    bool
		tree, page pane.Rect
	}{
		{40, false, pane.Rect{W: 40, H: 20}, pane.Rect{}},
		{60, true, pane.Rect{}, pane.Rect{W: 60, H: 20}},
		{80, true, pane.Rect{W: 36, H: 20}, pane.Rect{X: 36, W: 44, H: 20}},
		{120, false, pane.Rect{W: 43, H: 20}, pane.Rect{X: 43, W: 77, H: 20}},
		{200, false, pane.Rect{W: 64, H: 20}, pane.Rect{X: 64, W: 136, H: 20}},
	} {
		if tree, page := divide(c.width, 20, c.reading); tree != c.tree || page != c.page {
			t.Errorf("width %d: got %v and %v, want %v and %v", c.width, tree, page, c.tree, c.page)
		}
	}
}
