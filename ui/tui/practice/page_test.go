package practice

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	os.Exit(m.Run())
}

// fakeRun is a listing whose state a test sets.
type fakeRun struct {
	state   usecase.ListingSnapshot
	stopped bool
}

func (r *fakeRun) Snapshot() usecase.ListingSnapshot { return r.state }
func (r *fakeRun) Stop()                             { r.stopped = true }

// driver takes the place of two screens with a page each: it runs commands, and sends messages to both pages.
type driver struct {
	page, other *Page
	run         fakeRun
	settings    []usecase.ListingSettings // settings of the listings that were started
	startErr    error
	message     string
}

// drive returns a driver whose first page is open for the whole API.
func drive(host screen.Service) *driver {
	d := &driver{}
	engine := &screen.Engine{Seqs: usecase.SeqCalls{
		List: func(_ context.Context, s usecase.ListingSettings) (usecase.ListingRun, error) {
			d.settings = append(d.settings, s)
			if d.startErr != nil {
				return nil, d.startErr
			}
			return &d.run, nil
		},
	}}
	d.page, d.other = New(engine, host), New(engine, host)
	for _, p := range []*Page{d.page, d.other} {
		p.Interval, p.question.Pause = 0, 0
	}
	d.send(screen.SpecOpened{Spec: &screen.AnalyzedSpec{Spec: &model.Spec{Hash: "1"}}})
	d.page.Open(scope(""))
	return d
}

var local = screen.Service{Name: "demo", URL: "http://127.0.0.1:41873"}

func scope(name string) Scope {
	return Scope{Name: name, Analysis: func() *analysis.Analysis { return analysis.Analyze(&model.Spec{}, analysis.Options{}) }}
}

func (d *driver) send(msg tea.Msg) *driver {
	for _, p := range []*Page{d.page, d.other} {
		if _, isKey := msg.(tea.KeyMsg); isKey && p != d.page {
			continue // only the visible screen gets keys
		}
		cmd, done := p.Update(msg)
		d.do(cmd)
		if k, isKey := msg.(tea.KeyMsg); isKey && !done {
			cmd, _ := keys.Press(p, k)
			d.do(cmd)
		}
	}
	return d
}

func (d *driver) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.do(c)
		}
	case screen.StatusMessage:
		d.message = msg.Text
		if msg.Err != nil {
			d.message = "✗ " + msg.Err.Error()
		}
	default:
		d.send(msg)
	}
}

// keys are the keys of a screen that consists only of a page.
var keys = keymap.Map[*Page](Modes(func(p *Page) *Page { return p }))

func (d *driver) press(names ...string) *driver {
	types := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "left": tea.KeyLeft, "right": tea.KeyRight, "end": tea.KeyEnd, "down": tea.KeyDown,
	}
	for _, name := range names {
		k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
		if typ, ok := types[name]; ok {
			k = tea.KeyMsg{Type: typ}
		}
		d.send(k)
	}
	return d
}

// show sends a newer state of the listing.
func (d *driver) show(s usecase.ListingSnapshot) *driver {
	d.run.state = s
	return d.send(progressed{page: d.page, run: &d.run, state: s})
}

// called returns a seq that was called. statuses has the status of the answer to each call, 0 for a call without an
// answer.
func called(statuses []int, ops ...model.OpID) usecase.CalledSeq {
	c := usecase.CalledSeq{Completed: true, Succeeded: true}
	for i, op := range ops {
		c.Test.Calls = append(c.Test.Calls, model.Call{Op: op, Status: statuses[i]})
		if statuses[i]/100 != 2 && c.Succeeded {
			c.Succeeded, c.Completed = false, i == len(ops)-1 && statuses[i] > 0
			c.Obstacle = usecase.Obstacle{Op: op, Status: statuses[i]}
		}
	}
	return c
}

