package send

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

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
	time.Local = time.UTC
	os.Exit(m.Run())
}

// driver takes the place of the Explore screen and the engine.
type driver struct {
	t    *testing.T
	pane *Pane
	hold bool // commands run only when release is called
	held []tea.Cmd

	sent     []model.Test
	around   []usecase.Surroundings
	saves    int
	calling  bool // another screen calls the service
	ready    bool // earlier requests have created what the request needs
	answer   usecase.SendResult
	err      error
	ended    bool // the context of the last request was canceled
	message  string
	clip     string // the text that was last copied
	reported []usecase.SendResult
	kept     []model.Test
	networks []screen.UseNetwork
	allowed  int
	log      []usecase.SentRequest
	logErr   error
	composed []screen.ComposeRequest
	toSave   []screen.SaveTest
	sockets  int          // number of requests for a WebSocket
	tick     streamTicked // the last tick of a stream, which arrives when the test says so

	drafts map[model.OpID]usecase.RequestDraft // besides the payment's
	seen   []model.SeenValues
	files  map[string]string // the content of each file that exists
	edited []string          // the files that were opened in the editor
	mouse  int               // how often the mouse was enabled
}

var errDriver = errors.New("exit status 1")

const pay, order, health, chat = "POST /orders/{orderId}/payments", "POST /orders", "GET /health", "GET /chat"

// shop returns a part of the demo's spec.
func shop() *screen.AnalyzedSpec {
	number := &model.Schema{Type: "integer"}
	return &screen.AnalyzedSpec{Spec: &model.Spec{Operations: []*model.Operation{
		{
			ID: pay, Method: "POST", Path: "/orders/{orderId}/payments",
			Params: []model.Parameter{
				{Name: "dry", In: model.InQuery, Schema: &model.Schema{Type: "boolean", Examples: []any{true}}},
				{Name: "orderId", In: model.InPath, Required: true, Schema: number},
				{Name: "fields", In: model.InQuery, Schema: &model.Schema{Type: "array"}},
			},
			Body: &model.RequestBody{Contents: []model.Content{{Media: "application/json"}}},
		},
		{ID: order, Method: "POST", Path: "/orders"},
		{ID: "GET /health", Method: "GET", Path: "/health"},
		{ID: chat, Method: "GET", Path: "/chat", Responses: []model.Response{{Status: "101"}}},
	}}}
}

// payment returns a request that needs an order.
func payment() model.Test {
	return model.Test{
		Origin: model.OriginManual,
		Calls: []model.Call{{
			Op:   order,
			User: "alice",
		}, {Op: pay, User: "alice", Body: &model.Payload{Media: "application/json", Data: `{"method":"card"}`}, Args: []model.Arg{
			{In: model.InPath, Name: "orderId", Value: "7"},
			{In: model.InQuery, Name: "fields", Value: "a"},
			{In: model.InQuery, Name: "fields", Value: "b"},
		}}},
		Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "orderId"}},
		Stubs: []model.Stub{{Host: "payments.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Status: 200}}}},
	}
}

var demo = screen.Service{Name: "demo", URL: "http://127.0.0.1:41873", Net: usecase.NetworkAvailable}

// drive opens the pane with a payment.
func drive(t *testing.T, host screen.Service) *driver {
	t.Helper()
	d := &driver{t: t}
	d.pane = New(screen.Engine{
		Seqs: usecase.SeqCalls{Requests: requests},
		Manual: usecase.ManualCalls{
			Draft: d.draft, Send: d.send, OpenWebSocket: d.openWebSocket, KeepSent: d.keep, Hosts: d.hosts, CurlCommand: d.line,
			Sent:           func() ([]usecase.SentRequest, error) { return d.log, d.logErr },
			SentOperations: d.operations,
			SeenValues:     func(model.OpID) []model.SeenValues { return d.seen },
			Files: usecase.BodyFiles{
				Size: d.size, Read: d.read, Complete: d.complete, WriteTemporary: d.writeFile, TakeTemporary: d.takeFile, Edit: d.edit,
			},
		},
	}, host)
	d.pane.copies = func(text string) error { d.clip = text; return nil }
	d.pane.question.Pause, d.pane.sender.interval, d.pane.stream.interval = time.Nanosecond, time.Nanosecond, time.Nanosecond
	d.pane.SetSize(78, 31)
	d.take(screen.SpecOpened{Spec: shop()})
	d.do(d.pane.OpenOperation(pay, nil))
	return d
}

func (d *driver) draft(op model.OpID, _ []model.Test) (usecase.RequestDraft, error) {
	if own, ok := d.drafts[op]; ok {
		return own, nil
	}
	t := model.Test{Origin: model.OriginManual, Calls: []model.Call{{Op: op}}}
	if op == pay {
		t = payment()
	}
	args := []model.Arg{{In: model.InQuery, Name: "dry", Value: "true"}}
	return usecase.RequestDraft{Test: t, Ready: d.ready, Args: args, Users: []string{"alice", "bob"}}, nil
}

