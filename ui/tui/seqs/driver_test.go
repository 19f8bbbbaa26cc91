package seqs

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	os.Exit(m.Run())
}

// driver takes the place of the app: it runs the screen's commands and collects the messages to other
// screens.
type driver struct {
	t        *testing.T
	screen   *Screen
	picks    []screen.PicksChanged
	tries    []screen.TrySeqs
	composed []screen.ComposeRequest
	toSave   []screen.SaveTest
	message  string
	listing  fakeListing // result of the engine's List
}

func drive(t *testing.T) *driver {
	replay := func(_ context.Context, test model.Test, _ usecase.Surroundings) (model.Test, error) { return test, nil }
	d := &driver{
		t: t,
		screen: New(
			screen.Engine{Seqs: usecase.SeqCalls{
				Replay: replay, Prepare: prepare, Requests: requests, Users: func() []string { return nil },
			}},
			screen.Service{URL: "http://127.0.0.1:41873"},
		),
		listing: fakeListing{calledShop()},
	}
	d.screen.engine.Seqs.List = func(context.Context, usecase.ListingSettings) (usecase.ListingRun, error) { return d.listing, nil }
	d.screen.player.question.Pause = time.Nanosecond
	return d.size(120, 33)
}

// send sends a message. After a spec was opened, the screen becomes visible.
func (d *driver) send(msg tea.Msg) *driver {
	next, cmd := d.screen.Update(msg)
	d.screen = next.(*Screen)
	d.do(cmd)
	if _, ok := msg.(screen.SpecOpened); ok {
		d.send(screen.Shown{Tab: screen.TabSeqs})
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
	case screen.PicksChanged:
		d.picks = append(d.picks, msg)
	case screen.TrySeqs:
		d.tries = append(d.tries, msg)
	case screen.ComposeRequest:
		d.composed = append(d.composed, msg)
	case screen.SaveTest:
		d.toSave = append(d.toSave, msg)
	case screen.StatusMessage:
		d.message = msg.Text
		if msg.Err != nil {
			d.message = "✗ " + msg.Err.Error()
		}
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

// show sends the tests of a run, by their IDs.
func (d *driver) show(folder string, ids ...string) *driver {
	var tests []model.Test
	for _, id := range ids {
		tests = append(tests, test(id))
	}
	return d.send(screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseRunning, Tests: tests}, Folder: folder})
}

// at returns the ID of the row under the cursor.
func (d *driver) at() string {
	if d.screen.list.cursor.At >= len(d.screen.list.rows) {
		return ""
	}
	return d.screen.list.rows[d.screen.list.cursor.At].ID
}

func (d *driver) shown() []string {
	ids := []string{}
	for _, r := range d.screen.list.rows {
		ids = append(ids, r.ID)
	}
	return ids
}