// halfway is the state of a listing in progress.
func halfway() usecase.ListingSnapshot {
	curve := func(step int) (all []usecase.ListingPoint) {
		for i := range 60 {
			all = append(all, usecase.ListingPoint{Calls: i * step, Practical: i, Operations: min(i/2, 22)})
		}
		return all
	}
	return usecase.ListingSnapshot{
		Rules: []usecase.RuleListing{
			{
				Rule:      distil.RuleDC,
				SeqCounts: usecase.SeqCounts{Listed: 224, Practical: 60, Successful: 44, Failed: 2, Barred: 96, Open: 66},
				Reachable: 24, Operations: 22, Calls: 610, Curve: curve(10),
				Reasons: []usecase.ObstacleCount{
					{Obstacle: usecase.Obstacle{Op: "GET /products/{productId}/reviews", Status: 404}, Seqs: 57},
					{Obstacle: usecase.Obstacle{Op: "POST /carts", Status: 422}, Seqs: 39},
					{Obstacle: usecase.Obstacle{Op: "GET /slow"}, Seqs: 2},
				},
			},
			{
				Rule:      distil.RuleSC,
				SeqCounts: usecase.SeqCounts{Listed: 2001, Practical: 60, Successful: 50, Barred: 110, Open: 1831}, More: true,
				Reachable: 24, Operations: 22, Calls: 612, Curve: curve(7),
				Reasons: []usecase.ObstacleCount{
					{Obstacle: usecase.Obstacle{Op: "POST /carts", Status: 422}, Seqs: 60},
					{Obstacle: usecase.Obstacle{Op: "GET /products", Status: 500}, Seqs: 50},
				},
			},
		},
		Called: []usecase.CalledSeq{
			called([]int{201}, "POST /carts"), called([]int{500}, "GET /products"), called([]int{0}, "GET /slow"),
			called([]int{201, 404}, "POST /carts", "GET /a"),
		},
		Summary: model.Summary{Calls: 824, Budget: 20_000, Rate: 1870, Faults: 2},
		Used:    0.0412,
	}
}

// ended returns the state of a listing that has ended, with err if it failed. usedUp reports whether the budget is
// used up.
func ended(err error, usedUp bool) usecase.ListingSnapshot {
	s := halfway()
	s.Done, s.Err, s.UsedUp = true, err, usedUp
	return s
}

// states has the states of the page to draw.
var states = map[string]func() *driver{
	"introduction": func() *driver { return drive(local) },
	"no reset": func() *driver {
		return drive(screen.Service{URL: "https://shop.example", Remote: true, NoReset: true}).press("left", "left")
	},
	"running":    func() *driver { return drive(local).press("enter").show(halfway()) },
	"operations": func() *driver { return drive(local).press("enter", "o").show(halfway()) },
	"used up": func() *driver {
		return drive(local).press("enter").show(ended(errors.New("no budget"), true)).press("right")
	},
	"failed": func() *driver {
		return drive(local).press("enter").show(ended(errors.New("the service has\x1b[2J stopped answering"), false))
	},
	"remote": func() *driver { return drive(screen.Service{URL: "https://shop.example", Remote: true}).press("enter") },
}

func TestViews(t *testing.T) {
	for name, state := range states {
		for _, size := range [][2]int{{40, 9}, {54, 33}, {60, 21}, {80, 21}, {90, 57}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				rows := strings.Split(state().view(size[0], size[1]), "\n")
				for i := range rows {
					rows[i] = strings.TrimRight(rows[i], " ")
				}
				golden.RequireEqual(t, []byte(strings.Join(rows, "\n")+"\n"))
			})
		}
	}
}

func (d *driver) view(w, h int) string {
	r := draw.Rect{W: w, H: h}
	d.page.Fit(r)
	return d.page.Over(d.page.View(r), w, h)
}

