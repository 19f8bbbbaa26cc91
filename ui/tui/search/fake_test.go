package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sonde/analysis"
	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	os.Exit(m.Run())
}

// fakeRun records the requests that it receives, and returns a fixed snapshot.
type fakeRun struct {
	requests []string
	steers   []model.Command
	snap     model.Snapshot
	folder   string
	source   map[string]string // key: name of a file; value: its text
}

func (r *fakeRun) Snapshot() model.Snapshot { return r.snap }
func (r *fakeRun) Pause()                   { r.requests = append(r.requests, "pause") }
func (r *fakeRun) Resume()                  { r.requests = append(r.requests, "resume") }
func (r *fakeRun) Stop()                    { r.requests = append(r.requests, "stop") }
func (r *fakeRun) Folder() string           { return r.folder }
func (r *fakeRun) Command() string {
	return "sonde search shop.yaml --url http://127.0.0.1:41873 --calls 2000 --seed 7 -o " + r.folder
}

func (r *fakeRun) Source(f model.SourceFile) (string, error) {
	if text, ok := r.source[f.Name]; ok {
		return text, nil
	}
	return "", fmt.Errorf("%q was removed since the service was built", f.Path)
}
func (r *fakeRun) Step() { r.requests = append(r.requests, "step") }
func (r *fakeRun) Apply(s model.Command) {
	r.steers = append(r.steers, s)
	switch {
	case s.Change != nil:
		r.requests = append(r.requests, fmt.Sprintf("%s %.2f", s.Change.Knob, s.Change.Value))
	case s.Priority != nil:
		r.requests = append(r.requests, fmt.Sprintf("%s %s %d", s.Priority.Kind, s.Priority.Label, len(s.Priority.Ops)))
	case s.Try != nil:
		r.requests = append(r.requests, fmt.Sprintf("try %d steps, %d links", len(s.Try.Steps), len(s.Try.Links)))
	}
}

// driver takes the place of the app: it runs the Cmds of the screen and sends their messages back to the
// screen, except ticks, which it stores.
type driver struct {
	t        *testing.T
	screen   screen.Screen
	run      *fakeRun
	startErr error
	settings []usecase.SearchSettings
	ticks    []tick
	messages []string
	shown    []screen.ShowScreen
	composed []screen.ComposeRequest
	allowed  int
	starting []screen.RunStarting
	past     []usecase.PastSearch      // the searches on disk
	snaps    map[string]model.Snapshot // key: folder of a search in past; value: its snapshot
	waiting  []int                     // the length of each CommandsPending that was sent
}

var demo = screen.Service{Name: "demo", URL: "http://127.0.0.1:41873"}

func drive(t *testing.T, host screen.Service) *driver {
	d := &driver{t: t, run: &fakeRun{folder: "runs/shop-7"}}
	m := New(screen.Engine{
		Searches: usecase.Searches{Start: d.start, List: d.list, Open: d.open, DescribeFault: describedFault},
	}, host).(Model)
	m.interval, m.question.Pause = time.Nanosecond, time.Nanosecond
	d.screen = m
	d.send(screen.SpecOpened{Spec: shop()})
	return d.size(120, 33)
}

func (d *driver) start(_ context.Context, s usecase.SearchSettings) (usecase.SearchRun, error) {
	d.settings = append(d.settings, s)
	if d.startErr != nil {
		return nil, d.startErr
	}
	return d.run, nil
}

func (d *driver) list(context.Context) ([]usecase.PastSearch, error) { return d.past, nil }

func (d *driver) open(_ context.Context, folder string) (usecase.PastSearch, model.Snapshot, error) {
	i := slices.IndexFunc(d.past, func(p usecase.PastSearch) bool { return p.Folder == folder })
	if i < 0 {
		return usecase.PastSearch{}, model.Snapshot{}, fmt.Errorf("%q is not a run", folder)
	}
	return d.past[i], d.snaps[folder], nil
}

func (d *driver) model() Model { return d.screen.(Model) }

// operation returns the operation under the cursor of the run's page.
func (d *driver) operation() (model.OpID, bool) {
	m := d.model()
	return m.panes.operation(m.runView())
}

// test returns the test under the cursor.
func (d *driver) test() *model.Test {
	m := d.model()
	return m.panes.tests.chosen(m.runView())
}

func (d *driver) layout() layout {
	m := d.model()
	return m.panes.layout(m.runView())
}

func (d *driver) form() *form {
	m := d.model()
	return &m.form
}

func (d *driver) fault() *faultPage {
	m := d.model()
	return &m.fault
}