// picked returns the IDs of the picks that were reported last.
func (d *driver) picked() []string {
	ids := []string{}
	if n := len(d.picks); n > 0 {
		for _, i := range d.picks[n-1].Items {
			ids = append(ids, i.ID)
		}
	}
	return ids
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

// kept has tests that a search could keep. The key is the ID of the test.
var kept = map[string]model.Test{
	"t1": {Calls: []model.Call{{Op: "GET /health", Status: 200}}, Covers: []string{"GET /health 200"}},
	"t2": {
		Calls: []model.Call{
			{
				Op:     "POST /carts",
				Status: 201,
				User:   "alice",
				Body:   &model.Payload{Media: "application/json", Data: `{"customer":7,"note":"so\u001b[31m"}`},
			},
			{Op: "POST /carts/{cartId}/items", Status: 422, Args: []model.Arg{
				{In: model.InPath, Name: "cartId", Value: "17"}, {In: model.InQuery, Name: "dry\x1b[2Jrun", Value: "a\nb\x07"},
			}, Body: &model.Payload{Media: "text/plain", Data: "quantity\x1b]0;t\x07: 0"}},
		},
		Links: []model.Link{
			{From: 0, To: 1, Header: "Location", In: model.InPath, Name: "cartId"},
			{From: 0, To: 1, Pointer: "/price", In: model.InBody, Name: "/total"},
		},
		Checks: []model.Check{{Call: 0, Pointer: "/id"}, {Call: 0, Pointer: "/total", Equals: []byte("0")}},
		Covers: []string{"POST /carts 201", "POST /carts/{cartId}/items 422"},
	},
	"t3": {Calls: []model.Call{
		{Op: "POST /orders", Status: 201}, {Op: "POST /orders/{orderId}/pay", Status: 500}, {Op: "GET /orders/{orderId}"},
	}},
}

// test returns the test with an ID from kept. For an unknown ID it returns a test of
// GET /health.
func test(id string) model.Test {
	t, ok := kept[id]
	if !ok {
		t = kept["t1"]
	}
	t.ID, t.Origin = id, model.OriginSearched
	return t
}

// operation returns an operation. in and out name its required parameters and the properties
// of its answer.
func operation(id model.OpID, in, out string) *model.Operation {
	op := &model.Operation{ID: id}
	for _, name := range strings.Fields(in) {
		op.Params = append(op.Params, model.Parameter{Name: name, In: model.InQuery, Required: true, Schema: &model.Schema{}})
	}
	answer := &model.Schema{Type: "object"}
	for _, name := range strings.Fields(out) {
		answer.Properties = append(answer.Properties, model.Property{Name: name, Schema: &model.Schema{}})
	}
	op.Responses = []model.Response{{Status: "200", Contents: []model.Content{{Schema: answer}}}}
	return op
}

// shop has three groups: carts, orders and health.
func shop() *screen.AnalyzedSpec {
	spec := &model.Spec{Title: "Gear shop", Operations: []*model.Operation{
		operation("POST /carts", "", "cartId"), operation("GET /carts/{cartId}", "cartId", ""),
		operation("POST /carts/{cartId}/items", "cartId", "itemId"),
		operation("DELETE /carts/{cartId}/items/{itemId}", "cartId itemId", ""),
		operation("POST /orders", "", "orderId"), operation("GET /orders/{orderId}", "orderId", ""),
		operation("POST /orders/{orderId}/pay", "orderId", ""), operation("GET /health", "", ""),
	}}
	a := analysis.Analyze(spec, analysis.Options{Mode: match.Mode{Values: match.ShallowReading, Match: match.MatchByName}})
	s := &screen.AnalyzedSpec{
		Spec: spec, GroupOf: map[model.OpID]int{}, Analysis: a, Matcher: a.Matcher(),
		Seqs: []model.Seq{
			{"POST /carts", "GET /carts/{cartId}"},
			{"POST /carts", "POST /carts/{cartId}/items", "POST /carts/{cartId}/items", "DELETE /carts/{cartId}/items/{itemId}"},
			{"POST /orders", "GET /orders/{orderId}"},
			{"GET /stock/{sku}\x1b[2J"},
		},
	}
	s.Groups = a.ValueGroups()
	for g, group := range s.Groups {
		for _, op := range group.Operations {
			s.GroupOf[op] = g
		}
	}
	return s
}

// large returns the shop with n more seqs.
func large(n int) *screen.AnalyzedSpec {
	s := shop()
	for i := range n {
		s.Seqs = append(s.Seqs, model.Seq{
			model.OpID(fmt.Sprintf("POST /things%d", i%400)), model.OpID(fmt.Sprintf("GET /things%d/{id}", (i+i/400)%400)),
		})
	}
	return s
}

func archive(n int) []model.Test {
	out := make([]model.Test, n)
	for i := range out {
		out[i] = test("t2")
		out[i].ID = fmt.Sprintf("t%d", i)
	}
	return out
}

// prepare returns a test of a seq. A later call with {cartId} in its path has a link from the first call.
func prepare(seq model.Seq) (t model.Test, err error) {
	for i, op := range seq {
		call := model.Call{Op: op, User: "alice"}
		if strings.Contains(string(op), "{cartId}") && i > 0 {
			call.Args = []model.Arg{{In: model.InQuery, Name: "cartId", Value: "1"}}
			t.Links = append(t.Links, model.Link{From: 0, To: i, In: model.InQuery, Name: "cartId"})
		}
		if strings.HasPrefix(string(op), "POST") {
			call.Body = &model.Payload{Media: "application/json", Data: `{"quantity":1}`}
		}
		t.Calls = append(t.Calls, call)
	}
	return t, nil
}

// requests returns the requests of a test, with the names of linked values in braces.
func requests(t model.Test) (all []model.Request) {
	for i, c := range t.Calls {
		method, url, _ := strings.Cut(string(c.Op), " ")
		for _, a := range c.Args {
			url += "?" + a.Name + "=" + a.Value
		}
		for _, l := range t.Links {
			if l.To == i {
				url = strings.Replace(url, "=1", "={"+l.Name+" of call 1}", 1)
			}
		}
		r := model.Request{Op: c.Op, Method: method, URL: url, Header: map[string][]string{"Accept": {"*/*"}}}
		if c.Body != nil {
			r.Body = []byte(c.Body.Data)
		}
		all = append(all, r)
	}
	return all
}

// bound opens the shop. The calls of its seqs have the links that prepare makes.
func bound(t *testing.T) *driver {
	d := drive(t).send(screen.SpecOpened{Spec: shop()})
	d.screen.catalog.links.connect = func(seq model.Seq) model.Template {
		test, _ := prepare(seq)
		return model.Template{Links: test.Links}
	}
	return d
}
