package search

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
)

func TestStartAndTicks(t *testing.T) {
	d := drive(t, demo)
	d.run.snap = running()
	d.press("enter")
	if got, want := d.settings, newForm(screen.Service{}).settings; len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Fatalf("started with %+v, want %+v", got, want)
	}
	d.sees("1,240 / 2,000", "459 calls/s", "targets 84 of 133", "2xx 2", "4xx 1", "5xx 2", "· 9", "of 14", "running")
	if got, want := d.screen.TabBadge(), "▶ 62%"; got != want {
		t.Errorf("live: got %q, want %q", got, want)
	}
	d.run.snap.Summary.Calls = 1300
	d.tick().sees("1,300 / 2,000")
	if len(d.ticks) != 1 {
		t.Fatalf("%d ticks are under way, want one", len(d.ticks))
	}
	d.run.snap = done()
	d.tick().tick()
	if len(d.ticks) != 0 {
		t.Error("a tick is under way after the end")
	}
	if got, want := d.screen.TabBadge(), "✓ 92"; got != want {
		t.Errorf("live: got %q, want %q", got, want)
	}
	if want := []string{"The search is done: 92 of 133 targets, 2 faults; kept in runs/shop-7"}; !slices.Equal(d.messages, want) {
		t.Errorf("said %q, want %q", d.messages, want)
	}
}

func TestStaleMessagesAreDropped(t *testing.T) {
	d := drive(t, demo).press("enter").show(done())
	old := d.ticks
	d.ticks = nil
	first := d.run
	d.run = &fakeRun{folder: "runs/shop-8", snap: running()}
	d.press("n", "enter")
	d.ticks = nil
	for _, tick := range old {
		d.send(tick)
	}
	if len(d.ticks) != 0 {
		t.Error("the first run still has a tick")
	}
	d.send(screen.RunProgress{Snapshot: done(), Folder: first.folder})
	d.sees("1,240 / 2,000")
	if got, want := d.settings[1].Seed, uint64(2); got != want {
		t.Errorf("the second run has seed %d, want %d", got, want)
	}
}

// If the first calls are refused, the run pauses itself. The screen says so until the user resumes the run.
func TestRefusedRunGoesOnByAKey(t *testing.T) {
	d := drive(t, demo).press("enter").show(denied())
	d.sees("Paused: nearly all calls are refused", "49 of the first 50 calls", "--header")
	d.press(" ").requested("resume")
	d.show(running())
	if strings.Contains(d.screen.View(120, 33), "nearly all calls are refused") {
		t.Error("the run was resumed and the box is still there")
	}
}

func TestPauseAndStop(t *testing.T) {
	d := drive(t, demo).press("enter").show(running())
	d.press(" ").requested("pause")
	d.sees("pausing …")
	s := running()
	s.Phase = model.PhasePaused
	d.show(s).sees("paused", "‖")
	if got, want := d.screen.TabBadge(), "‖ 62%"; got != want {
		t.Errorf("live: got %q, want %q", got, want)
	}
	d.press(" ").requested("pause", "resume")
	d.press("s").requested("pause", "resume") // a second s after the one that has started the run
	d.press("x").requested("pause", "resume", "stop")
	if want := []string{"Stopping; the run is kept in runs/shop-7"}; !slices.Equal(d.messages, want) {
		t.Errorf("said %q, want %q", d.messages, want)
	}
	d.show(running()).sees("stopping …")
	end := done()
	end.Summary.Cancelled = true
	d.show(end).sees("Stopped after 4.4 s", "kept in", "runs/shop-7", "sonde search shop.yaml")
	d.press(" ", "x", "right")
	d.requested("pause", "resume", "stop")
}

func TestResultBeginsAtItsFirstLine(t *testing.T) {
	d := drive(t, demo).size(80, 21).press("enter").show(running()).press("end").show(done())
	d.sees("Done in 4.4 s", "7 of 14 lines").press("end").sees("14 of 14 lines", "runs/shop-7")
}

func TestStopWhileStarting(t *testing.T) {
	d := drive(t, demo)
	next, cmd := d.screen.Update(pressed("enter"))
	d.screen = next
	if got, want := d.screen.TabBadge(), "…"; got != want {
		t.Errorf("live: got %q, want %q", got, want)
	}
	d.press("x", " ", "right").sees("stopping …")
	d.do(cmd)
	d.requested("stop")
}

func TestNotStarted(t *testing.T) {
	d := drive(t, demo)
	d.startErr = errors.New("no such \x1b[31mhost")
	d.press("enter").sees("✗ no such host", "⏎ start")
	d.startErr = nil
	d.press("enter").show(running()).sees("running")
}

// After a start that failed, the previous run is shown again.
func TestFailedStartKeepsTheLastResult(t *testing.T) {
	d := drive(t, demo).press("enter").show(done())
	before := d.screen.View(120, 33)
	d.startErr = errors.New("no such host")
	d.press("n", "enter").sees("✗ no such host").press("esc")
	if got := d.screen.View(120, 33); got != before {
		t.Errorf("got\n%s\nwant\n%s", got, before)
	}
	if d.model().RunStarting() {
		t.Error("still starting")
	}
	d.startErr = nil
	d.press("n", "enter").show(running()).sees("seed 2", "running")
}

func TestStarting(t *testing.T) {
	d := drive(t, demo)
	if d.model().RunStarting() {
		t.Error("starting before a start")
	}
	d = starting(t)
	if !d.model().RunStarting() {
		t.Error("not starting after enter")
	}
	d = drive(t, demo).press("enter").show(running())
	if d.model().RunStarting() {
		t.Error("still starting when the run shows")
	}
}