// requests returns the requests of a test without headers and bodies.
func requests(t model.Test) (all []model.Request) {
	for _, c := range t.Calls {
		method, path, _ := strings.Cut(string(c.Op), " ")
		var query []string
		for _, a := range c.Args {
			switch a.In {
			case model.InPath:
				path = strings.ReplaceAll(path, "{"+a.Name+"}", a.Value)
			case model.InQuery:
				query = append(query, a.Name+"="+a.Value)
			}
		}
		if len(query) > 0 {
			path += "?" + strings.Join(query, "&")
		}
		all = append(all, model.Request{Method: method, URL: path})
	}
	return all
}

func (d *driver) size(path string) (int64, error) {
	content, err := d.read(path)
	return int64(len(content)), err
}

func (d *driver) read(path string) (string, error) {
	content, ok := d.files[path]
	if !ok {
		return "", errors.New("the file cannot be sent: no such file")
	}
	return content, nil
}

func (d *driver) complete(typed string) (paths []string) {
	for path := range d.files {
		if strings.HasPrefix(path, typed) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

func (d *driver) writeFile(name, text string) (string, error) {
	if d.files == nil {
		d.files = map[string]string{}
	}
	d.files[name] = text
	return name, nil
}

func (d *driver) takeFile(path string) (string, error) {
	content, err := d.read(path)
	delete(d.files, path)
	return content, err
}

func (d *driver) edit(file string, _ int) (*exec.Cmd, error) {
	d.edited = append(d.edited, file)
	return exec.Command("true"), nil
}

func (d *driver) send(ctx context.Context, t model.Test, o usecase.Surroundings) (usecase.SendResult, error) {
	d.sent, d.around, d.ended = append(d.sent, t), append(d.around, o), ctx.Err() != nil
	return d.answer, d.err
}

func (d *driver) openWebSocket(ctx context.Context, t model.Test, o usecase.Surroundings) (usecase.SendResult, error) {
	d.sockets++
	return d.send(ctx, t, o)
}

func (d *driver) keep(_ context.Context, o usecase.Surroundings) (usecase.SendResult, error) {
	d.saves, d.around = d.saves+1, append(d.around, o)
	return d.answer, d.err
}

// operations returns the operations of all requests that were sent.
func (d *driver) operations() (ops []model.OpID, ok bool) {
	for _, t := range d.sent {
		ops = append(ops, screen.OperationsOf(t.Calls)...)
	}
	return ops, !d.calling
}

func (d *driver) line(x model.Exchange) (string, error) {
	if x.Request.Truncated {
		return "", errors.New("only a part")
	}
	return "curl " + x.Request.URL, nil
}

func (d *driver) hosts() []model.HostSummary { return make([]model.HostSummary, 1) }

func (d *driver) take(msg tea.Msg) *driver {
	d.do(d.pane.Update(msg))
	return d
}

func (d *driver) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if d.hold {
		d.held = append(d.held, cmd)
		return
	}
	msg := cmd()
	if reflect.TypeOf(msg) == reflect.TypeOf(tea.EnableMouseCellMotion()) {
		d.mouse++
		return
	}
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.do(c)
		}
	case screen.StatusMessage:
		d.message = msg.Text
		if msg.Err != nil {
			d.message = "✗ " + msg.Err.Error()
		}
	case screen.RequestSent:
		d.reported = append(d.reported, msg.Result)
		d.take(msg)
	case screen.TestsKept:
		d.kept = append(d.kept, msg.Tests...)
	case screen.UseNetwork:
		d.networks = append(d.networks, msg)
	case widget.HostAllowed:
		d.allowed++
	case streamTicked:
		d.tick = msg
	case screen.SaveTest:
		d.toSave = append(d.toSave, msg)
	case screen.ComposeRequest:
		d.composed = append(d.composed, msg)
	default:
		d.take(msg)
	}
}

// release runs the commands that were held.
func (d *driver) release() *driver {
	held := d.held
	d.hold, d.held = false, nil
	for _, cmd := range held {
		d.do(cmd)
	}
	return d
}

func (d *driver) press(keys ...string) *driver {
	for _, k := range keys {
		d.take(pressed(k))
	}
	return d
}

// write presses a key for each letter.
func (d *driver) write(text string) *driver { return d.press(strings.Split(text, "")...) }

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

func (d *driver) view() string { return ansi.Strip(d.pane.View(d.pane.width, d.pane.height)) }

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

// paid returns an answer to the payment.
func paid(status int, body string) usecase.SendResult {
	t := payment()
	t.Calls[0].Status, t.Calls[1].Status = 201, status
	exchanges := []model.Exchange{
		{Reply: model.Reply{Status: 201}},
		{
			Took: 12 * time.Millisecond,
			Reply: model.Reply{
				Status: status,
				Proto:  "HTTP/1.1",
				Body:   []byte(body),
				Header: map[string][]string{"Content-Type": {"application/json"}, "Location": {"/orders/7/payments/1"}, "Date": {"today"}},
			},
		},
	}
	played := model.PlayedTest{Test: t, Exchanges: exchanges}
	return usecase.SendResult{Net: true, Hosts: make([]model.HostSummary, 2), PlayedTest: played}
}
