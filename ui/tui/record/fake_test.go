package record

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	os.Exit(m.Run())
}

var demo = screen.Service{Name: "shop", URL: "http://127.0.0.1:41873"}

// driver takes the place of the app and its use cases: it runs the screen's Cmds and stores what they
// request.
type driver struct {
	t         *testing.T
	screen    *Screen
	ticks     []tea.Msg // messages that make the screen read the recording again
	keptTests []model.Test
	message   string
	shown     []screen.ShowScreen

	watches  []usecase.RecordSettings
	started  *recorder // nil if no recording can be started
	disk     model.Recording
	requests []usecase.GenerateRequest
	written  []string
	exists   bool                       // the folder already has tests
	breaks   bool                       // playing the tests fails
	invoked  []usecase.RecordedFunction // nil if the recording has no functions
}

// recorder is a running recording.
type recorder struct {
	mu      sync.Mutex
	traffic usecase.RecordedTraffic
	stopped bool
}

func (r *recorder) Snapshot() usecase.RecordedTraffic {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.traffic
}

func (r *recorder) Stop() error {
	r.stopped = true
	r.traffic.Done = true
	return nil
}

func (r *recorder) Folder() string  { return "recording" }
func (r *recorder) Command() string { return "sonde record --spec shop.yaml -o recording" }

func drive(t *testing.T, host screen.Service) *driver {
	d := &driver{t: t, disk: day()}
	d.started = &recorder{traffic: usecase.RecordedTraffic{
		Recording: day(),
		In:        []usecase.ProxyRoute{{Addr: "127.0.0.1:8000", URL: host.URL}},
		Out:       []usecase.ProxyRoute{{Addr: "127.0.0.1:9001", URL: "http://payments.example"}},
		InFlight:  3,
		Rate:      48.25,
		Seen:      512,
		Bytes:     1234567,
		Masked:    14,
	}}
	d.screen = New(
		screen.Engine{
			Recordings: usecase.Recordings{
				Start:     d.start,
				Open:      d.open,
				Functions: d.functions,
				Tests:     d.tests,
				Preview:   d.preview,
				Write:     d.write,
				Generate:  d.mimic,
			},
		},
		host,
	)
	d.screen.question.Pause = 0
	return d.size(120, 33).send(screen.SpecOpened{Spec: &screen.AnalyzedSpec{Spec: spec()}})
}

// recorded returns a driver that has opened a recording.
func recorded(t *testing.T) *driver { return drive(t, demo).press("o").types("rec").press("enter") }

func (d *driver) start(_ context.Context, w usecase.RecordSettings) (usecase.Recorder, error) {
	d.watches = append(d.watches, w)
	switch {
	case d.started == nil:
		return nil, errors.New("nothing listens on 127.0.0.1:41873: start the service first")
	case w.Folder == "taken" && !w.Force:
		return nil, fs.ErrExist
	}
	return d.started, nil
}

func (d *driver) open(_ context.Context, dir string) (model.Recording, error) {
	if dir != "rec" {
		return model.Recording{}, fmt.Errorf("%q is not a recording: give the folder that sonde record -o wrote", dir)
	}
	return d.disk, nil
}

func (d *driver) functions(_ context.Context, dir string) ([]usecase.RecordedFunction, error) {
	if d.invoked == nil {
		return nil, fmt.Errorf("%q has no invocations of functions: record it with sonde record --units", dir)
	}
	return d.invoked, nil
}

func (d *driver) tests(_ context.Context, of usecase.GenerateRequest) (usecase.GeneratedTests, error) {
	d.requests = append(d.requests, of)
	m := usecase.GeneratedTests{Skipped: map[string]string{}, Command: "sonde generate rec"}
	for _, id := range of.IDs {
		at := slices.IndexFunc(of.Recording.Served, func(s model.ServedRequest) bool { return s.ID == id })
		s := &of.Recording.Served[at]
		if s.Request.Op == "" {
			m.Skipped[id] = "the document has no such operation"
			continue
		}
		m.Tests = append(m.Tests, model.Test{
			ID: id, Origin: model.OriginRecorded, Calls: []model.Call{{Op: s.Request.Op, Status: s.Reply.Status}},
			Mock: &model.MockTest{About: string(s.Request.Op) + " as it was", Exchange: id},
		})
	}
	return m, nil
}

