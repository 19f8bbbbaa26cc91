package export

import (
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
)

var (
	resets = model.Stub{Host: "payments.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Fault: model.NetReset}}}
	paid   = model.Stub{Host: "payments.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Status: 200}}}
)

// A seq that is run to find its values is run with the stubs that the user injected.
func TestRealiseOutside(t *testing.T) {
	network := usecase.Surroundings{Net: true, Stubs: []model.Stub{resets}}
	d := drive(t, demo).send(screen.SurroundingsChanged{Surroundings: network}).pick(orders)
	d.sees("r runs them on http://127.0.0.1:41873 with 1 stub of yours").press("r")
	if len(d.around) != 1 || !d.around[0].Net || len(d.around[0].Stubs) != 1 {
		t.Errorf("around the service were %+v", d.around)
	}
	put := orders
	put.Stubs = []model.Stub{paid}
	d.pick(put).sees("1 seq has no values yet").press("r")
	if len(d.around) != 2 || len(d.around[1].Stubs) != 2 || len(d.tests[0].Stubs) != 1 || d.tests[0].Stubs[0].Summary() != "200" {
		t.Errorf("around the service were %+v, the test has %+v", d.around, d.tests)
	}
}

// A test to which the user added a stub must be played again. Before it is played, the exported test has the stub and
// the old answers. Afterwards it has the new answers. If the user changes the stubs once more, the test must be
// played once more.
func TestReplay(t *testing.T) {
	item := carts
	own := *carts.Test
	own.Stubs = []model.Stub{paid}
	item.Test, item.Stubs = &own, []model.Stub{resets}
	d := drive(t, demo).pick(item).sees("1 test was not played with your stubs yet: r plays them, w also writes them")
	if got := d.tests[0]; len(got.Stubs) != 2 || got.Stubs[0].Summary() != "reset" || got.Calls[1].Status != 201 {
		t.Errorf("before it is %+v", got)
	}
	d.press("r")
	if len(d.screen.picks.toRun()) != 0 {
		t.Error("it is to be played again")
	}
	if len(d.around) != 1 || !d.around[0].Net || len(d.around[0].Stubs) != 2 || d.around[0].Stubs[0].Summary() != "reset" {
		t.Fatalf("around the service were %+v", d.around)
	}
	if got := d.tests[0]; len(got.Stubs) != 2 || got.Calls[1].Status != 503 || got.ID != "t1" {
		t.Errorf("behind it is %+v", got)
	}
	item.Stubs = []model.Stub{paid}
	d.pick(item).sees("1 test was not played with your stubs yet")
	other := own
	other.Calls = carts.Test.Calls[:1]
	item.Test, item.Stubs = &other, []model.Stub{resets}
	d.pick(item).sees("1 test was not played with your stubs yet")
}

// A seq is played with the values that the user typed. If the values change, it must be played again.
func TestDraftIsPlayed(t *testing.T) {
	item := orders
	draft := model.Test{Calls: []model.Call{{Op: "POST /orders", User: "ann"}, {Op: "GET /orders/{orderId}"}}}
	item.Draft = &draft
	d := drive(t, demo).pick(item).press("r")
	if len(d.tests) != 1 || d.tests[0].Calls[0].User != "ann" || d.tests[0].Calls[1].Status != 503 || len(d.screen.picks.toRun()) != 0 {
		t.Fatalf("tests %+v", d.tests)
	}
	other := draft
	other.Calls = []model.Call{{Op: "POST /orders", User: "bob"}, draft.Calls[1]}
	item.Draft = &other
	d.pick(item)
	if len(d.screen.picks.toRun()) != 1 {
		t.Error("other values count as played")
	}
}
