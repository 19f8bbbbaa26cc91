package search_test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/search"

	"github.com/google/go-cmp/cmp"
)

// copies serves several copies of the service, each with random delays.
func copies(t *testing.T, n int) (all []*things, urls []string) {
	for range n {
		s := &things{sizes: map[string]int{}}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
			s.ServeHTTP(w, r)
		}))
		t.Cleanup(server.Close)
		all, urls = append(all, s), append(urls, server.URL)
	}
	return all, urls
}

// The same seed gives the same result, whatever the speed of the workers. All workers together send no more requests
// than the budget allows.
func TestWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes several searches: left out by -short")
	}
	t.Parallel()
	for _, calls := range []int{38, 39, 40, 41, 400} {
		var first model.Snapshot
		for i := range 2 {
			services, urls := copies(t, 3)
			p := plan(urls[0], calls)
			p.Workers, p.Copies = 3, urls[1:]
			got := start(t, p, search.Sink{}).Wait()
			asked := 0
			for _, s := range services {
				asked += int(s.requests.Load())
				if calls >= 400 && s.requests.Load() < int64(calls/5) {
					t.Errorf("budget %d: one of the copies got %d calls", calls, s.requests.Load())
				}
			}
			if asked != got.Summary.Calls || asked > calls || asked < calls-1 || got.Err != nil {
				t.Errorf("budget %d: %d requests arrived, summary says %d, error %v", calls, asked, got.Summary.Calls, got.Err)
			}
			if i == 0 {
				first = got
			} else if d := cmp.Diff(first.Tests, got.Tests); d != "" {
				t.Errorf("budget %d: tests (-first +other):\n%s", calls, d)
			}
		}
	}
}

func TestWorkersNeedCopies(t *testing.T) {
	_, url := serve(t)
	p := plan(url, 100)
	p.Workers = 2
	if _, err := search.New(context.Background(), p); err == nil || !strings.Contains(err.Error(), "--workers") {
		t.Errorf("error %v, want one that names --workers", err)
	}
}

// Each worker gets its own copy of a service that Sonde starts, and each copy is stopped.
func TestWorkersOfAServiceThatIsStarted(t *testing.T) {
	t.Parallel()
	p := fragile(t, 400, "/exit", "/panic", "/drop")
	p.Workers = 2
	got := start(t, p, search.Sink{}).Wait()
	if _, ok := byKind(got)["POST /exit"+died]; !ok || got.Err != nil || got.Summary.Restarts == 0 || got.Summary.Calls < 380 {
		t.Errorf("faults %+v, error %v, summary %+v", got.Faults, got.Err, got.Summary)
	}
}

// applyDuring runs a plan and applies the commands one by one during the run. It returns the last snapshot and the
// events.
func applyDuring(t *testing.T, p model.Plan, commands ...model.Command) (model.Snapshot, []model.Event) {
	t.Helper()
	var events []model.Event
	run, err := search.New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	run.Start(context.Background(), search.Sink{Emit: func(l model.LogEntry) error {
		if now, ok := l.Event.(model.Progress); ok && len(commands) > 0 && now.Used > 0.1 {
			run.Apply(commands[0])
			commands = commands[1:]
		}
		events = append(events, l.Event)
		return nil
	}})
	return run.Wait(), events
}

// replayOf returns the commands and the figures of a run that a replay of the run needs.
func replayOf(events []model.Event, s model.Snapshot) (commands []model.AppliedCommand, r *model.ReplayedRun) {
	r = &model.ReplayedRun{Asked: s.Summary.Asked, Calls: s.Summary.Calls}
	for _, e := range events {
		switch e := e.(type) {
		case model.AppliedCommand:
			commands = append(commands, e)
		case model.Progress:
			r.Used = append(r.Used, e)
		}
	}
	return commands, r
}

