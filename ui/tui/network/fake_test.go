package network

import (
	"fmt"
	"os"
	"strings"
	"testing"

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

// driver takes the place of the app: it runs the screen's Cmds and stores what they request.
type driver struct {
	t       *testing.T
	screen  *Screen
	wishes  []model.Stub
	puts    []model.Stub
	around  usecase.Surroundings
	message string
}

var demo = screen.Service{Name: "demo", URL: "http://127.0.0.1:41873", Net: usecase.NetworkAvailable}

func drive(t *testing.T, host screen.Service) *driver {
	d := &driver{t: t, screen: New(screen.Engine{}, host)}
	d.send(screen.SpecOpened{Spec: &screen.AnalyzedSpec{Spec: &model.Spec{Source: "shop.yaml"}}})
	return d.size(120, 33)
}

// running returns a driver that shows a search with the hosts of the demo.
func running(t *testing.T) *driver { return drive(t, demo).show(shop()...) }

func (d *driver) send(msg tea.Msg) *driver {
	next, cmd := d.screen.Update(msg)
	d.screen = next.(*Screen)
	if cmd == nil {
		return d
	}
	switch msg := cmd().(type) {
	case screen.SteerSearch:
		for _, s := range msg.Commands {
			d.wishes = append(d.wishes, *s.Stub)
		}
	case screen.SurroundingsChanged:
		d.around = msg.Surroundings
	case screen.PutStub:
		d.puts = append(d.puts, msg.Stub)
	case screen.StatusMessage:
		d.message = msg.Text
		if msg.Err != nil {
			d.message = "✗ " + msg.Err.Error()
		}
	default:
		d.t.Fatalf("what is %+v", msg)
	}
	return d
}

func (d *driver) size(w, h int) *driver { return d.send(tea.WindowSizeMsg{Width: w, Height: h}) }

// show sends a snapshot of a search whose service has contacted hosts in a virtual network.
func (d *driver) show(hosts ...model.HostSummary) *driver {
	return d.send(screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseRunning, Net: true, Hosts: hosts}})
}

// over ends the search.
func (d *driver) over() *driver {
	return d.send(screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseDone, Net: true, Hosts: shop()}})
}

