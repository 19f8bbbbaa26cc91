package seqs

import (
	"slices"
	"strings"
	"testing"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/practice"
	"sonde/ui/tui/screen"
)

// fakeListing is a listing whose state is set by a test.
type fakeListing struct{ state *usecase.ListingSnapshot }

func (l fakeListing) Snapshot() usecase.ListingSnapshot { return *l.state }
func (fakeListing) Stop()                               {}

// calledShop returns the state of a finished listing of the shop's seqs.
func calledShop() *usecase.ListingSnapshot {
	called := func(statuses []int, ops ...model.OpID) usecase.CalledSeq {
		c := usecase.CalledSeq{Completed: true, Succeeded: true}
		for i, op := range ops {
			c.Test.Origin = model.OriginDistilled
			c.Test.Calls = append(c.Test.Calls, model.Call{Op: op, Status: statuses[i]})
			if statuses[i]/100 != 2 && c.Succeeded {
				c.Succeeded, c.Completed = false, i == len(ops)-1 && statuses[i] > 0
				c.Obstacle = usecase.Obstacle{Op: op, Status: statuses[i]}
			}
		}
		return c
	}
	return &usecase.ListingSnapshot{
		Rules: []usecase.RuleListing{
			{
				Rule: distil.RuleDC, SeqCounts: usecase.SeqCounts{Listed: 4, Practical: 1, Failed: 1, Barred: 1, Open: 1},
				Calls: 9, Reachable: 6, Operations: 2, Curve: []usecase.ListingPoint{{Calls: 3, Practical: 1, Operations: 2}},
			},
			{
				Rule: distil.RuleSC, SeqCounts: usecase.SeqCounts{Listed: 9, Practical: 4, Failed: 1, Barred: 2, Open: 2},
				Calls: 20, Reachable: 7, Operations: 4, Curve: []usecase.ListingPoint{
					{Calls: 1, Practical: 1, Operations: 1},
					{Calls: 4, Practical: 2, Operations: 2},
					{Calls: 9, Practical: 4, Operations: 4},
				},
			},
		},
		Called: []usecase.CalledSeq{
			called([]int{201}, "POST /carts"), called([]int{201}, "POST /orders"), called([]int{200}, "GET /health"),
			called([]int{201, 200}, "POST /carts", "GET /carts/{cartId}"),
			called([]int{201, 422}, "POST /carts", "POST /carts/{cartId}/items"),
			called([]int{201, 0}, "POST /orders", "GET /orders/{orderId}"),
			called([]int{201, 500}, "POST /orders", "POST /orders/{orderId}/pay"),
		},
		Summary: model.Summary{Calls: 20, Budget: 20_000, Rate: 400},
		Used:    0.001,
		Done:    true,
	}
}

// calling returns a driver that has called the seqs of the shop. The page that shows the calls is closed again.
func calling(t *testing.T) *driver {
	t.Helper()
	return drive(t).send(screen.SpecOpened{Spec: shop()}).press("P", "enter", "esc")
}

// rowOf returns the row of a seq.
func (d *driver) rowOf(seq ...model.OpID) *row {
	d.t.Helper()
	i := slices.IndexFunc(d.screen.list.rows, func(r *row) bool { return slices.Equal(r.Seq, seq) })
	if i < 0 {
		d.t.Fatalf("%v is not listed", seq)
	}
	return d.screen.list.rows[i]
}

// A seq that was called and completed has a test, which can be played. Any other seq has no test, and the screen
// shows the reason.
func TestCalledSeqs(t *testing.T) {
	d := calling(t)
	for _, c := range []struct {
		seq  model.Seq
		want practice.Kind
		text string
	}{
		{model.Seq{"POST /carts", "GET /carts/{cartId}"}, practice.Practical, "Practical: all its calls were answered 2xx."},
		{
			model.Seq{"POST /carts", "POST /carts/{cartId}/items", "POST /carts/{cartId}/items", "DELETE /carts/{cartId}/items/{itemId}"},
			practice.Barred, "POST /carts/{cartId}/items",
		},
		{model.Seq{"POST /orders", "GET /orders/{orderId}"}, practice.Failed, "GET /orders/{orderId} gave no answer."},
		{model.Seq{"GET /stock/{sku}\x1b[2J"}, practice.Open, "It has no values yet."},
	} {
		r := d.rowOf(c.seq...)
		if got := d.screen.catalog.resultOf(r).Kind; got != c.want {
			t.Errorf("%s: got %s, want %s", r.ID, got, c.want)
		}
		if (r.Test != nil) != (c.want == practice.Practical) || (r.Test != nil && r.Test.ID != r.ID) {
			t.Errorf("%s: has the test %+v", r.ID, r.Test)
		}
		var text strings.Builder
		for _, l := range d.screen.details.rowLines(r, 200) {
			text.WriteString(l.Text() + "\n")
		}
		if !strings.Contains(text.String(), c.text) {
			t.Errorf("%s: %q is not in\n%s", r.ID, c.text, text.String())
		}
	}
	d.press("home", "R")
	if d.message != "d1 was played: same answers as before" {
		t.Errorf("message %q", d.message)
	}
}

