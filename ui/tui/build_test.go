package tui

import (
	"slices"
	"strings"
	"testing"

	"sonde/ui/app/userdata"
)

// built returns the calls of the first seq that the user built.
func (d *driver) built() string {
	p := d.app.place()
	if len(p.Built) == 0 {
		return ""
	}
	return strings.Join(p.Built[0], " › ")
}

// The user builds a seq. The first operations come from Explore and Graph. The other operations are added on Seqs.
// There, the line of an unbound value names the operation that provides the value.
func TestBuild(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press(orders...).press("b")
	d.sees(t, "POST /orders is call 1 of h1; cartId is unbound: POST /carts provides it")
	d.press("3", "right", "b").sees(t, "PATCH /orders/{orderId} is call 2 of h1").press("4")
	d.sees(
		t, "by hand", "✗ unbound", "orderId       path    ← call 1", "1 picked",
	).press("e", "down", "down").sees(t, "Build h1", "+ before it POST /carts")
	steps := []struct{ key, want string }{
		{"enter", "POST /carts › POST /orders › PATCH /orders/{orderId}"},
		{"D", "POST /carts › POST /carts › POST /orders › PATCH /orders/{orderId}"},
		{"z", "POST /carts › POST /orders › PATCH /orders/{orderId}"},
		{"home", "POST /carts › POST /orders › PATCH /orders/{orderId}"},
		{"shift+down", "POST /orders › POST /carts › PATCH /orders/{orderId}"},
		{"K", "POST /carts › POST /orders › PATCH /orders/{orderId}"},
		{"K", "POST /carts › POST /orders › PATCH /orders/{orderId}"}, // POST /carts is already the first call
		{"x", "POST /orders › PATCH /orders/{orderId}"},
		{"z", "POST /carts › POST /orders › PATCH /orders/{orderId}"},
	}
	for _, s := range steps {
		d.press(s.key)
		if d.built() != s.want {
			t.Fatalf("after %s: %s, want %s", s.key, d.built(), s.want)
		}
	}
	d.sees(t, "cartId        body    ← call 1").press("end", "enter").press("esc").sees(t, "4 calls", "e build on it").misses(t, "Build h1")
	d.press("6").sees(t, "1 seq has no values yet")
	d = back(shop(), d.app.place())
	d.press("4").sees(t, "by hand", "1 picked")
	if !slices.Equal(d.app.place().Built[0][:2], []string{"POST /carts", "POST /orders"}) {
		t.Errorf("back is %s", d.built())
	}
}

// If the user builds on a distilled seq, only a copy of the seq changes. A call cannot be removed if it is the only
// one.
func TestBuildOnACopy(t *testing.T) {
	d := open(shop(), nil).size(60, 24).press("4", "e").sees(t, "Build h1").press("x", "x", "x", "x", "z", "z").sees(t, "Build h1")
	if d.built() == "" || strings.Contains(d.built(), " › ") {
		t.Errorf("built %q", d.built())
	}
	d.press("esc").sees(t, "by hand", "distilled").misses(t, "Build")
	back(shop(), userdata.Place{Built: [][]string{{"GET /nothing"}}}).press("4").misses(t, "by hand")
}