// someCommands are commands of each kind.
var someCommands = []model.Command{
	{Change: &model.TuningChange{Knob: model.KnobSmart, Value: 0.1}},
	{Priority: &model.Priority{Kind: model.PriorityMuted, Ops: []model.OpID{"POST /things"}, Label: "POST /things"}},
	{Change: &model.TuningChange{Knob: model.KnobMutations, Value: 5}},
	{Try: &model.Template{Steps: []model.TemplateStep{{Op: "GET /things/{id}", Min: 1, Max: 1}, {Op: "POST /things", Min: 2, Max: 2}}}},
	{Priority: &model.Priority{Kind: model.PriorityNormal}},
}

// A run with commands is repeated exactly by its seed and its recorded commands.
func TestReplayWithCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes several searches: left out by -short")
	}
	t.Parallel()
	const calls = 300
	for _, workers := range []int{1, 3} {
		_, urls := copies(t, workers)
		p := plan(urls[0], calls)
		p.Workers, p.Copies = workers, urls[1:]
		first, events := applyDuring(t, p, someCommands...)
		commands, _ := replayOf(events, first)
		if len(commands) != len(someCommands) {
			t.Fatalf("%d commands took effect, want %d", len(commands), len(someCommands))
		}
		p.Commands = commands
		second := start(t, p, search.Sink{}).Wait()
		if d := cmp.Diff(first.Tests, second.Tests); d != "" {
			t.Errorf("%d workers: tests (-first +second):\n%s", workers, d)
		}
		if d := cmp.Diff(first.Marks, second.Marks); d != "" {
			t.Errorf("%d workers: marks (-first +second):\n%s", workers, d)
		}
	}
}

// A replay keeps the same tests as the run that it repeats, even if that run was limited by time.
func TestReplayOfARunOverTime(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches for a set time: left out by -short")
	}
	_, url := serve(t)
	p := plan(url, 0)
	p.Limits.Time = 300 * time.Millisecond
	first, events := applyDuring(t, p, someCommands...)
	p.Commands, p.Replay = replayOf(events, first)
	p.Limits = model.Limits{Calls: first.Summary.Calls}
	second := start(t, p, search.Sink{}).Wait()
	if d := cmp.Diff(first.Tests, second.Tests); d != "" {
		t.Errorf("tests (-first +second):\n%s", d)
	}
}

func TestStress(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes several searches: left out by -short")
	}
	_, url := serve(t)
	count := func(s model.Priority) (post, get int) {
		p := plan(url, 600)
		p.Commands = []model.AppliedCommand{{Command: model.Command{Priority: &s}}}
		p.Tuning.Random, p.Tuning.Focus, p.Tuning.Smart = 1, 1, 0
		got := start(t, p, search.Sink{}).Wait()
		for _, n := range got.Grid["POST /things"] {
			post += n
		}
		for _, n := range got.Grid["GET /things/{id}"] {
			get += n
		}
		return post, get
	}
	ops := []model.OpID{"GET /things/{id}"}
	if post, get := count(model.Priority{Kind: model.PriorityMuted, Ops: ops}); get > post/4 {
		t.Errorf("muted: %d calls, %d to the other", get, post)
	}
	if post, get := count(model.Priority{Kind: model.PriorityOnly, Ops: ops}); post > get/4 {
		t.Errorf("only: %d calls, %d to the other", get, post)
	}
	if post, get := count(model.Priority{Kind: model.PriorityBoosted, Ops: ops}); get < 2*post {
		t.Errorf("boosted: %d calls, %d to the other", get, post)
	}
}

// A search for some operations calls only these operations and those that create what they need. This holds from the
// first test on.
func TestOnly(t *testing.T) {
	_, url := serve(t)
	for _, c := range []struct {
		only model.OpID
		want []model.OpID
	}{
		{"POST /things", []model.OpID{"POST /things"}},
		{"GET /things/{id}", []model.OpID{"GET /things/{id}", "POST /things"}},
	} {
		p := plan(url, 200)
		only := model.Priority{Kind: model.PriorityOnly, Ops: []model.OpID{c.only}, Label: string(c.only)}
		p.Commands = []model.AppliedCommand{{Command: model.Command{Priority: &only}}}
		got := start(t, p, search.Sink{}).Wait()
		var called []model.OpID
		for op, statuses := range got.Grid {
			if len(statuses) > 0 {
				called = append(called, op)
			}
		}
		slices.Sort(called)
		if !slices.Equal(called, c.want) {
			t.Errorf("--only %q calls %q, want %q", c.only, called, c.want)
		}
	}
}