// In any state and at any size, the page has its exact size and no control characters.
func TestViewKeepsItsSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := states[rapid.SampledFrom(slices.Sorted(mapKeys(states))).Draw(t, "state")]()
		d.page.Open(scope(rapid.SampledFrom([]string{"", "group 2", "area a very long name\x1b]0;t\a of an area"}).Draw(t, "scope")))
		w, h := rapid.IntRange(2, 220).Draw(t, "width"), rapid.IntRange(2, 60).Draw(t, "height")
		d.view(w, h)
		d.press(rapid.SliceOfN(rapid.SampledFrom([]string{"end", "down", "o", "left"}), 0, 4).Draw(t, "keys")...)
		rows := strings.Split(d.page.View(draw.Rect{W: w, H: h}), "\n")
		if len(rows) != h {
			t.Fatalf("%d lines, want %d", len(rows), h)
		}
		for _, r := range rows {
			if ansi.StringWidth(r) != w || strings.ContainsFunc(r, func(c rune) bool { return c < ' ' }) {
				t.Fatalf("line %q has %d cells, want %d", r, ansi.StringWidth(r), w)
			}
		}
	})
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// A listing gets the scope, the chosen budget and the surroundings. Both pages show the listing, and on each of them
// the user can stop it.
func TestStart(t *testing.T) {
	d := drive(local)
	around := usecase.Surroundings{Net: true, Stubs: []model.Stub{{Host: "a"}}}
	d.send(screen.SurroundingsChanged{Surroundings: around})
	one := scope("GET /a")
	one.With = "GET /a"
	d.page.Open(one)
	d.press("left", "left", "enter")
	if len(d.settings) != 1 {
		t.Fatalf("%d listings were started", len(d.settings))
	}
	if s := d.settings[0]; s.With != "GET /a" || s.Calls != 5000 || s.Analysis == nil || !s.Net || len(s.Stubs) != 1 {
		t.Errorf("got %+v", s)
	}
	d.show(halfway())
	for _, p := range []*Page{d.page, d.other} {
		if !p.Running() || !p.Results().Any() || p.UnfinishedWork() == "" {
			t.Errorf("running %t, %d results", p.Running(), len(p.Results().Called()))
		}
	}
	d.press("enter")
	if len(d.settings) != 1 || d.message != "seqs are being called" {
		t.Errorf("%d listings, message %q", len(d.settings), d.message)
	}
	d.other.stop()
	d.show(ended(context.Canceled, false))
	if !d.run.stopped || d.page.Running() || d.other.UnfinishedWork() != "" {
		t.Error("the listing was not stopped")
	}
	if view := ansi.Strip(d.view(80, 40)); !strings.Contains(view, "Stopped, and 1,897 seqs were not reached.") {
		t.Errorf("got\n%s", view)
	}
	d.press("esc")
	if d.page.Shown() {
		t.Error("esc does not close the page")
	}
}

// A service on another machine is called only after the user agrees, once for both pages.
func TestRemote(t *testing.T) {
	d := drive(screen.Service{URL: "https://shop.example", Remote: true}).press("enter")
	if !d.page.Asking() || len(d.settings) > 0 {
		t.Fatal("it does not ask")
	}
	d.press("n")
	if d.page.Asking() || len(d.settings) > 0 || d.page.Running() {
		t.Error("it calls after no")
	}
	d.press("enter", "y")
	if len(d.settings) != 1 || !d.other.allowed {
		t.Errorf("%d listings after yes, allowed on the other page %t", len(d.settings), d.other.allowed)
	}
	d = drive(screen.Service{URL: "https://shop.example", Remote: true})
	d.send(widget.HostAllowed{URL: "https://shop.example"}).press("enter")
	if len(d.settings) != 1 {
		t.Error("it asks again what was allowed on another screen")
	}
}

// In production, each listing that writes is asked about.
func TestProduction(t *testing.T) {
	d := drive(screen.Service{URL: "http://127.0.0.1:1", Production: true})
	d.page.ops = []model.OpID{"POST /a"}
	d.send(widget.HostAllowed{URL: "http://127.0.0.1:1"}).press("enter")
	if !d.page.Asking() || len(d.settings) > 0 {
		t.Fatal("it does not ask")
	}
	d.press("y")
	if len(d.settings) != 1 {
		t.Errorf("%d listings after yes", len(d.settings))
	}
	d = drive(screen.Service{URL: "http://127.0.0.1:1", Production: true})
	d.page.ops = []model.OpID{"POST /a"}
	d.send(screen.ServiceChanged{Service: local}).press("enter")
	if len(d.settings) != 1 {
		t.Error("it asks about the service before")
	}
}

// While a search uses the service, no seqs are called. If a listing cannot be started, the error is shown.
func TestStartErrors(t *testing.T) {
	d := drive(local)
	d.send(screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseRunning}}).press("enter")
	if len(d.settings) > 0 || !strings.HasPrefix(d.message, "✗ stop the search first") {
		t.Errorf("%d listings, message %q", len(d.settings), d.message)
	}
	d.send(screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseDone}})
	d.startErr = errors.New("no answer")
	d.press("enter")
	if d.message != "✗ no answer" || d.page.Running() {
		t.Errorf("message %q, running %t", d.message, d.page.Running())
	}
	d.press("s")
	if d.message != "no seqs are being called" {
		t.Errorf("message %q", d.message)
	}
	if !d.page.HasService() || New(&screen.Engine{}, screen.Service{}).HasService() {
		t.Error("it does not know whether there is a service")
	}
}

