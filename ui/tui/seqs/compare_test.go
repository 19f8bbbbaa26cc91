package seqs

import (
	"context"
	"errors"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// has checks that all texts are on the screen.
func (d *driver) has(texts ...string) *driver {
	d.t.Helper()
	view := d.screen.View(d.screen.width, d.screen.height)
	for _, want := range texts {
		if !strings.Contains(view, want) {
			d.t.Fatalf("no %q in\n%s", want, view)
		}
	}
	return d
}

// Each call of both seqs is in exactly one pair, in order, and only calls of the same operation are paired.
func TestAlign(t *testing.T) {
	seqs := rapid.SliceOfN(rapid.SampledFrom([]model.OpID{"a", "b", "c"}), 0, 8)
	rapid.Check(t, func(t *rapid.T) {
		left, right := model.Seq(seqs.Draw(t, "left")), model.Seq(seqs.Draw(t, "right"))
		i, j := 0, 0
		for _, p := range align(left, right) {
			if p.left >= 0 && p.right >= 0 && left[p.left] != right[p.right] {
				t.Fatalf("%s is paired with %s", left[p.left], right[p.right])
			}
			if p.left >= 0 && p.left != i || p.right >= 0 && p.right != j {
				t.Fatalf("%v comes after %d and %d", p, i, j)
			}
			i, j = max(i, p.left+1), max(j, p.right+1)
		}
		if i != len(left) || j != len(right) {
			t.Fatalf("%d of %d and %d of %d", i, len(left), j, len(right))
		}
	})
	if diff := cmp.Diff(
		[]alignedPair{{0, 0}, {1, -1}, {2, 1}, {-1, 2}}, align(model.Seq{"a", "b", "c"}, model.Seq{"a", "c", "d"}),
		cmp.AllowUnexported(alignedPair{}),
	); diff != "" {
		t.Error(diff)
	}
}

// Bodies of different bytes differ, even if they have the same size.
func TestCompareBytes(t *testing.T) {
	of := func(data string) string {
		return comparedCall{call: &model.Call{Body: &model.Payload{Media: "image/png", Data: data}}}.values()["body"]
	}
	if one, other := of("\x89A"), of("\x89B"); one == other || !strings.HasPrefix(one, "image/png, 2 bytes, ") {
		t.Errorf("got %q and %q, want different descriptions of 2 bytes", one, other)
	}
}

// Two seqs are shown side by side or, on a narrow screen, one below the other. Differences are marked.
func TestCompare(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).size(180, 33).show("run", "t1", "t2", "t3")
	d.press("down", "c").has("Go to another seq").press("down").has(
		"Seq t2 and t3", " 1+POST /carts ", " 201", "│  1+POST /orders", "│  3+GET /orders/{orderId}")
	d.press("up", "down", "down", "c").has("Seq d1 · 2 calls").press("up", "c", "up", "esc").has("Seq t2 · 2 calls")
	other := test("t2")
	other.ID, other.Calls = "t4", append([]model.Call{}, other.Calls...)
	other.Calls[0].User, other.Calls[1].Status = "bob", 500
	d.send(screen.RunProgress{Snapshot: model.Snapshot{Tests: []model.Test{test("t2"), other}}, Folder: "run"}).press("home", "c", "down")
	d.has("≠ as  alice", "│    ≠ as  bob", "≠ status  422", "│    ≠ status  500")
	d.size(60, 33).press("enter").has("◂    ≠ as  alice", "▸    ≠ as  bob")
}

// After a replay of a test, answers that differ are marked.
func TestPlayedAgain(t *testing.T) {
	d := drive(t)
	var fails error
	status, total := 422, "0"
	d.screen.engine.Seqs.Replay = func(_ context.Context, test model.Test, _ usecase.Surroundings) (model.Test, error) {
		test.Calls = append([]model.Call{}, test.Calls...)
		test.Calls[1].Status = status
		test.Checks = []model.Check{{Call: 0, Pointer: "/id"}, {Call: 0, Pointer: "/total", Equals: []byte(total)}}
		return test, fails
	}
	d.send(screen.SpecOpened{Spec: shop()}).show("run", "t2")
	d.send(screen.RunProgress{
		Snapshot: model.Snapshot{Phase: model.PhaseRunning, Tests: []model.Test{test("t2")}},
		Folder:   "run",
	}).press("R")
	if d.screen.player.busy {
		t.Error("it is played while a search runs")
	}
	d.send(screen.RunProgress{
		Snapshot: model.Snapshot{Phase: model.PhaseDone, Tests: []model.Test{test("t2")}},
		Folder:   "run",
	}).press("R").has("played again: same answers")
	total = "7"
	d.press("R").has("≠ marks what differs", "≠ /total", "7  was 0")
	status = 500
	d.press("R").has("≠ status", "500  was 422")
	fails = errors.New("it is gone")
	if d.press("R").screen.player.busy {
		t.Error("the failed replay is still under way")
	}
	d.screen.player.host.Remote, fails, status = true, nil, 200
	d.press("R").has("500  was 422", "Call a service that is not on this machine?", "2 calls").press("n").has("500  was 422")
	d.press("R", "y").has("200  was 422")
	status = 404
	d.press("R").has("404  was 422")
	d.press("down", "R").has("Seq d1")
	if !strings.Contains(d.message, "not played yet") {
		t.Errorf("said %q", d.message)
	}
}
