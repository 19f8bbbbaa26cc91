package tui

import (
	"context"
	"testing"

	"sonde/model"
)

// TestPreview opens a spec whose analysis takes a while. In the meantime, the operations are shown, the
// cursor and the filter work, and other keys wait.
func TestPreview(t *testing.T) {
	e := engine(nil, nil)
	e.Specs.Load = func(context.Context, string) (*model.Spec, error) { return shop(), nil }
	d := start(e, local).size(120, 36)
	read := d.app.spec.read()().(specRead)
	d.app.Update(read)
	d.sees(t, "28 operations", "╭─ GET /products ─", "Finding the values", "GET    /products")
	if d.app.spec.opened != nil {
		t.Fatal("the spec is open before it is analyzed")
	}
	for _, k := range []string{"down", "/", "p", "a", "y", "enter", "2"} {
		d.app.Update(keyMessage(k))
	}
	d.sees(t, "Finding what 28 operations share")
	for _, k := range []string{"1", "G"} { // G shows the group of the operation, which is known only after the analysis
		d.app.Update(keyMessage(k))
	}
	d.sees(t, "Finding the values", "/ pay")
	d.send(read.analyze())
	d.sees(t, "Groups", "5 groups", "POST /orders/{orderId}/pay")
	if d.app.screens.tab != 1 {
		t.Errorf("G was pressed: got screen %d", d.app.screens.tab)
	}
	d.press("1").sees(t, "/ pay", "Takes")
}

func TestPreviewOfABrokenSpec(t *testing.T) {
	d := start(engine(shop(), nil), local).size(120, 36)
	read := d.app.spec.read()().(specRead)
	d.app.Update(read)
	d.app.Update(keyMessage("ctrl+r")) // begins another attempt: the result of the first attempt is dropped
	d.app.Update(read.analyze())
	if d.app.spec.opened != nil {
		t.Error("an older attempt was accepted")
	}
}