// If the user stops a listing while it is starting, it is stopped as soon as it has started. If another spec is
// opened while a listing is starting, the listing is stopped, too, and is not shown.
func TestStopsBeforeItHasStarted(t *testing.T) {
	d := drive(local)
	start := d.page.begin()
	d.press("s")
	if !d.page.Running() {
		t.Error("it does not wait for the start")
	}
	d.do(start)
	if !d.run.stopped {
		t.Error("it was not stopped")
	}

	d = drive(local)
	start = d.page.begin()
	d.send(screen.SpecOpened{Spec: &screen.AnalyzedSpec{Spec: &model.Spec{Hash: "2"}}})
	d.do(start)
	if !d.run.stopped || d.page.shows() || d.page.Shown() {
		t.Error("a listing of the earlier spec is shown")
	}
}

// If the same spec is opened again, the results stay. If another spec is opened, the listing is stopped, and its
// results are dropped.
func TestSpecOpened(t *testing.T) {
	d := drive(local).press("enter").show(halfway())
	before := d.page.Results().Run()
	d.send(screen.SpecOpened{Spec: &screen.AnalyzedSpec{Spec: &model.Spec{Hash: "1"}}})
	if !d.page.Results().Any() || d.run.stopped || d.page.Results().Run() != before {
		t.Error("the same spec loses the results")
	}
	d.send(screen.SpecOpened{Spec: &screen.AnalyzedSpec{Spec: &model.Spec{Hash: "2"}}})
	if d.page.Results().Any() || !d.run.stopped || d.page.Running() || d.page.Results().Run() == before {
		t.Error("another spec keeps the results")
	}
	d.send(progressed{page: d.page, run: &d.run, state: halfway()})
	if d.page.Results().Any() {
		t.Error("a late snapshot is shown")
	}
}

// A page shows a listing in progress, whatever its scope is. It shows a listing that has ended only if the listing
// has the page's scope.
func TestShownScope(t *testing.T) {
	d := drive(local).press("enter").show(halfway())
	d.page.Open(scope("group 2"))
	if title := ansi.Strip(d.page.title()); title != "Practical seqs · whole API" {
		t.Errorf("in progress: %q", title)
	}
	d.show(ended(nil, false))
	if title := ansi.Strip(d.page.title()); title != "Practical seqs · group 2" || d.page.shows() {
		t.Errorf("at the end: %q", title)
	}
	d.page.Open(scope(""))
	if !d.page.shows() {
		t.Error("the listing of the scope is not shown")
	}
}

// A seq that was called has its own result. A barred seq has the result of the seq that bars it: the seq with which
// it begins and that did not succeed.
func TestResults(t *testing.T) {
	var r Results
	r.add([]usecase.CalledSeq{called([]int{201}, "POST /a")})
	r.add([]usecase.CalledSeq{
		called([]int{201}, "POST /a"), called([]int{201, 200}, "POST /a", "GET /a"), called([]int{201, 422}, "POST /a", "PUT /a"),
		called([]int{0}, "GET /slow"), called([]int{201, 500, 0}, "POST /a", "GET /b", "GET /c"),
	})
	const barred = "Barred: it begins with a seq that did not succeed, because "
	for _, c := range []struct {
		seq     model.Seq
		want    Kind
		explain string
	}{
		{model.Seq{"POST /a"}, Practical, "Practical: all its calls were answered 2xx."},
		{model.Seq{"POST /a", "PUT /a"}, Practical, "Practical, but no longer seq begins with it: PUT /a answered 422."},
		{model.Seq{"POST /a", "PUT /a", "GET /a"}, Barred, barred + "PUT /a answered 422."},
		{model.Seq{"POST /a", "GET /a", "GET /a"}, Open, ""},
		{model.Seq{"GET /slow"}, Failed, "Failed when it was called: GET /slow gave no answer."},
		{model.Seq{"GET /slow", "GET /a", "GET /b"}, Barred, barred + "GET /slow gave no answer."},
		{model.Seq{"POST /a", "GET /b", "GET /c"}, Failed, "Failed when it was called: GET /b answered 500."},
		{model.Seq{"GET /new"}, Open, ""},
		{nil, Open, ""},
	} {
		got := r.Of(c.seq)
		if got.Kind != c.want || got.Explain() != c.explain {
			t.Errorf("%v: got %s, %q, want %s, %q", c.seq, got.Kind, got.Explain(), c.want, c.explain)
		}
	}
	r.reset()
	if r.Any() || r.Of(model.Seq{"POST /a"}).Kind != Open {
		t.Error("it has results after the reset")
	}
}
