package tui

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/analysis/distil"
	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	if where := os.Getenv(panics); where != "" {
		os.Exit(bePanicking(where))
	}
	flag.Parse()
	// Benchmarks use the garbage collector setting of the app, because screens allocate much memory and keep little
	// of it.
	if os.Getenv("GOGC") == "" && flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}

var local = screen.Service{Name: "demo", URL: "http://127.0.0.1:41873"}

// driver drives the app like a user. It runs the app's commands synchronously.
type driver struct {
	app    *app
	quit   bool
	silent []tea.Msg // messages that would end a status message later
}

// leaveOutIfShort skips a test that presses many keys on many screens in short mode.
func leaveOutIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it presses many keys: left out by -short")
	}
}

// open starts the app on a spec and waits until it is read. If err is not nil, reading the spec fails with err.
func open(spec *model.Spec, err error) *driver {
	d := start(engine(spec, err), local)
	if spec != nil && spec == shop() {
		return d.openDemo()
	}
	return d.do(d.app.Init())
}

// openDemo opens the analyzed spec of the demo, which all tests share.
func (d *driver) openDemo() *driver {
	d.app.Init() // the command of Init is not run, because the spec is already analyzed
	return d.send(specRead{no: d.app.spec.no, spec: analyzedDemo()})
}

// analyzedDemo returns the analyzed spec of the demo.
var analyzedDemo = sync.OnceValue(func() *screen.AnalyzedSpec {
	s, err := screen.AnalyzeSpec(context.Background(), shop(), match.DefaultMode)
	if err != nil {
		panic(err)
	}
	return s
})

// engine returns an engine that can only read a spec and make empty requests.
func engine(spec *model.Spec, err error) screen.Engine {
	no := errors.New("this engine only reads specs")
	return screen.Engine{
		Specs: usecase.SpecFiles{Load: func(context.Context, string) (*model.Spec, error) { return spec, err }},
		Searches: usecase.Searches{
			Start: func(context.Context, usecase.SearchSettings) (usecase.SearchRun, error) { return nil, no },
			List:  func(context.Context) ([]usecase.PastSearch, error) { return nil, no },
			Open: func(context.Context, string) (usecase.PastSearch, model.Snapshot, error) {
				return usecase.PastSearch{}, model.Snapshot{}, no
			},
		},
		Seqs: usecase.SeqCalls{
			Prepare: func(seq model.Seq) (t model.Test, err error) {
				for _, op := range seq {
					t.Calls = append(t.Calls, model.Call{Op: op})
				}
				return t, nil
			},
			Users:    func() []string { return nil },
			Requests: func(model.Test) []model.Request { return nil },
			Realise:  func(context.Context, model.Seq, usecase.Surroundings) (model.Test, error) { return model.Test{}, no },
			Replay:   func(context.Context, model.Test, usecase.Surroundings) (model.Test, error) { return model.Test{}, no },
			Step: func(context.Context, model.Test, int, usecase.Surroundings) (usecase.SendResult, error) {
				return usecase.SendResult{}, no
			},
			List: func(context.Context, usecase.ListingSettings) (usecase.ListingRun, error) { return fakeListing{}, nil },
		},
		Manual: usecase.ManualCalls{
			Draft: func(op model.OpID, _ []model.Test) (usecase.RequestDraft, error) {
				return usecase.RequestDraft{Test: model.Test{Calls: []model.Call{{Op: op}}}}, nil
			},
			DraftTemplate: func(t model.Template) (model.Test, error) {
				return model.Test{Calls: []model.Call{{Op: t.Target()}}}, nil
			},
			Send: func(context.Context, model.Test, usecase.Surroundings) (usecase.SendResult, error) {
				return usecase.SendResult{}, no
			},
			Hosts:          func() []model.HostSummary { return nil },
			SentOperations: func() ([]model.OpID, bool) { return nil, true },
			KeepSent: func(context.Context, usecase.Surroundings) (usecase.SendResult, error) {
				return usecase.SendResult{}, no
			},
		},
		TestFiles: usecase.TestFiles{
			Preview:      func(string, string, []model.Test) (string, error) { return "", no },
			WritePicture: func(string, usecase.GraphPicture, bool) error { return no },
			Write:        func(string, string, string, []model.Test, bool) (string, error) { return "", no },
		},
		Recordings: usecase.Recordings{
			Start: func(context.Context, usecase.RecordSettings) (usecase.Recorder, error) { return nil, no },
			Open:  func(context.Context, string) (model.Recording, error) { return model.Recording{}, no },
		},
	}
}

// fakeListing is a finished listing of the demo's seqs.
type fakeListing struct{}

func (fakeListing) Stop() {}

