package seqs

import (
	"testing"

	"sonde/ui/tui/screen"
)

// Key p switches to the next rule, which picks from the listed rows. Rows that were picked individually stay picked.
func TestPickByRule(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2", "t3", "t9").press(" ").hasPicked("t1")
	d.press("p").hasPicked("t1", "t3")
	d.press("p").hasPicked("t1", "t2", "t3")
	if want := "2 picked, one per group; p: none by rule"; d.message != want {
		t.Errorf("said %q, want %q", d.message, want)
	}
	d.press("p").hasPicked("t1")
	d.press("f", "f", "p", "p").lists("d1", "d2", "d3", "d4").hasPicked("t1", "d2", "d3")
}

// Key o switches to the next order. The order also applies to filtered lists.
func TestOrder(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).send(weighed())
	for _, want := range [][]string{
		{"t1", "d4", "t2", "d1", "d3", "t3", "d2"},
		{"t3", "t2", "t1", "d1", "d2", "d3", "d4"},
		{"t1", "t2", "t3", "d1", "d2", "d3", "d4"},
		{"t2", "t1", "t3", "d1", "d2", "d3", "d4"},
		{"t3", "t1", "t2", "d1", "d2", "d3", "d4"},
		{"t2", "t1", "t3", "d1", "d2", "d3", "d4"},
		{"t3", "t1", "t2", "d1", "d2", "d3", "d4"},
		{"t1", "t2", "t3", "d1", "d2", "d3", "d4"},
	} {
		d.press("o").lists(want...)
	}
	d.press("o", "f", "f").lists("d4", "d1", "d3", "d2")
}
