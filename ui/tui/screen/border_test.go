package screen_test

import (
	"testing"

	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	"pgregory.net/rapid"
)

// A border has the last cells of one pane and the first ones of the other.
func TestBorderHas(t *testing.T) {
	left, right := draw.Rect{X: 0, Y: 2, W: 30, H: 10}, draw.Rect{X: 30, Y: 2, W: 50, H: 10}
	column := screen.ColumnBorder("page", left, right)[0]
	row := screen.RowBorder("texts", draw.Rect{W: 80, H: 15}, draw.Rect{Y: 15, W: 80, H: 6})[0]
	for _, c := range []struct {
		border screen.Border
		x, y   int
		want   bool
	}{
		{column, 29, 5, true},
		{column, 30, 5, true},
		{column, 31, 5, false},
		{column, 30, 1, false},
		{column, 30, 12, false},
		{row, 3, 14, true},
		{row, 79, 15, true},
		{row, 3, 16, false},
		{row, 80, 15, false},
	} {
		if got := c.border.Has(c.x, c.y); got != c.want {
			t.Errorf("%s at %d, %d: got %t", c.border.ID, c.x, c.y, got)
		}
	}
	if len(screen.ColumnBorder("page", draw.Rect{}, right)) != 0 || len(screen.RowBorder("texts", left, draw.Rect{})) != 0 {
		t.Error("a border of a pane that is not shown")
	}
}

// Two panes always fill the same space, both have room, and a border that was dragged to a column is there.
func TestSplits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, at := rapid.IntRange(2, 300).Draw(t, "width"), rapid.IntRange(-10, 320).Draw(t, "at")
		w := rapid.IntRange(1, width-1).Draw(t, "left")
		left, right := draw.Rect{X: 3, W: w, H: 9}, draw.Rect{X: 3 + w, W: width - w, H: 9}
		var none screen.Splits
		if l, r := none.Columns("page", left, right); l != left || r != right {
			t.Fatalf("without a share: %+v, %+v", l, r)
		}
		s := none.Moved(screen.ColumnBorder("page", left, right)[0], at, 4)
		l, r := s.Columns("page", left, right)
		if l.X != 3 || l.X+l.W != r.X || l.W+r.W != width || l.Empty() || r.Empty() {
			t.Fatalf("%+v and %+v of %d", l, r, width)
		}
		if at >= 3+20 && at <= 3+width-20 && r.X != at {
			t.Fatalf("the border is at %d, want %d", r.X, at)
		}
		if len(none) != 0 || len(s) != 1 {
			t.Fatalf("shares %v and %v", none, s)
		}
		u, d := screen.Splits{"texts": at * 10}.Rows("texts", draw.Rect{W: 9, H: w}, draw.Rect{W: 9, Y: w, H: width - w})
		if u.H+d.H != width || d.Y != u.H || u.Empty() || d.Empty() {
			t.Fatalf("%+v and %+v of %d", u, d, width)
		}
		if only, _ := s.Columns("page", left, draw.Rect{}); only != left {
			t.Fatalf("a single pane is %+v", only)
		}
	})
}