func (d *driver) preview(of usecase.GenerateRequest, tests []model.Test) (string, error) {
	var out strings.Builder
	fmt.Fprintln(&out, "package sonde_test\n\nimport \"testing\"")
	for _, t := range tests {
		for _, o := range of.Oracles {
			fmt.Fprintf(
				&out, "\n// %s\nfunc Test_%s_%s(t *testing.T) {\n\t// Arrange\n\t// Act\n\t// Assert\n}\n",
				t.Mock.About, t.ID, strings.ToUpper(string(o)),
			)
		}
	}
	return out.String(), nil
}

func (d *driver) write(of usecase.GenerateRequest, tests []model.Test, force bool) (string, error) {
	if d.exists && !force {
		return "", fs.ErrExist
	}
	d.written = append(d.written, fmt.Sprintf("%s %d %v %v", of.Dir, len(tests), of.Oracles, force))
	return of.Dir + "/sonde_test.go", nil
}

func (d *driver) mimic(_ context.Context, of usecase.GenerateRequest, tests []model.Test) (string, error) {
	if d.breaks {
		return "", errors.New("the tests do not run: nothing listens there")
	}
	return fmt.Sprintf(
		"%d tests in %s, each run ten times\n\n  successfully mimics  %d\n  incompletely         0", len(tests),
		of.Dir, len(tests),
	), nil
}

func (d *driver) send(msg tea.Msg) *driver {
	next, cmd := d.screen.Update(msg)
	d.screen = next.(*Screen)
	return d.do(cmd)
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
	case tick:
		d.ticks = append(d.ticks, msg)
	case screen.TestsKept:
		d.keptTests = append(d.keptTests, msg.Tests...)
	case screen.ShowScreen:
		d.shown = append(d.shown, msg)
	case screen.StatusMessage:
		d.message = msg.Text
		if msg.Err != nil {
			d.message = "✗ " + msg.Err.Error()
		}
	default:
		d.send(msg)
	}
	return d
}

// later sends the ticks, so that the screen reads the recording again.
func (d *driver) later() *driver {
	ticks := d.ticks
	d.ticks = nil
	for _, msg := range ticks {
		d.send(msg)
	}
	return d
}

func (d *driver) size(w, h int) *driver { return d.send(tea.WindowSizeMsg{Width: w, Height: h}) }

func (d *driver) press(keys ...string) *driver {
	for _, k := range keys {
		d.send(pressed(k))
	}
	return d
}

// types presses a key for each letter.
func (d *driver) types(text string) *driver { return d.press(strings.Split(text, "")...) }

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

func (d *driver) view() string {
	return ansi.Strip(d.screen.View(d.screen.width, d.screen.height))
}

func (d *driver) sees(texts ...string) *driver {
	d.t.Helper()
	for _, want := range texts {
		if !strings.Contains(d.view(), want) {
			d.t.Errorf("%q is not in\n%s", want, d.view())
		}
	}
	return d
}

func (d *driver) misses(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if strings.Contains(d.view(), text) {
			d.t.Errorf("%q is in\n%s", text, d.view())
		}
	}
	return d
}

// spec returns a spec with the operations of the recording and one more.
func spec() *model.Spec {
	s := &model.Spec{Title: "Shop", Source: "shop.yaml"}
	for _, id := range []string{"GET /products", "POST /orders", "POST /orders/{orderId}/payment", "DELETE /orders/{orderId}"} {
		method, path, _ := strings.Cut(id, " ")
		s.Operations = append(s.Operations, &model.Operation{ID: model.OpID(id), Method: method, Path: path})
	}
	return s
}

var nine = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// served returns exchange number n. at is its start, in milliseconds after nine o'clock.
func served(n, at int, op, url string, status int, sent ...model.OutwardCall) model.ServedRequest {
	method, _, _ := strings.Cut(op, " ")
	if method == "" {
		method = "GET"
	}
	x := model.ServedRequest{ID: fmt.Sprintf("%032x", n), Exchange: model.Exchange{
		At: nine.Add(time.Duration(at) * time.Millisecond), Took: 14 * time.Millisecond,
		Request: model.Request{
			Op:     model.OpID(op),
			Method: method,
			URL:    url,
			Header: map[string][]string{"Content-Type": {"application/json"}},
			Body:   []byte(`{"card":"4111-xxxx","amount":1299}`),
		},
		Reply: model.Reply{
			Status: status,
			Header: map[string][]string{"Content-Type": {"application/json"}},
			Body:   []byte(`{"state":"paid","id":7}`),
		},
	}}
	for i := range sent {
		sent[i].CauseID = x.ID
		sent[i].At = x.At.Add(time.Duration(sent[i].At.UnixMilli()) * time.Millisecond)
	}
	x.OutwardCalls = sent
	return x
}

