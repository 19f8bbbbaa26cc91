package record

import (
	"testing"

	"sonde/ui/tui/screen"
)

// The borders of a recording can be dragged: between the list and the exchange, and between figure and message.
func TestBorders(t *testing.T) {
	d := toPayment(t)
	all := d.screen.Kept().Borders()
	if len(all) != 2 {
		t.Fatalf("the borders are %v", all)
	}
	for _, b := range all {
		d.send(screen.SetSplits{Splits: d.screen.Kept().Splits.Moved(b, b.At+4, b.At-2)})
	}
	for i, b := range d.screen.Kept().Borders() {
		if b.At == all[i].At {
			t.Errorf("the border %s is still at %d", b.ID, b.At)
		}
	}
	l := d.screen.layout()
	if l.list.W+l.side.W != d.screen.width || l.figure.H+l.message.H != l.side.H || l.figure.W != l.side.W {
		t.Errorf("the panes are %+v", l)
	}
}
