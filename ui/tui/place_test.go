package tui

import (
	"errors"
	"testing"

	"sonde/model"
	"sonde/ui/app/userdata"

	"github.com/google/go-cmp/cmp"
)

// back returns a driver whose app opens a spec at the place where the user left it.
func back(spec *model.Spec, p userdata.Place) *driver {
	var err error
	if spec == nil {
		err = errors.New("no spec")
	}
	d := start(engine(spec, err), local).size(120, 36)
	d.app.prefs.Place = p
	if spec != nil && spec == shop() {
		return d.openDemo()
	}
	return d.do(d.app.Init())
}

// The place is restored: the screen, the operation, the filters and the picks.
func TestPlace(t *testing.T) {
	d := back(shop(), userdata.Place{}).press("/").write("order").press("enter", "esc").press(orders...)
	d.press("/").write("orders").press("enter", "4", " ", "down", "down", " ", "/").write("GET").press("enter")
	p := d.app.place()
	if len(p.Picks) != 2 || p.Tab != 3 || p.Operation == "" || p.Filter != "orders" || p.SeqFilter != "GET" {
		t.Fatalf("left %+v", p)
	}
	again := back(shop(), p)
	if diff := cmp.Diff(p, again.app.place()); diff != "" {
		t.Error(diff)
	}
	again.sees(t, tabs[3], "2 picked", "6 Export 2").press("1").sees(t, "╭─ "+p.Operation+" ─", "/ orders")
}

// The parts of a place that are no longer in the spec are ignored.
func TestPlaceInAnotherSpec(t *testing.T) {
	d := back(
		large(10),
		userdata.Place{Tab: 99, Operation: "POST /orders", Filter: "thing", Picks: [][]string{{"POST /orders"}, {}, {"POST /api/thing0s"}}},
	)
	d.sees(t, tabs[7]).press("1").sees(t, "/ thing", "╭─ GET /api/thing0s/{thing0Id} ─").press("4").sees(t, "1 picked")
	if p := back(nil, userdata.Place{Tab: 2}).app.place(); p.Tab != 2 {
		t.Errorf("where no spec was opened: %+v", p)
	}
}

// When a changed spec is read again, the picks that are still in the spec stay.
func TestPicksOfAChangedSpec(t *testing.T) {
	d := back(shop(), userdata.Place{Tab: 3, Picks: [][]string{{"GET /health"}, {"POST /carts"}}}).sees(t, "2 picked")
	changed := *shop()
	changed.Hash = "another"
	changed.Operations = nil
	for _, op := range shop().Operations {
		if op.ID != "GET /health" {
			changed.Operations = append(changed.Operations, op)
		}
	}
	d.app.spec.specs = engine(&changed, nil).Specs
	d.press("ctrl+r").sees(t, "the spec was read again").press("home").sees(t, "1 picked")
}
