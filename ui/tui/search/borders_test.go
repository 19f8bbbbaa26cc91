package search

import (
	"testing"

	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	"pgregory.net/rapid"
)

// The panes of a run fill the page without overlaps, wherever their borders are dragged to.
func TestSplitPanes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(wide, 220).Draw(t, "width"), rapid.IntRange(high, 60).Draw(t, "height")
		share := rapid.IntRange(-5, 1005)
		splits := screen.Splits{
			knobsBorder: share.Draw(t, "knobs"), lowerBorder: share.Draw(t, "lower"), sidesBorder: share.Draw(t, "sides"),
		}
		l := lay(width, height, partKnobs, lowerFirst, rapid.Bool().Draw(t, "ended")).split(splits, lowerFirst)
		cells := l.head.W * l.head.H
		var all []draw.Rect
		for _, r := range l.part {
			for _, other := range all {
				if r.Meets(other) {
					t.Fatalf("%+v and %+v overlap", r, other)
				}
			}
			if !r.Empty() {
				all = append(all, r)
				cells += r.W * r.H
			}
		}
		if len(all) != 4 || cells != width*height {
			t.Fatalf("%d panes have %d cells of %d: %+v", len(all), cells, width*height, all)
		}
	})
}

// The borders of a run are where its panes meet, and a border can be dragged. The form and other pages have none.
func TestBordersOfARun(t *testing.T) {
	d := drive(t, demo)
	if all := d.model().Kept().Borders(); len(all) != 0 {
		t.Errorf("the form has the borders %v", all)
	}
	for _, size := range [][2]int{{80, 21}, {120, 33}, {200, 57}} {
		d := drive(t, demo).size(size[0], size[1]).press("enter").show(running())
		all := d.model().Kept().Borders()
		if len(all) != 2 {
			t.Fatalf("%v: %d borders", size, len(all))
		}
		for _, b := range all {
			d.send(screen.SetSplits{Splits: d.model().Kept().Splits.Moved(b, b.At+5, 0)})
		}
		for i, b := range d.model().Kept().Borders() {
			if b.At == all[i].At {
				t.Errorf("%v: the border %s is still at %d", size, b.ID, b.At)
			}
		}
	}
	if all := drive(t, demo).size(60, 21).press("enter").show(running()).model().Kept().Borders(); len(all) != 0 {
		t.Errorf("a narrow page has the borders %v", all)
	}
}