func (fakeListing) Snapshot() usecase.ListingSnapshot {
	called := func(ok bool, ops ...model.OpID) (c usecase.CalledSeq) {
		for _, op := range ops {
			c.Test.Calls = append(c.Test.Calls, model.Call{Op: op, Status: 200})
		}
		c.Completed, c.Succeeded = true, ok
		if !ok {
			last := &c.Test.Calls[len(ops)-1]
			last.Status, c.Obstacle = 404, usecase.Obstacle{Op: last.Op, Status: 404}
		}
		return c
	}
	listed := usecase.RuleListing{
		Rule: distil.RuleDC, SeqCounts: usecase.SeqCounts{Listed: 214, Practical: 118, Successful: 87, Barred: 96},
		Reachable: 16, Operations: 16, Calls: 970, Done: true,
		Curve: []usecase.ListingPoint{
			{Calls: 100, Practical: 20, Operations: 9},
			{Calls: 400, Practical: 60, Operations: 12},
			{Calls: 950, Practical: 118, Operations: 16},
		},
		Reasons: []usecase.ObstacleCount{{Obstacle: usecase.Obstacle{Op: "GET /products/{productId}", Status: 404}, Seqs: 96}},
	}
	other := listed
	other.Rule = distil.RuleSC
	return usecase.ListingSnapshot{
		Rules: []usecase.RuleListing{listed, other},
		Called: []usecase.CalledSeq{
			called(true, "GET /products"), called(true, "POST /products"), called(true, "POST /customers"),
			called(true, "GET /products", "POST /products"), called(false, "GET /products", "GET /products/{productId}"),
		},
		Summary: model.Summary{Calls: 970, Budget: 20_000, Rate: 5400, Faults: 2},
		Used:    0.0485,
		Done:    true,
	}
}

// start returns a driver with a new app. Init of the app was not called yet.
func start(e screen.Engine, h screen.Service) *driver {
	d := &driver{app: newApp(context.Background(), e, h, screen.Preferences{}, "shop.yaml")}
	d.app.confirmPause, d.app.status.duration = 0, time.Nanosecond
	return d.size(80, 24)
}

func (d *driver) do(cmd tea.Cmd) *driver {
	if cmd == nil {
		return d
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.do(c)
		}
	case tea.QuitMsg:
		d.quit = true
	case statusExpired:
		d.silent = append(d.silent, msg)
	default:
		d.send(msg)
	}
	return d
}

func (d *driver) send(msg tea.Msg) *driver {
	_, cmd := d.app.Update(msg)
	return d.do(cmd)
}

func (d *driver) size(width, height int) *driver {
	return d.send(tea.WindowSizeMsg{Width: width, Height: height})
}

// press presses keys, given by bubbletea's names.
func (d *driver) press(names ...string) *driver {
	for _, n := range names {
		d.send(keyMessage(n))
	}
	return d
}

// write presses a key for each letter.
func (d *driver) write(text string) *driver { return d.press(strings.Split(text, "")...) }

// click presses the left button on the first occurrence of a text.
func (d *driver) click(t *testing.T, text string) *driver {
	t.Helper()
	for y, line := range strings.Split(d.app.View(), "\n") {
		if at := strings.Index(line, text); at >= 0 {
			x := lipgloss.Width(line[:at])
			return d.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
		}
	}
	t.Fatalf("no %q to click in\n%s", text, d.app.View())
	return d
}

// sees checks that all texts are on the screen.
func (d *driver) sees(t *testing.T, texts ...string) *driver {
	t.Helper()
	view := d.app.View()
	for _, want := range texts {
		if !strings.Contains(view, want) {
			t.Fatalf("no %q in\n%s", want, view)
		}
	}
	return d
}

// misses checks that none of the texts is on the screen.
func (d *driver) misses(t *testing.T, texts ...string) *driver {
	t.Helper()
	view := d.app.View()
	for _, text := range texts {
		if strings.Contains(view, text) {
			t.Fatalf("there is %q in\n%s", text, view)
		}
	}
	return d
}

// shop is the spec of the demo.
var shop = sync.OnceValue(func() *model.Spec {
	spec, err := openapi.Parse(context.Background(), "shop.yaml", demo.Specification(), openapi.Options{})
	if err != nil {
		panic(err)
	}
	return spec
})

// large returns a spec of n operations that exchange many values.
func large(n int) *model.Spec {
	spec := &model.Spec{Title: "Large", Version: "1", Format: "OpenAPI 3.0"}
	id := &model.Schema{Type: "string", Format: "uuid"}
	for i := range n {
		thing := fmt.Sprintf("thing%d", i/5)
		item := &model.Schema{Name: thing, Type: "object", Properties: []model.Property{
			{Name: thing + "Id", Required: true, Schema: id},
			{Name: "ownerId", Schema: id},
			{Name: "name", Schema: &model.Schema{Type: "string"}},
			{Name: fmt.Sprintf("thing%dId", (i/5+1)%(n/5)), Schema: id},
		}}
		path, method := "/api/"+thing+"s/{"+thing+"Id}", []string{"GET", "PUT", "DELETE", "PATCH", "POST"}[i%5]
		op := &model.Operation{
			Method: method, Path: path, Tags: []string{thing + "s"}, Summary: "Does something to " + thing,
			Params: []model.Parameter{{Name: thing + "Id", In: model.InPath, Required: true, Schema: id}},
			Responses: []model.Response{
				{Status: "200", Description: "Done.", Contents: []model.Content{{Media: "application/json", Schema: item}}},
			},
		}
		if method == "POST" {
			op.Path, op.Params = "/api/"+thing+"s", nil
			op.Body = &model.RequestBody{Name: "body", Contents: []model.Content{{Media: "application/json", Schema: item}}}
		}
		op.ID = model.OpID(op.Method + " " + op.Path)
		spec.Operations = append(spec.Operations, op)
	}
	return spec
}
