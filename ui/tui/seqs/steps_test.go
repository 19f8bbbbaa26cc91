package seqs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
)

// drafted returns the draft of the only picked row.
func (d *driver) drafted() *model.Test {
	d.t.Helper()
	all := d.picks[len(d.picks)-1].Items
	if len(all) != 1 || all[0].Draft == nil {
		d.t.Fatalf("picked %+v", all)
	}
	return all[0].Draft
}

// A typed value replaces a link, and belongs to its call even when calls are moved. Undo restores the link.
func TestValues(t *testing.T) {
	d := bound(t).press("e").has("Build h1", "← call 1", `{"quantity":1}`)
	d.press("down", "enter").has("quantity").press("ctrl+s", "esc", " ").has("1 picked").press("e")
	d.press("home", "down", "down", "down", "enter")
	if !d.screen.Typing() {
		t.Fatal("nothing is typed")
	}
	d.press("q", "7", "esc").has("← call 1").press("enter", "q", "7", "enter").has("q7")
	if got := d.drafted(); got.Calls[1].Args[0].Value != "q7" || len(got.Links) != 0 {
		t.Errorf("drafted %+v", got)
	}
	d.press("z").has("← call 1")
	if got := d.drafted(); got.Calls[1].Args[0].Value != "1" || len(got.Links) != 1 {
		t.Errorf("drafted %+v", got)
	}
	d.press("enter", "9", "enter", "home", "D")
	if got := d.drafted(); len(got.Calls) != 3 || got.Calls[2].Args[0].Value != "9" || got.Calls[0].Body.Data != got.Calls[1].Body.Data {
		t.Errorf("drafted %+v", got)
	}
	d.send(screen.SpecOpened{Spec: shop()})
	if r := d.screen.catalog.made[0]; r.Draft != nil || r.steps[2].call != nil {
		t.Errorf("values of another document stay: %+v", r)
	}
}

// A dry run shows the requests of rows with and without values, and sends nothing.
func TestDryRun(t *testing.T) {
	d := drive(t)
	d.screen.engine.Seqs.Replay = func(context.Context, model.Test, usecase.Surroundings) (model.Test, error) {
		t.Error("it was sent")
		return model.Test{}, nil
	}
	d.send(screen.SpecOpened{Spec: shop()}).press("n").has(
		"Dry run d1", "to http://127.0.0.1:41873.", "Nothing is sent now",
		"GET /carts/{cartId}?cartId={cartId of call 1}", "as alice", `"quantity": 1`,
	)
	if keys := d.screen.Keys(); keys[0].Help().Desc != "back" {
		t.Errorf("keys %v", keys)
	}
	d.press("esc").has("Seq d1").press("e", "n").has("Dry run h1").press("down", "n").has("Build h1")
	d.screen.engine.Seqs.Prepare = func(model.Seq) (model.Test, error) { return model.Test{}, errors.New("it is gone") }
	d.press("esc", "down", "n").has("Seq d1")
	d.size(60, 20).show("run", "t2").press("home", "down", "n").has("Dry run")
}

// A built seq is played with its values. The second replay of the seq is compared with the first replay. If the user
// copied a test to build the seq, the replay is compared with that test.
func TestPlayBuilt(t *testing.T) {
	d := drive(t)
	var sent model.Test
	statuses := []int{201, 200}
	d.screen.engine.Seqs.Replay = func(_ context.Context, test model.Test, _ usecase.Surroundings) (model.Test, error) {
		sent = test
		test.Calls = slices.Clone(test.Calls)
		for i, status := range statuses {
			test.Calls[i].Status = status
		}
		return test, nil
	}
	d.send(screen.SpecOpened{Spec: shop()}).press("e", "R").has("Seq h1", "✓ 201", "✓ 200")
	if d.message != "h1 was played" || !slices.Equal(sent.Seq(), d.screen.catalog.made[0].Seq) {
		t.Errorf("said %q of %v", d.message, sent.Seq())
	}
	statuses = []int{500}
	d.press("R").has("✗ 500", "≠ status", "500  was 201", "—  was 200", "cartId")
	d.press("e", "home", "down", "enter", "ctrl+s").has("Build h1", "not called yet").press("esc").has("It has values that you gave it")
	d.show("run", "t2").send(screen.RunProgress{
		Snapshot: model.Snapshot{Phase: model.PhaseDone, Tests: []model.Test{test("t2")}},
		Folder:   "run",
	})
	statuses = []int{201, 400}
	d.press("home", "down", "e").has("Build h2").press("R").has("400  was 422", "≠ marks what differs")
	if sent.Calls[1].Args[1].Value != "a\nb\x07" || !strings.Contains(sent.Calls[0].Body.Data, "customer") {
		t.Errorf("sent %+v", sent)
	}
}

// If the steps were changed while they were played, the answers are dropped.
func TestPlayedTooLate(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).press("e")
	_, cmd := d.screen.Update(pressed("R"))
	d.press("D").do(cmd)
	if r := d.screen.catalog.made[0]; r.Test != nil || !strings.Contains(d.message, "changed meanwhile") {
		t.Errorf("said %q, played %+v", d.message, r.Test)
	}
}

// In the builder, a key gives a call the next user. After the last user, the call is anonymous.
func TestAnotherUser(t *testing.T) {
	d := bound(t)
	d.screen.engine.Seqs.Users = func() []string { return []string{"alice", "bob"} }
	var sent model.Test
	d.screen.engine.Seqs.Replay = func(_ context.Context, test model.Test, _ usecase.Surroundings) (model.Test, error) {
		sent = test
		return test, nil
	}
	d.press("e", "down").has("as                    alice").press("enter").has("as                    bob").press("R")
	if sent.Calls[0].User != "bob" || sent.Calls[1].User != "alice" {
		t.Errorf("sent %+v", sent.Calls)
	}
	d.press("e", "down", "enter").has("anonymous").press("z").has("as                    bob")
}