func (d *driver) press(keys ...string) *driver {
	for _, k := range keys {
		d.send(pressed(k))
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

// charge is a stub such as a search makes.
var charge = model.Stub{
	Host: "payments.example:443", Protocol: model.HTTP, Match: model.StubMatch{Method: "POST", Path: "/charge"}, Repeat: true,
	Answers: []model.Answer{
		{Status: 200, Header: model.NewHeaderField("Content-Type", "application/json"), Body: `{"state":"paid","id":7}`},
		{Fault: model.NetReset},
		{Fault: model.NetMute},
	},
}

// reset is a stub such as a user injects.
var reset = model.Stub{Host: "stock.example:7000", Protocol: model.TCP, Answers: []model.Answer{{Fault: model.NetReset}}}

// shop returns the hosts around the demo.
func shop() []model.HostSummary {
	const pay = "POST /orders/{orderId}/pay"
	asked := model.Request{
		Method: "POST", URL: "/charge?dry=0", Body: []byte(`{"amount":1299,"currency":"EUR"}`),
		Header: map[string][]string{"Content-Type": {"application/json"}, "User-Agent": {"Go-http-client/1.1"}},
	}
	paid := model.Contact{
		Kind:     model.ContactMessage,
		Protocol: model.HTTP,
		Host:     charge.Host,
		TLS:      true,
		Request:  asked,
		Outcome:  "200",
		Call:     3,
	}
	broke, mute := paid, paid
	broke.Answer, broke.Outcome = 1, "reset"
	mute.Answer, mute.Outcome, mute.Took = 2, "mute", 2000
	sku := model.Contact{
		Kind:     model.ContactMessage,
		Protocol: model.TCP,
		Host:     reset.Host,
		Data:     []byte("SKU 4711\r\n"),
		Outcome:  "reset",
		Call:     0,
	}
	refused := model.Contact{
		Kind:     model.ContactDial,
		Protocol: model.TCP,
		Host:     reset.Host,
		Stub:     -1,
		Answer:   -1,
		Outcome:  "refused",
	}
	metric := model.Contact{
		Kind:     model.ContactMessage,
		Protocol: model.UDP,
		Host:     "metrics.example:8125",
		Data:     []byte{0x01, 0xff, 'o', 'k', 0x00, 0x9b},
		Stub:     -1,
		Answer:   -1,
		Outcome:  "lost",
		Call:     1,
	}
	lookup := model.Contact{
		Kind:     model.ContactLookup,
		Protocol: model.DNS,
		Host:     "payments.example",
		Data:     []byte("host"),
		Stub:     -1,
		Answer:   -1,
		Outcome:  "answer",
	}
	listen := model.Contact{
		Kind:     model.ContactListen,
		Protocol: model.TCP,
		Host:     ":7070",
		Inward:   true,
		Stub:     -1,
		Answer:   -1,
		Outcome:  "listens",
		Call:     -1,
	}
	dial := model.Contact{
		Kind:     model.ContactDial,
		Protocol: model.TCP,
		Host:     "198.51.100.7:25",
		Stub:     -1,
		Answer:   -1,
		Outcome:  "refused",
		Call:     2,
	}
	return []model.HostSummary{
		{
			Host:           "payments.example",
			Protocol:       model.DNS,
			Count:          1412,
			Outcomes:       map[string]int{"answer": 1398, "nxdomain": 14},
			Operations:     []model.OpID{pay},
			RecentContacts: []model.HostContact{{Contact: lookup, Op: pay}},
		},
		{
			Host:          charge.Host,
			Protocol:      model.HTTP,
			ProtocolKnown: true,
			TLS:           true,
			Count:         12345,
			Outcomes: map[string]int{
				"200":     8012,
				"reset":   4011,
				"refused": 1,
				"mute":    310,
				"503":     11,
			},
			Operations: []model.OpID{pay},
			RecentContacts: []model.HostContact{
				{Contact: paid, Op: pay, AnsweredBy: &charge},
				{Contact: mute, Op: pay, AnsweredBy: &charge},
				{Contact: broke, Op: pay, AnsweredBy: &charge},
			},
		},
		{
			Host:          reset.Host,
			Protocol:      model.TCP,
			ProtocolKnown: true,
			Count:         40,
			Outcomes: map[string]int{
				"refused": 3,
				"reset":   37,
			},
			Operations: []model.OpID{"GET /stock/{sku}", "GET /products/{productId}"},
			RecentContacts: []model.HostContact{
				{Contact: refused, Op: "GET /stock/{sku}"},
				{Contact: sku, Op: "GET /stock/{sku}", AnsweredBy: &reset},
			},
			Injected: []model.Stub{reset},
		},
		{
			Host:           "metrics.example:8125",
			Protocol:       model.UDP,
			ProtocolKnown:  true,
			Count:          901,
			Outcomes:       map[string]int{"lost": 901},
			Operations:     []model.OpID{"POST /orders"},
			RecentContacts: []model.HostContact{{Contact: metric, Op: "POST /orders"}},
		},
		{
			Host:           "198.51.100.7:25",
			Protocol:       model.TCP,
			Count:          2,
			Outcomes:       map[string]int{"refused": 2},
			Operations:     []model.OpID{"POST /customers"},
			RecentContacts: []model.HostContact{{Contact: dial, Op: "POST /customers"}},
		},
		{
			Host:           ":7070",
			Protocol:       model.TCP,
			Inward:         true,
			Count:          1,
			Outcomes:       map[string]int{"listens": 1},
			RecentContacts: []model.HostContact{{Contact: listen, AtStart: true}},
			AtStart:        true,
		},
	}
}

// starting returns three hosts that a service contacts while it starts: a host with the settings of the service, a
// database, and a host whose connections begin with a prologue.
func starting() []model.HostSummary {
	settings := model.Stub{
		Host:     "settings.example:80",
		Protocol: model.HTTP,
		Answers:  []model.Answer{{Fault: model.NetStall}, {Body: `{"limit": 5}`}},
		Repeat:   true,
	}
	database := model.Stub{
		Host: "store.example:5432", Protocol: model.Postgres,
		Match:   model.StubMatch{JSON: `{"query": "SELECT name FROM product WHERE id = $1", "1": "17"}`},
		Answers: []model.Answer{{Body: `{"columns": [{"name": "name"}], "rows": [["pear"]]}`}},
	}
	pool := model.Stub{
		Host: "store.example:7000", Protocol: model.TCP, AnyConnection: true,
		Prologue: []model.PrologueStep{{Body: "READY\n"}, {Request: "LOGIN me\n", Body: "WELCOME\n"}},
		Answers:  []model.Answer{{Body: "VALUE 1\n"}}, Repeat: true,
	}
	get := model.Contact{
		Kind: model.ContactMessage, Protocol: model.HTTP, Host: settings.Host,
		Request: model.Request{Method: "GET", URL: "/settings"}, Outcome: "stall", Took: 250, Call: -1,
	}
	got := get
	got.Answer, got.Outcome, got.Took = 1, "200", 0
	query := model.Contact{
		Kind: model.ContactMessage, Protocol: model.Postgres, Host: database.Host,
		Data: []byte("SELECT name FROM product WHERE id = $1 [17]"), Outcome: "answer",
	}
	value := model.Contact{
		Kind: model.ContactMessage, Protocol: model.TCP, Host: pool.Host, Data: []byte("GET a\n"), Outcome: "answer",
	}
	early := value
	early.Call = -1
	return []model.HostSummary{
		{
			Host: settings.Host, Protocol: model.HTTP, ProtocolKnown: true, Count: 2, Outcomes: map[string]int{"stall": 1, "200": 1},
			AtStart: true,
			RecentContacts: []model.HostContact{
				{Contact: get, AtStart: true, AnsweredBy: &settings}, {Contact: got, AtStart: true, AnsweredBy: &settings},
			},
		},
		{
			Host: database.Host, Protocol: model.Postgres, ProtocolKnown: true, Count: 1, Outcomes: map[string]int{"answer": 1},
			Operations:     []model.OpID{"GET /products/{productId}"},
			RecentContacts: []model.HostContact{{Contact: query, Op: "GET /products/{productId}", AnsweredBy: &database}},
		},
		{
			Host: pool.Host, Protocol: model.TCP, ProtocolKnown: true, Count: 2, Outcomes: map[string]int{"answer": 2},
			AtStart: true, Operations: []model.OpID{"GET /products/{productId}"},
			RecentContacts: []model.HostContact{
				{Contact: early, AtStart: true, AnsweredBy: &pool},
				{Contact: value, Op: "GET /products/{productId}", AnsweredBy: &pool},
			},
			Injected: []model.Stub{{Host: pool.Host, Protocol: model.TCP, Prologue: pool.Prologue}},
		},
	}
}

// hostile returns a host whose texts have control characters and are too long.
func hostile() model.HostSummary {
	evil := "\x1b]0;owned\x07\x1b[2J\u202e" + strings.Repeat("長", 300) + "\r\n\x9b\u0301"
	c := model.Contact{
		Kind: model.ContactMessage, Protocol: model.HTTP, Host: evil, Outcome: evil, Call: 9,
		Request: model.Request{
			Method: evil,
			URL:    "/" + evil,
			Header: map[string][]string{evil: {evil, evil}},
			Body:   []byte(strings.Repeat(evil, 100)),
		},
	}
	raw := model.Contact{
		Kind:     model.ContactMessage,
		Protocol: model.TCP,
		Host:     evil,
		Outcome:  "answer",
		Data:     []byte(strings.Repeat("\x00\x1b[2J", 4000)),
	}
	stub := model.Stub{
		Host:     evil,
		Protocol: model.HTTP,
		Match:    model.StubMatch{Method: evil, Path: evil},
		Answers: []model.Answer{
			{Status: 200, Header: model.NewHeaderField(evil, evil), Body: evil, Records: []model.DNSRecord{{Type: evil, Value: evil}}},
		},
	}
	return model.HostSummary{
		Host:           evil,
		Protocol:       model.Protocol(evil),
		TLS:            true,
		Count:          1 << 40,
		Outcomes:       map[string]int{evil: 1 << 40},
		Operations:     []model.OpID{model.OpID(evil)},
		RecentContacts: []model.HostContact{{Contact: c, Op: model.OpID(evil), AnsweredBy: &stub}, {Contact: raw}},
		Injected:       []model.Stub{stub},
	}
}

// many returns n hosts.
func many(n int) (all []model.HostSummary) {
	for i := range n {
		all = append(
			all,
			model.HostSummary{
				Host:          fmt.Sprintf("host%d.%s.example:443", i, strings.Repeat("x", i)),
				Protocol:      model.HTTP,
				ProtocolKnown: true,
				Count:         i,
				Outcomes:      map[string]int{"200": i},
			},
		)
	}
	return all
}
