package tui

import (
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	"pgregory.net/rapid"
)

// The user goes back and forward through screens and operations.
func TestBackAndForward(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press("alt+left").sees(t, "this is where you began", "Explore › GET /products ")
	d.press(orders...).press("enter", "enter").sees(t, "Explore › POST /carts ") // goes to the operation that provides a value
	d.press("g").sees(t, tabs[2], "Graph › POST /carts ")
	find(d, "moveorder").press("enter").sees(t, tabs[0], "Explore › PATCH /orders/{orderId} ")
	d.press("4", "5").sees(t, tabs[4])
	for _, want := range []string{
		"Seqs › d1 ", "Explore › PATCH /orders/{orderId} ", "Graph › POST /carts ", "Explore › POST /carts ",
		"Explore › POST /orders ",
	} {
		d.press("[").sees(t, want)
	}
	d.press("[").sees(t, "this is where you began") // the filter only moved the cursor
	for _, want := range []string{"Explore › POST /carts ", "Graph › POST /carts ", "Explore › PATCH /orders/{orderId} "} {
		d.press("alt+right").sees(t, want)
	}
	d.press("2").sees(t, "Groups › group 1 › PATCH …/{orderId} ").press("]").sees(t, "there is nowhere to go forward to")
	d.press("alt+left").sees(t, "Explore › PATCH /orders/{orderId} ", "╭─ PATCH /orders/{orderId} ─")
}

// The breadcrumb follows the cursor. Moving the cursor adds nothing to the trail.
func TestBreadcrumb(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press("down").sees(t, "Explore › POST /products ")
	d.press("left").sees(t, "Explore › products ").press("[").sees(t, "this is where you began")
	d.press("2", "down").sees(t, "Groups › group 2 › POST /customers ").press("8").sees(t, "Gear shop 1.4.0 · Record ·")
	d.press("[").sees(t, "Groups › group 2")
	open(shop(), nil).size(80, 24).press(orders...).sees(t, "Explore › POST /orders ")
	open(&model.Spec{}, nil).size(120, 36).press("1", "2", "3", "4").sees(t, "Seqs").press("[", "[", "[", "]").sees(t, tabs[1])
	open(shop(), nil).size(120, 36).press("/", "[").sees(t, "/ [")
}

// The user makes any number of jumps. back then goes through the earlier spots, and forward goes through the same
// spots in the other direction. Each step leads to another spot than the current one.
func TestTrail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tr trail
		went := []spot{{}}
		for range rapid.IntRange(1, 50).Draw(t, "jumps") {
			to := spot{screen.Tab(rapid.IntRange(0, 2).Draw(t, "tab")), rapid.SampledFrom([]model.OpID{"", "a"}).Draw(t, "op")}
			tr.visit(to)
			if to != went[len(went)-1] {
				went = append(went, to)
			}
		}
		for i := len(went) - 2; i >= 0; i-- {
			if !tr.back() || tr.here != went[i] {
				t.Fatalf("back to %v, want %v", tr.here, went[i])
			}
		}
		if tr.back() {
			t.Fatal("there is something before the beginning")
		}
		for _, want := range went[1:] {
			if !tr.forward() || tr.here != want {
				t.Fatalf("forward to %v, want %v", tr.here, want)
			}
		}
		if tr.forward() {
			t.Fatal("there is something after the end")
		}
	})
}

func TestTrailEnds(t *testing.T) {
	var tr trail
	for i := range 1000 {
		tr.visit(spot{tab: screen.Tab(i % 7)})
	}
	if len(tr.before) != maxTrail {
		t.Errorf("%d spots are remembered, want %d", len(tr.before), maxTrail)
	}
}
