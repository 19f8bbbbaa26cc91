package seqs

import (
	"context"
	"errors"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// answers makes the service answer call i with the status statuses[i], or with an error if that is 0. It appends the
// index of each played call to asked.
func (d *driver) answers(asked *[]int, statuses ...int) *driver {
	d.screen.engine.Seqs.Step = func(_ context.Context, t model.Test, at int, _ usecase.Surroundings) (s usecase.SendResult, err error) {
		*asked = append(*asked, at)
		if statuses[at] == 0 {
			return s, errors.New("the service is gone")
		}
		call := t.Calls[at]
		call.Status = statuses[at]
		s.Test.Calls = []model.Call{call}
		s.Exchanges = []model.Exchange{{Reply: model.Reply{Status: statuses[at], Body: []byte(`{"step":` + string(rune('1'+at)) + "}\n")}}}
		return s, nil
	}
	return d
}

// ended returns a driver that has opened the shop and the tests of a finished search.
func ended(t *testing.T, ids ...string) *driver {
	d := drive(t).send(screen.SpecOpened{Spec: shop()})
	var tests []model.Test
	for _, id := range ids {
		tests = append(tests, test(id))
	}
	return d.send(screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseDone, Tests: tests}, Folder: "run"})
}

// A test is played call by call. The last call is shown with its request and its answer. Earlier calls are shown with
// their status if it differs from the status in the test.
func TestStepThrough(t *testing.T) {
	var asked []int
	d := ended(t, "t3").answers(&asked, 201, 200, 404)
	d.press(".").has("Steps of t3 · 1 of 3", "1  POST /orders", "got 201", `"step": 1`)
	d.press(".").has("2 of 3", "≠ status", "was 500", `"step": 2`)
	if strings.Contains(d.screen.View(120, 33), `"step": 1`) {
		t.Error("the first answer is still there")
	}
	d.press(".").has("3 of 3", "△ 404", "That was the last call")
	d.press(".").has("1 of 3", `"step": 1`)
	if len(asked) != 4 || asked[3] != 0 {
		t.Errorf("asked for %v", asked)
	}
	d.press("esc").has("Seq t3")
	if d.screen.details.focused || d.screen.player.busy {
		t.Error("the list does not have the focus, or a call is under way")
	}
}

// The answer is visible even below a request that is longer than the page.
func TestStepWithALongRequest(t *testing.T) {
	var asked []int
	d := ended(t, "t3").answers(&asked, 201, 200, 404)
	d.screen.engine.Seqs.Requests = func(model.Test) []model.Request {
		return []model.Request{
			{
				Method: "POST",
				URL:    "/orders",
				Header: map[string][]string{"Content-Type": {"application/json"}},
				Body:   []byte(`[` + strings.Repeat(`"a line",`, 40) + `"the last"]`),
			},
		}
	}
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	for range 2 {
		d.press(".")
		if view := d.screen.View(80, 24); !strings.Contains(view, "got 20") ||
			!strings.Contains(view, `"step"`) || !strings.Contains(view, "the last") {
			t.Fatalf("the answer is not visible:\n%s", view)
		}
	}
}

// An error is shown, and the user can repeat the call.
func TestStepThatFails(t *testing.T) {
	var asked []int
	d := ended(t, "t3").answers(&asked, 201, 0, 200)
	d.press(".", ".").has("the service is gone", "1 of 3")
	d.press(".").has("the service is gone")
	if len(asked) != 3 || asked[2] != 1 {
		t.Errorf("asked for %v", asked)
	}
}

// Nothing is played during a search, or for a seq without values. On a remote host, nothing is played before the user
// allows it.
func TestStepNeedsATest(t *testing.T) {
	var asked []int
	d := drive(t).answers(&asked, 200).send(screen.SpecOpened{Spec: shop()})
	d.press(".")
	d.show("run", "t1").press("home", ".")
	d.screen.player.host.Remote = true
	d.send(screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseDone, Tests: []model.Test{test("t1")}}, Folder: "run"}).press(".")
	d.has("not on this machine?")
	if len(asked) != 0 || d.screen.details.stepping(d.screen.list.current()) {
		t.Errorf("asked for %v", asked)
	}
	d.press("y").has("Steps of t1")
	if len(asked) != 1 {
		t.Errorf("asked for %v", asked)
	}
}

// In production, a test that writes is asked about each time that it is played, also when it is stepped through again.
func TestStepsInProduction(t *testing.T) {
	var asked []int
	d := ended(t, "t3").answers(&asked, 201, 200, 200)
	d.screen.player.host.Production, d.screen.player.allowed = true, true
	d.press(".").has("Write to production?").press("n")
	if len(asked) != 0 {
		t.Fatalf("asked for %v without permission", asked)
	}
	d.press(".", "y", ".", ".")
	if len(asked) != 3 {
		t.Fatalf("asked for %v, want one question for all calls", asked)
	}
	d.press(".").has("Write to production?").press("y")
	if len(asked) != 4 {
		t.Errorf("asked for %v", asked)
	}
	d.send(screen.ServiceChanged{Service: screen.Service{URL: "http://127.0.0.1:2"}})
	if d.screen.details.stepping(d.screen.list.current()) {
		t.Error("the steps on the service before are still shown")
	}
}

// Another screen can send a test to be played. A test that is not in the list is added once.
func TestStepsOfAnotherScreen(t *testing.T) {
	var asked []int
	d := ended(t, "t1", "t3").answers(&asked, 201, 500, 200)
	d.press("/").press("x", "enter")
	d.send(screen.StepThroughTest{Test: test("t3")}).has("Steps of t3 · 1 of 3")
	before := d.screen.catalog.len()
	fault := test("t3")
	fault.ID, fault.Calls = "", fault.Calls[:2]
	for range 2 {
		d.send(screen.StepThroughTest{Test: fault}).has("Steps of h1 · 1 of 2")
	}
	if n := d.screen.catalog.len(); n != before+1 {
		t.Errorf("%d rows, before %d", n, before)
	}
}