// The other screens get a message when a run is starting, and when it has started or failed.
func TestStartingIsTold(t *testing.T) {
	want := []screen.RunStarting{true, false}
	if d := drive(t, demo).press("enter").show(running()).show(running()).show(done()); !slices.Equal(d.starting, want) {
		t.Errorf("a run told %v, want %v", d.starting, want)
	}
	d := drive(t, demo)
	d.startErr = errors.New("no such host")
	d.press("enter")
	if !slices.Equal(d.starting, want) {
		t.Errorf("a failed start told %v, want %v", d.starting, want)
	}
}

// starting returns a driver that has requested a run. The run has not started yet.
func starting(t *testing.T) *driver {
	d := drive(t, demo)
	d.screen, _ = d.screen.Update(pressed("enter"))
	return d
}

func TestFailedRuns(t *testing.T) {
	with := func(status int, err error) model.Snapshot {
		s := failed()
		s.Err, s.Grid = err, map[model.OpID]map[int]int{"GET /health": {status: 95, 400: 5}}
		return s
	}
	unreachable := failed()
	unreachable.Err, unreachable.Grid = errors.New("it went away"), nil
	for _, c := range []struct {
		name string
		snap model.Snapshot
		want []string
	}{
		{"error of the run", failed(), []string{"answered none of 300", "failed", "n tries again"}},
		{"no 2xx", with(422, nil), []string{"not one of 300 calls was answered", "The usual reasons"}},
		{"no credentials", with(401, nil), []string{"are 401 or 403"}},
		{"wrong path", with(404, nil), []string{"are 404"}},
		{"no answer at all", unreachable, []string{"it went away", "Is the service up at http://127.0.0.1:41873?"}},
	} {
		d := drive(t, demo).press("enter").show(c.snap)
		d.sees(c.want...)
		if got := d.screen.TabBadge(); got != "✗" {
			t.Errorf("%s: live: got %q, want ✗", c.name, got)
		}
		if len(d.messages) != 1 || !strings.HasPrefix(d.messages[0], "✗ the search failed: ") {
			t.Errorf("%s: said %q", c.name, d.messages)
		}
	}
}

func TestRemoteHostIsAskedAbout(t *testing.T) {
	host := screen.Service{URL: "https://api.example.com", Remote: true}
	d := drive(t, host)
	next, ready := d.screen.Update(pressed("enter"))
	d.screen = next
	d.press("y", "enter")
	if len(d.settings) != 0 {
		t.Fatal("a key meant for something else began to call a remote host")
	}
	d.do(ready)
	d.sees("up to 20,000 requests", "api.example.com").press("n")
	if len(d.settings) != 0 || d.screen.Typing() {
		t.Fatal("n does not close the question")
	}
	d.press("enter", "y")
	if len(d.settings) != 1 || d.allowed != 1 {
		t.Fatalf("after y: %d starts, %d times told", len(d.settings), d.allowed)
	}

	d = drive(t, host).send(widget.HostAllowed{URL: host.URL}).press("enter")
	if len(d.settings) != 1 {
		t.Error("asks again though another screen has asked")
	}
	d = drive(t, host).send(widget.HostAllowed{URL: "https://other.example"}).press("enter")
	if len(d.settings) != 0 {
		t.Error("the permission for another host is taken")
	}
}

func TestWithoutHost(t *testing.T) {
	d := drive(t, screen.Service{}).press("enter", "enter")
	if len(d.settings) != 0 {
		t.Error("a search was started without a service")
	}
	d.sees("sonde shop.yaml --url URL")
}

func TestRunOfSomebodyElse(t *testing.T) {
	d := drive(t, demo)
	s := tuned()
	s.Marks = append([]model.AppliedCommand{{Call: 0, Tuning: model.DefaultTuning()}}, s.Marks...)
	d.send(screen.RunProgress{Snapshot: s, Folder: "runs/opened"})
	d.sees("1,240 / 2,000", "P .60→.80")
	d.press("right", " ", "x")
	s.Phase = model.PhaseDone
	d.send(screen.RunProgress{Snapshot: s, Folder: "runs/opened"}).sees("runs/opened")
	d.press("n", "enter")
	if len(d.settings) != 1 {
		t.Error("no new run can be started after one was opened")
	}
}

// In production, the user is asked before each search. After a switch to another environment, its search calls the other
// service without a question.
func TestProductionIsAskedAbout(t *testing.T) {
	host := screen.Service{URL: "http://127.0.0.1:1", Environment: "eu", Production: true}
	d := drive(t, host).press("enter").sees("Write to production?", "up to 20,000 requests", "production (eu)").press("n")
	if len(d.settings) != 0 {
		t.Fatal("a search was started without permission")
	}
	d.press("enter", "y")
	if len(d.settings) != 1 {
		t.Fatalf("%d starts after y", len(d.settings))
	}
	d = drive(t, host).sees("PRODUCTION", "eu").press("down", "right", "up")
	d.send(screen.ServiceChanged{Service: screen.Service{URL: "http://127.0.0.1:2", Environment: "staging"}}).
		sees("http://127.0.0.1:2  staging").press("enter")
	if len(d.settings) != 1 || d.settings[0].Limits.Calls == 20_000 {
		t.Errorf("started %+v, want one search with the changed budget", d.settings)
	}
}

// A service that is not started yet has no address, and its placeholder is not shown.
func TestStartedService(t *testing.T) {
	d := drive(t, screen.Service{URL: "http://127.0.0.1:{port}"}).sees("service  a service that Sonde starts")
	if view := d.screen.View(120, 40); strings.Contains(view, "{port}") {
		t.Error(view)
	}
}
