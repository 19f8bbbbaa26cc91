package seqs

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// lacks checks that a text is not on the screen.
func (d *driver) lacks(text string) *driver {
	d.t.Helper()
	if view := d.screen.View(d.screen.width, d.screen.height); strings.Contains(view, text) {
		d.t.Errorf("%q in\n%s", text, view)
	}
	return d
}

var cartOps = []model.OpID{
	"POST /carts", "GET /carts/{cartId}", "POST /carts/{cartId}/items", "DELETE /carts/{cartId}/items/{itemId}",
}

func carts() screen.ScopeSeqs { return screen.ScopeSeqs{Name: "cluster:carts", Operations: cartOps} }

// A scope lists the seqs of its operations, even those beyond the limit for the whole API, and the tests
// that call one of them.
func TestScope(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2", "t3").press("/", "h", "e", "a", "enter")
	d.send(carts()).has("in area carts", "esc whole API", "t2")
	own := map[model.OpID]bool{}
	for _, op := range cartOps {
		own[op] = true
	}
	for _, r := range d.screen.list.rows {
		if r.Test == nil && slices.ContainsFunc(r.Seq, func(op model.OpID) bool { return !own[op] }) {
			t.Errorf("%s has an operation of another scope: %v", r.ID, r.Seq)
		}
	}
	if n := len(d.shown()); n < 5 || d.screen.TabBadge() != strconv.Itoa(n) {
		t.Errorf("%d rows are listed, the tab says %s", n, d.screen.TabBadge())
	}
	if slices.Contains(d.shown(), "t1") || slices.Contains(d.shown(), "t3") {
		t.Errorf("tests of other operations are listed: %v", d.shown())
	}
	d.press("esc").lists("t1", "t2", "t3", "d1", "d2", "d3", "d4").lacks("cluster:carts")
}

// The coverage of the picks is counted within the scope, and key a covers the rest of the scope.
func TestScopeCover(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).send(carts()).press("a")
	if got := d.screen.picks.tally; got.operations != len(cartOps) || got.totalOperations != len(cartOps) || got.totalGroups != 1 {
		t.Errorf("the picks are %+v", got)
	}
	picked := d.picked()
	d.press("esc").hasPicked(picked...)
	if got := d.screen.picks.tally; got.operations != len(cartOps) || got.totalOperations != 8 {
		t.Errorf("in the whole API the picks are %+v", got)
	}
}

// The scope of one operation has the seqs that call it, and the paths to it.
func TestScopeOfOneOperation(t *testing.T) {
	op := model.OpID("POST /orders/{orderId}/pay")
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t3")
	d.send(screen.ScopeSeqs{Name: string(op), Operations: []model.OpID{op}}).has("in POST /orders/{orderId}/pay")
	for _, r := range d.screen.list.rows {
		if !slices.Contains(r.Seq, op) {
			t.Errorf("%s lacks the operation: %v", r.ID, r.Seq)
		}
	}
	seqs := seqsOf(d.screen.list.rows)
	if !slices.ContainsFunc(seqs, func(s model.Seq) bool { return slices.Equal(s, model.Seq{"POST /orders", op}) }) {
		t.Errorf("the way to the operation is missing: %v", seqs)
	}
}

// The list leaves the scope when it has to show a row outside of the scope, and when another spec is opened.
func TestScopeEnds(t *testing.T) {
	d := bound(t).send(carts())
	d.send(screen.TestsKept{Tests: []model.Test{test("t1")}}).has("area carts")
	d.send(screen.AppendOperation{Op: "GET /health"}).lacks("area carts")
	d.send(carts()).has("area carts").send(screen.SpecOpened{Spec: shop()}).lacks("cluster:carts")
	d.send(screen.ScopeSeqs{Name: "cluster:gone", Operations: []model.OpID{"GET /gone"}}).lacks("cluster:gone")
}

// A late result for another scope is dropped. If a scope has no seqs, the list says why.
func TestScopeResults(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()})
	late := newScope(carts(), d.screen.catalog.unknown).list(d.screen.catalog.analyzed)()
	pay := screen.ScopeSeqs{Name: "tag:pay", Operations: []model.OpID{"POST /orders/{orderId}/pay", "GET /orders/{orderId}"}}
	_, list := d.screen.Update(pay)
	d.has("listing the seqs …").send(late).has("listing the seqs …").do(list)
	d.has("POST /orders/{}/pay").send(scoped{
		analyzed: d.screen.catalog.analyzed, scope: "tag:pay", listings: listings{meter: d.screen.catalog.whole.meter},
	})
	d.has("none can be called first: each needs what").press("esc").lacks("tag:pay")
}

// The scope of a group or cluster with one operation lists only the seq of that operation. The scope of the
// operation itself also lists longer seqs.
func TestScopeOfASmallGroup(t *testing.T) {
	for name, want := range map[string]bool{"group:2": true, "cluster:carts": true, "POST /carts": false} {
		d := drive(t).send(screen.SpecOpened{Spec: shop()}).send(screen.ScopeSeqs{Name: name, Operations: []model.OpID{"POST /carts"}})
		l := d.screen.catalog.distilled
		if got := len(l.dc.Seqs) == 1 && len(l.sc.Seqs) == 1 && !l.sc.GaveUp; got != want {
			t.Errorf("%s: %d and %d seqs", name, len(l.dc.Seqs), len(l.sc.Seqs))
		}
	}
}

// The title names the scope as the other screens do. A long path loses segments before its end.
func TestScopeTitle(t *testing.T) {
	for name, want := range map[string]string{
		"cluster:orders": "area orders",
		"group:12":       "group 12",
		"GET /repos/{owner}/{repo}/pulls/{pull_number}/comments": "GET …/pulls/{pull_number}/comments",
	} {
		if got := (scope{name: name}).title(40); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