func (d *driver) send(msg tea.Msg) *driver {
	var cmd tea.Cmd
	d.screen, cmd = d.screen.Update(msg)
	d.do(cmd)
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
	case tick:
		d.ticks = append(d.ticks, msg)
	case screen.StatusMessage:
		if msg.Err != nil {
			msg.Text = "✗ " + msg.Err.Error()
		}
		d.messages = append(d.messages, msg.Text)
	case screen.RunStarting:
		d.starting = append(d.starting, msg)
	case screen.CommandsPending:
		d.waiting = append(d.waiting, len(msg.Commands))
	case screen.ShowScreen:
		d.shown = append(d.shown, msg)
	case screen.ComposeRequest:
		d.composed = append(d.composed, msg)
	case widget.HostAllowed:
		d.allowed++
		d.send(msg)
	default:
		d.send(msg)
	}
}

func (d *driver) size(w, h int) *driver { return d.send(tea.WindowSizeMsg{Width: w, Height: h}) }

func (d *driver) press(keys ...string) *driver {
	for _, k := range keys {
		d.send(pressed(k))
	}
	return d
}

// tick sends the oldest stored tick, so that the screen reads the run's snapshot again.
func (d *driver) tick() *driver {
	if len(d.ticks) == 0 {
		d.t.Fatal("no tick is under way")
	}
	next := d.ticks[0]
	d.ticks = d.ticks[1:]
	return d.send(next)
}

// show gives the run a snapshot and sends it to the screen.
func (d *driver) show(s model.Snapshot) *driver {
	d.run.snap = s
	return d.send(screen.RunProgress{Snapshot: s, Folder: d.run.folder})
}