// A priority that would leave nothing to search for has no effect, and a note says so.
func TestPriorityThatLeavesNothing(t *testing.T) {
	_, url := serve(t)
	all := model.Priority{Kind: model.PriorityMuted, Ops: []model.OpID{"POST /things", "GET /things/{id}"}, Label: "all"}
	got, events := applyDuring(
		t, plan(url, 300), model.Command{Priority: &all},
		model.Command{Try: &model.Template{Steps: []model.TemplateStep{{Op: "GET /nothing"}}}},
	)
	notes := 0
	for _, e := range events {
		if _, ok := e.(model.Note); ok {
			notes++
		}
	}
	if notes != 2 || len(got.Refused) != 2 || len(got.Marks) != 0 || got.Summary.Covered < 4 {
		t.Errorf("%d notes, refused %v, marks %v, summary %+v", notes, got.Refused, got.Marks, got.Summary)
	}
}

// A seq that the user tries is played before all other tests, and the lineage of its test says that the user tried
// it.
func TestTriedSeqIsPlayedFirst(t *testing.T) {
	_, url := serve(t)
	p := plan(url, 4) // enough for this test only
	p.Commands = []model.AppliedCommand{
		{
			Command: model.Command{
				Try: &model.Template{Steps: []model.TemplateStep{
					{Op: "POST /things", Min: 1, Max: 1},
					{Op: "POST /things", Min: 1, Max: 1},
				}},
			},
		},
	}
	got := start(t, p, search.Sink{}).Wait()
	i := slices.IndexFunc(got.Tests, func(t model.Test) bool { return t.ID == "t1" })
	if i < 0 || got.Tests[i].Lineage.Rule != model.FromPerson || len(got.Tests[i].Calls) != 2 {
		t.Errorf("kept %+v", got.Tests)
	}
}

// Each step plays one test.
func TestSingleStep(t *testing.T) {
	_, url := serve(t)
	run, err := search.New(context.Background(), plan(url, 200))
	if err != nil {
		t.Fatal(err)
	}
	run.Pause()
	run.Start(context.Background(), search.Sink{})
	for i := range 5 {
		until(t, func() bool { s := run.Snapshot(); return s.Phase == model.PhasePaused && s.Summary.Asked == i })
		run.Step()
	}
	until(t, func() bool { return run.Snapshot().Summary.Asked == 5 })
	if s := run.Snapshot(); s.Last == nil || s.Last.ID != "t5" {
		t.Errorf("last %+v, want t5", s.Last)
	}
	run.Resume()
	if s := run.Wait(); s.Summary.Calls < 199 {
		t.Errorf("after resuming %d calls", s.Summary.Calls)
	}
}

// The lineage of each kept test has the creation rule by which the search made the test.
func TestLineage(t *testing.T) {
	_, url := serve(t)
	got := start(t, plan(url, 800), search.Sink{}).Wait()
	first := 0
	for _, test := range got.Tests {
		b := test.Lineage
		if b == nil || b.Rule == model.FromMutation != (b.Parent != "") || (b.Target != "") != (b.Parent != "") ||
			(b.Change != "") != (b.Parent != "") {
			t.Fatalf("%s: birth %+v", test.ID, b)
		}
		first += len(b.First)
		if slices.Contains(b.First, "") {
			t.Errorf("%s is the first to cover nothing", test.ID)
		}
	}
	if first == 0 {
		t.Error("none of the kept tests was the first to cover anything")
	}
}