// sent returns an outward HTTP call. from and to are its start and its end in milliseconds.
func sent(host, method, url string, status, from, to int, how model.Attribution) model.OutwardCall {
	return model.OutwardCall{Host: "127.0.0.1:9001", Name: host, Protocol: model.HTTP, Attribution: how, Exchange: model.Exchange{
		At:      time.UnixMilli(int64(from)),
		Took:    time.Duration(to-from) * time.Millisecond,
		Request: model.Request{Method: method, URL: url, Body: []byte(`{"amount":1299}`)},
		Reply:   model.Reply{Status: status, Body: []byte(`{"ok":true}`)},
	}}
}

// outwardCall returns an outward call by another protocol.
func outwardCall(host string, p model.Protocol, words, answer string, from, to int, how model.Attribution) model.OutwardCall {
	return model.OutwardCall{
		Host:        host,
		Name:        host,
		Protocol:    p,
		Attribution: how,
		Messages:    []model.MessagePair{{Request: []byte(words), Answer: []byte(answer)}},
		Exchange:    model.Exchange{At: time.UnixMilli(int64(from)), Took: time.Duration(to-from) * time.Millisecond},
	}
}

// day returns a recording of a day of a shop.
func day() model.Recording {
	r := model.Recording{
		Title: "Shop", BaseURL: "http://127.0.0.1:41873", Warnings: []string{
			"a WebSocket to /live was passed through and not recorded",
		},
		Unattributed: []model.OutwardCall{sent("payments.example", "GET", "/health", 200, 0, 1, "")},
	}
	const pay = "POST /orders/{orderId}/payment"
	for i := range 12 {
		r.Served = append(r.Served, served(i, 20*i, "GET /products", fmt.Sprintf("/products?offset=%d", i), 200))
	}
	r.Served = append(r.Served,
		served(
			20, 300, "POST /orders", "/orders", 201,
			outwardCall("stock.example:7000", model.TCP, "SKU 4711\r\n", "17 left\r\n", 2, 9, model.AttributedByContext),
		),
		served(21, 320, pay, "/orders/7/payment", 201,
			sent("payments.example", "POST", "/charge", 200, 1, 8, model.AttributedByTrace),
			outwardCall("stock.example:7000", model.TCP, "TAKE 4711\r\n", "ok\r\n", 2, 6, model.AttributedByTrace),
			outwardCall("metrics.example:8125", model.UDP, "orders.paid:1|c", "", 9, 9, model.AttributedByTrace)),
		served(22, 340, pay, "/orders/8/payment", 201,
			sent("payments.example", "POST", "/charge", 200, 1, 8, model.AttributedByTrace),
			outwardCall("stock.example:7000", model.TCP, "TAKE 4711\r\n", "ok\r\n", 2, 6, model.AttributedByTrace),
			outwardCall("metrics.example:8125", model.UDP, "orders.paid:1|c", "", 9, 9, model.AttributedByTrace)),
		served(
			23, 360, pay, "/orders/9/payment", 502,
			sent("payments.example", "POST", "/charge", 503, 1, 3, model.AttributedByTrace),
			sent("payments.example", "POST", "/charge", 503, 5, 30, model.AttributedByTime),
		),
		served(24, 380, "", "/favicon.ico", 404),
	)
	return r
}

// hostile returns a recording with texts that have control characters and are too long.
func hostile() model.Recording {
	evil := "\x1b]0;owned\x07\x1b[2J\u202e" + strings.Repeat("長", 80) + "\r\n\x9b\u0301"
	x := sent(evil, evil, "/"+evil, 200, -5, 900, model.AttributedByTime)
	x.Host, x.Err = evil, errors.New(evil)
	y := outwardCall(evil, model.Protocol(evil), evil, evil, 3, 2, model.Attribution(evil))
	s := served(1, 0, evil, "/"+evil, 500, x, y, x)
	s.User, s.Err, s.Request.Header = evil, errors.New(evil), map[string][]string{evil: {evil}}
	s.Reply.Body = []byte(strings.Repeat("\x00\x1b[2J", 400))
	return model.Recording{Title: evil, BaseURL: evil, Warnings: []string{evil}, Served: []model.ServedRequest{s}}
}