// If the row of a seq is made only after the seq was called, the row has the test of the call, too.
func TestCalledSeqsOfTheOtherRule(t *testing.T) {
	d := calling(t).press("d")
	if r := d.rowOf("POST /orders", "POST /orders/{orderId}/pay"); r.Test == nil || r.Test.Calls[1].Status != 500 {
		t.Errorf("%s has the test %+v", r.ID, r.Test)
	}
}

// A filter finds seqs by their results, such as outcome:failed. Only distilled seqs have results.
func TestFilterByOutcome(t *testing.T) {
	d := calling(t).show("run", "t1")
	for text, want := range map[string]int{"outcome:practical": 1, "outcome:failed": 1, "outcome:barred": 1, "outcome:open": 1} {
		d.screen.list.find.SetText(text)
		d.screen.list.refresh()
		if got := d.screen.list.count(); got != want {
			t.Errorf("%s: %d rows, want %d", text, got, want)
		}
	}
}

// If the seq of a picked row is called, the pick is reported to the other screens again, with the test of the call.
// The row stays picked if another document is opened.
func TestPickedSeqIsCalled(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).press(" ")
	if before := d.picks[len(d.picks)-1].Items; len(before) != 1 || before[0].Test != nil {
		t.Fatalf("picked %+v", before)
	}
	d.press("P", "enter")
	if after := d.picks[len(d.picks)-1].Items; len(after) != 1 || after[0].Test == nil {
		t.Errorf("picked %+v", after)
	}
	changed := shop()
	changed.Spec.Hash = "another"
	d.send(screen.SpecOpened{Spec: changed})
	if after := d.picks[len(d.picks)-1].Items; len(after) != 1 || after[0].Test != nil {
		t.Errorf("after another document %+v", after)
	}
	if d.screen.calls.Results().Any() || d.screen.UnfinishedWork() != "" {
		t.Error("another document keeps the results")
	}
}

// While seqs are called, the tab has a sign. A second listing replaces the tests of the first listing.
func TestCallAgain(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()})
	d.screen.calls.Interval = 0
	d.listing.state.Done = false
	d.press("P", "enter")
	if d.screen.TabBadge() != "4 ▶" || d.screen.UnfinishedWork() == "" {
		t.Errorf("the tab has %q", d.screen.TabBadge())
	}
	first := d.rowOf("POST /carts", "GET /carts/{cartId}").Test
	d = calling(t)
	again := calledShop()
	again.Called[3].Test.Calls[1].Status = 204
	d.listing.state = again
	d.press("P", "enter")
	if r := d.rowOf("POST /carts", "GET /carts/{cartId}"); first == nil || r.Test.Calls[1].Status != 204 {
		t.Errorf("first %+v, then %+v", first, r.Test)
	}
}

// The listing has the scope of the list: the whole API, one operation, or the operations of an area.
func TestCallScope(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()})
	if s := d.screen.catalog.callScope(); s.Name != "" || s.With != "" || s.Analysis() != d.screen.catalog.analyzed.Analysis {
		t.Errorf("whole API: %+v", s)
	}
	d.send(screen.ScopeSeqs{Name: "POST /carts", Operations: []model.OpID{"POST /carts"}})
	if s := d.screen.catalog.callScope(); s.Name != "POST /carts" || s.With != "POST /carts" || len(s.Analysis().Operations) != 8 {
		t.Errorf("one operation: %+v", s)
	}
	d.send(screen.ScopeSeqs{Name: "cluster:carts", Operations: []model.OpID{"POST /carts", "GET /carts/{cartId}"}})
	if s := d.screen.catalog.callScope(); s.Name != "area carts" || s.With != "" || len(s.Analysis().Operations) != 2 {
		t.Errorf("area: %+v", s)
	}
}

// Without a service, the page does not open.
func TestNothingToCall(t *testing.T) {
	d := drive(t)
	d.screen = New(screen.Engine{}, screen.Service{})
	d.size(120, 33).send(screen.SpecOpened{Spec: shop()}).press("P")
	if d.screen.calls.Shown() || d.message != practice.NoService {
		t.Errorf("message %q", d.message)
	}
}