func pressed(name string) tea.KeyMsg {
	for t := tea.KeyType(-128); t < 128; t++ {
		k := tea.KeyMsg{Type: t}
		if t == tea.KeySpace {
			k.Runes = []rune{' '}
		}
		if t != tea.KeyRunes && k.String() == name {
			return k
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

var paths = []model.OpID{
	"GET /health", "GET /products", "POST /products", "GET /products/{productId}", "PUT /products/{productId}",
	"DELETE /products/{productId}", "POST /carts", "GET /carts/{cartId}", "POST /carts/{cartId}/items",
	"DELETE /carts/{cartId}/items/{itemId}", "POST /orders", "GET /orders/{orderId}", "POST /orders/{orderId}/pay",
	"GET /stock/{sku}",
}

func shop() *screen.AnalyzedSpec {
	s := &screen.AnalyzedSpec{Spec: &model.Spec{Title: "Gear shop", Version: "1.4", Source: "shop.yaml"}}
	for _, id := range paths {
		op := &model.Operation{ID: id}
		if _, rest, found := strings.Cut(string(id), " /products"); found {
			op.Tags = []string{"products"}
			if rest != "" {
				op.Tags = append(op.Tags, "one product")
			}
		}
		s.Spec.Operations = append(s.Spec.Operations, op)
	}
	s.Groups = []model.ValueGroup{{Operations: paths[:1]}, {Operations: paths[1:9]}}
	s.Analysis = analysis.Analyze(s.Spec, analysis.Options{})
	s.GroupOf = map[model.OpID]int{}
	for i, g := range s.Groups {
		for _, op := range g.Operations {
			s.GroupOf[op] = i
		}
	}
	return s
}

// curve returns a curve like that of a search, steep at first and then flat.
func curve(points, calls, top int) []model.CurvePoint {
	out := []model.CurvePoint{}
	for i := range points {
		x := (i + 1) * calls / points
		out = append(out, model.CurvePoint{Calls: x, Covered: int(float64(top) * (1 - math.Exp(-4*float64(x)/2000)))})
	}
	return out
}

func running() model.Snapshot {
	t := model.DefaultTuning()
	now := t
	now.Random = 0.31
	return model.Snapshot{
		Phase: model.PhaseRunning, Used: 0.62, Tuning: t, Applied: now,
		Summary: model.Summary{
			Calls: 1240, SetUp: 130, Budget: 2000, Targets: 133, Covered: 84, Operations: 14,
			With2xx: 11, With5xx: 2, Faults: 2, Flaky: 1, Notes: 1, Tests: 61, Elapsed: 2700 * time.Millisecond, Rate: 459,
			Forecast: &model.Forecast{Calls: 1000, Low: 2, High: 9, Mean: 5.1},
		},
		Curve: curve(60, 1240, 92),
		Grid: map[model.OpID]map[int]int{
			"GET /health": {200: 40}, "POST /products": {201: 31, 400: 62, 401: 9}, "POST /carts/{cartId}/items": {404: 77},
			"POST /orders/{orderId}/pay": {200: 2, 409: 19, 500: 6}, "GET /stock/{sku}": {200: 12345, 301: 3, 503: 1},
		},
		Open: []model.OpenTarget{
			{Target: "POST /orders/{orderId}/pay 402", Op: "POST /orders/{orderId}/pay", Near: 0.83, Tests: 4, Counter: 17, Since: 0.41},
			{Target: "example.com/shop/internal/orders/pay.go:130:61 true", Near: 0.5, Tests: 10, Counter: 2, Since: 0.6},
			{Target: "GET /stock/{sku} 404", Op: "GET /stock/{sku}", Near: 0.25, Tests: 1, Counter: 1203, Since: 0.02},
		},
		Faults: []model.Fault{
			{
				Op:       "GET /products",
				Oracle:   "undeclared-status",
				Severity: model.SeverityNote,
				Status:   404,
				Text:     "404",
				Expected: "one of 200, 400",
				Count:    3,
				Calls:    1,
				At:       70,
			},
			{
				Op: "GET /products/{productId}", Oracle: "schema", Severity: model.SeverityWarning, Verdict: model.VerdictFlaky,
				Status: 200, Text: "null",
				Expected: "/price of Product is of type integer", Count: 2, Calls: 2, At: 120,
			},
			{
				Op: "GET /stock/{sku}", Oracle: "server-error", Severity: model.SeverityError,
				Status: 503, Text: "stock feed \x1b[31mis down\x1b[0m",
				Expected: "a status below 500", Count: 1, Calls: 1, At: 388,
			},
			{
				Op:       "POST /orders/{orderId}/pay",
				Oracle:   "server-error",
				Severity: model.SeverityError,
				Verdict:  model.VerdictReproducible,
				Status:   500,
				Text:     "runtime error: invalid memory address or nil pointer dereference",
				Expected: "a status below 500",
				Count:    14,
				Calls:    2,
				At:       1190,
				Test:     &model.Test{Calls: []model.Call{{Op: "POST /orders"}, {Op: "POST /orders/{orderId}/pay"}}},
			},
		},
	}
}

func tuned() model.Snapshot {
	s := running()
	s.Tuning.Smart, s.Applied.Smart = 0.8, 0.8
	s.Marks = []model.AppliedCommand{{Call: 612, Tuning: s.Tuning}}
	return s
}

// steered returns a snapshot of a run with many commands and problems.
func steered() model.Snapshot {
	s := tuned()
	mute := model.Priority{Kind: model.PriorityMuted, Ops: paths[1:6], Label: "tag products"}
	s.Marks = append(s.Marks,
		model.AppliedCommand{Call: 701, Tuning: s.Tuning, Command: model.Command{Priority: &mute}},
		model.AppliedCommand{
			Call:    1100,
			Tuning:  s.Tuning,
			Command: model.Command{Try: &model.Template{Steps: []model.TemplateStep{{Op: "POST /carts"}, {Op: "GET /carts/{cartId}"}}}},
		},
	)
	s.Refused = []model.Note{{Call: 900, Text: `only "POST /nothing" would leave nothing to search for: it was not applied`}}
	s.Weights = model.Weights{"POST /orders": model.BoostedWeight}.WithPriority(mute, shop().Spec.Operations)
	s.Summary.Restarts = 3
	s.Summary.Warnings = []model.Warning{
		{
			Kind: model.WarnAccessDenied,
			Text: "93% of the answers are 401 or 403: no user is configured: use --header or --user, " +
				"or write auth into sonde.yaml (sonde init begins one)",
		},
	}
	for _, op := range paths[1:6] {
		s.Summary.Warnings = append(s.Summary.Warnings, model.Warning{
			Kind: model.WarnNever2xx, Op: op,
			Text: string(op) + " never answered 2xx; 70 of 77 times came 404 \"no such \x1b[31mcart\": " +
				"begin with data that it needs, or give an example in the spec",
		})
	}
	s.Tests, s.Last = kept(), &model.Test{
		ID: "t940", Calls: []model.Call{
			{Op: "POST /carts", Status: 201},
			{Op: "POST /carts/{cartId}/items", Status: 404},
			{Op: "GET /carts/{cartId}"},
		},
		Lineage: &model.TestLineage{
			Call: 1236, Rule: model.FromMutation, Parent: "t812",
			Template: "POST /carts/{cartId}/items", Target: "POST /carts/{cartId}/items 201",
			Change: "values", First: []string{"POST /carts/{cartId}/items 404"},
		},
	}
	return s
}

// kept returns tests like those that a search keeps.
func kept() []model.Test {
	return []model.Test{
		{
			ID: "t1", Calls: []model.Call{{Op: "GET /health", Status: 200}}, Covers: []string{"GET /health 200"},
			Lineage: &model.TestLineage{
				Call:     1,
				Rule:     model.FromInitialTemplate,
				Template: "GET /health",
				First:    []string{"GET /health 200"},
			},
		},
		{
			ID: "t17", Calls: []model.Call{
				{Op: "POST /products", Status: 201}, {Op: "GET /products/{productId}", Status: 200},
			}, Covers: []string{"GET /products/{productId} 200", "POST /products 201"},
			Lineage: &model.TestLineage{Call: 31, Rule: model.FromPerson, Template: "GET /products/{productId}"},
		},
		{
			ID: "t31", Calls: []model.Call{{Op: "POST /orders", Status: 503}}, Covers: []string{"POST /orders 503"},
			Lineage: &model.TestLineage{Call: 69, Rule: model.FromRandomCalls, First: []string{"POST /orders 503"}},
		},
		{
			ID: "t44", Calls: []model.Call{{Op: "POST /orders", Status: 201}}, Covers: []string{"POST /orders 201"},
			Lineage: &model.TestLineage{Call: 80, Rule: model.FromTemplate, Template: "POST /orders"},
		},
	}
}

func done() model.Snapshot {
	s := tuned()
	s.Phase, s.Used = model.PhaseDone, 1
	s.Summary.Calls, s.Summary.Covered, s.Summary.Elapsed = 2000, 92, 4400*time.Millisecond
	s.Summary.Forecast = &model.Forecast{Calls: 1000, High: 2, Mean: 0.7}
	s.Curve = curve(60, 2000, 93)
	return s
}

func failed() model.Snapshot {
	s := running()
	s.Phase, s.Used, s.Summary.With2xx, s.Summary.With5xx = model.PhaseDone, 0.15, 0, 0
	s.Summary.Calls, s.Summary.Covered, s.Summary.Faults, s.Faults = 300, 14, 0, nil
	s.Curve, s.Grid = curve(9, 300, 30), map[model.OpID]map[int]int{"GET /health": {401: 22}, "POST /products": {401: 30}}
	s.Err = errors.New(`"http://127.0.0.1:41873" answered none of 300 calls with a 2xx: look at --url and the credentials`)
	return s
}

func (d *driver) sees(texts ...string) *driver {
	d.t.Helper()
	m := d.model()
	view := ansi.Strip(d.screen.View(m.width, m.height))
	for _, want := range texts {
		if !strings.Contains(view, want) {
			d.t.Errorf("%q is not in\n%s", want, view)
		}
	}
	return d
}

func (d *driver) requested(want ...string) *driver {
	d.t.Helper()
	if !slices.Equal(d.run.requests, want) {
		d.t.Errorf("asked of the run: %q, want %q", d.run.requests, want)
	}
	return d
}

// describedFault returns a made-up report of a fault. Its texts have the same form as those that the app writes.
func describedFault(f model.Fault) usecase.FaultReport {
	curl := "base=${SONDE_BASE_URL:-http://127.0.0.1:41873}\n" +
		`curl -sS -i -X POST "$base"/orders -H 'Authorization: '"$ADMIN" ` +
		`--data-raw '{"cartId":"84d7edbf-2190-4d4a-b5e1-af7b198f1926","delivery":"standard"}'`
	text := "severity: " + string(f.Severity) + "\noracle:   " + f.Oracle + "\nverdict:  " + f.Repeated() +
		", seen " + strconv.Itoa(f.Count) + "×\nexpected: " + f.Expected + "\ncame:     " + f.Text + "\ncalls that show it:\n"
	calls := []model.Call{{Op: "POST /carts", Status: 201}, {Op: f.Op, Status: f.Status}}
	if f.Test != nil {
		calls = f.Test.Calls
	}
	for i, c := range calls {
		text += fmt.Sprintf(
			"  %d. %s → %d\n       request: %s\n       answer:  %d; Content-Type: application/json\n", i+1, c.Op,
			c.Status, c.Op, c.Status,
		)
	}
	return usecase.FaultReport{Text: text + "by curl:\n  " + strings.ReplaceAll(curl, "\n", "\n  ") + "\n", Curl: curl}
}
