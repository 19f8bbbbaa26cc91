package network

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestLayout(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		focus focus
		want  layout
	}{
		{40, 9, onMap, layout{hosts: draw.Rect{W: 40, H: 9}}},
		{60, 21, onContacts, layout{facts: draw.Rect{W: 60, H: 7}, contacts: draw.Rect{Y: 7, W: 60, H: 14}}},
		{80, 21, onContact, layout{facts: draw.Rect{W: 80}, contacts: draw.Rect{W: 80, H: 21}}},
		{
			120, 33, onMap,
			layout{hosts: draw.Rect{W: 68, H: 33}, facts: draw.Rect{X: 68, W: 52, H: 11}, contacts: draw.Rect{X: 68, Y: 11, W: 52, H: 22}},
		},
		{
			200, 57, onContact,
			layout{hosts: draw.Rect{W: 114, H: 57}, facts: draw.Rect{X: 114, W: 86}, contacts: draw.Rect{X: 114, W: 86, H: 57}},
		},
	} {
		if got := newLayout(c.w, c.h, c.focus); got != c.want {
			t.Errorf("%d×%d, focus %d: got %+v, want %+v", c.w, c.h, c.focus, got, c.want)
		}
	}
}

// The cursor moves from host to host. It stays on its host when hosts are added.
func TestCursor(t *testing.T) {
	d := running(t).press("down", "down", "down", "down").sees("▸ payments.example  ")
	d.press("down").sees("▸ :7070").press("down").sees("▸ :7070").press("up", "up").sees("▸ 198.51.100.7:25")
	d.show(append(many(3), shop()...)...).sees("▸ 198.51.100.7:25")
	d.press("home").sees("▸ host0").press("end").sees("▸ :7070")
	d.show().sees("has contacted no other host").show(shop()...).sees("▸ payments.example:443")
}

// The list of contacts does not change while the user reads it.
func TestReading(t *testing.T) {
	d := running(t).press("enter", "down").sees("▸ POST /charge?dry=0", "✗ mute")
	later := shop()
	later[1].Count += 2500
	later[1].RecentContacts = later[1].RecentContacts[:1]
	d.show(later...).sees("▸ POST /charge?dry=0", "✗ mute", "2,500 newer", "held")
	d.press("enter").sees(
		"by a stub, to POST /charge, answer 3 of 3", "the service waited 2,000 ms",
		"User-Agent: Go-http-client/1.1", `"amount": 1299`,
	)
	d.press("esc").sees("▸ POST /charge?dry=0").press("esc").misses("newer", "✗ mute  ")
	running(t).press("enter", "enter").show(many(3)...).sees("▸ host0", "Last contacts").misses("charge")
	running(t).press("down", "enter", "enter").sees("by an injected stub", "SKU 4711")
	running(t).press("down", "enter", "down", "enter").sees("connects", "No stub matches: the connection is refused.")
	running(t).press("end", "enter", "enter").sees("listens", "The service waits here", "while the service started")
}

// The screen says so if the service contacted a host after its start and before the first call of a test.
func TestContactBeforeCalls(t *testing.T) {
	h := starting()[2]
	h.RecentContacts[0].AtStart = false
	h.RecentContacts = h.RecentContacts[:1]
	drive(t, demo).show(h).press("enter", "enter").sees("before the first call").misses("while the service started")
}

// Key i opens the list of faults, and enter requests one of them. The screen shows the fault as applied when a
// snapshot of the run has it.
func TestInject(t *testing.T) {
	d := running(t).press("i", "down", "down", "down", "down", "down", "enter").misses("Answer of payments")
	want := model.Stub{Host: charge.Host, Protocol: model.HTTP, Answers: []model.Answer{{Fault: model.NetReset}}}
	if !reflect.DeepEqual(d.wishes, []model.Stub{want}) {
		t.Fatalf("wished for %+v", d.wishes)
	}
	d.misses("◆ reset ×").send(waiting(want)).sees("requested: reset, not in force yet")
	applied := shop()
	applied[1].Injected = d.wishes
	d.show(applied...).send(screen.CommandsPending{}).sees("injected  ◆ reset").misses("asked")
}

// A stub that the user chooses replaces all injected stubs of the host.
func TestInjectAgain(t *testing.T) {
	d := running(t).press("down", "i", "end", "enter")
	if len(d.wishes) != 2 || len(d.wishes[0].Answers) != 0 || !d.wishes[0].Replaces(reset) ||
		d.wishes[1].Answers[0].Fault != model.NetStall {
		t.Errorf("wished for %+v", d.wishes)
	}
}

func TestTakeAway(t *testing.T) {
	d := running(t).press("x")
	if len(d.wishes) > 0 || !strings.Contains(d.message, "Nothing is injected at payments.example:443") {
		t.Errorf("wished for %+v, said %q", d.wishes, d.message)
	}
	d.press("down", "x")
	if len(d.wishes) != 1 || len(d.wishes[0].Answers) != 0 || d.wishes[0].Host != reset.Host {
		t.Errorf("wished for %+v", d.wishes)
	}
}

// The choices depend on the protocol. Each choice makes a stub that the run accepts.
func TestChoices(t *testing.T) {
	for _, c := range []struct {
		host model.HostSummary
		want string
	}{
		{
			model.HostSummary{Host: "a.example:443", Protocol: model.HTTP, ProtocolKnown: true, TLS: true},
			"200 500 refuse unreachable timeout reset cut slow mute stall wrong-tls expired-tls untrusted-tls truncated-json",
		},
		{
			model.HostSummary{Host: "a.example:80", Protocol: model.HTTP, ProtocolKnown: true},
			"200 500 refuse unreachable timeout reset cut slow mute stall truncated-json",
		},
		{
			model.HostSummary{Host: "a.example:80", Protocol: model.TCP, ProtocolKnown: true},
			"answer nothing refuse unreachable timeout reset cut slow mute stall",
		},
		{
			model.HostSummary{Host: "a.example:80", Protocol: model.TCP},
			"200 500 refuse unreachable timeout reset cut slow mute stall wrong-tls expired-tls untrusted-tls truncated-json",
		},
		{model.HostSummary{Host: "a.example:80", Protocol: model.UDP, ProtocolKnown: true}, "answer nothing refuse unreachable slow mute"},
		{model.HostSummary{Host: "a.example", Protocol: model.DNS, ProtocolKnown: true}, "answer timeout nxdomain servfail"},
		{model.HostSummary{Host: ":80", Protocol: model.TCP, Inward: true}, "answer nothing reset mute"},
		{model.HostSummary{Host: "hostname", Protocol: model.Environment}, "answer"},
		{model.HostSummary{Host: "interfaces", Protocol: model.Environment}, "answer permission-denied"},
		{model.HostSummary{Host: "80/tcp", Protocol: model.Environment}, "works address-in-use permission-denied"},
		{
			model.HostSummary{Host: "./data/*.json", Protocol: model.Environment},
			"works permission-denied no-space no-such-file io-error",
		},
	} {
		m := newMenu(c.host)
		var got []string
		for _, ch := range m.choices {
			got = append(got, ch.word)
			if s, err := m.stub(ch, m.initialContent(ch)); err != nil || s.HostKey() != c.host.HostKey() {
				t.Errorf("%s of %+v: %+v, %v", ch.word, c.host, s, err)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%+v: got %s, want %s", c.host, text, c.want)
		}
	}
}

// The user types the content of an answer: a body, a text with escapes, or an address.
func TestSaying(t *testing.T) {
	d := running(t).press("i", "down", "enter").sees(`body    {"state":"paid","id":7}`).press("ctrl+u").write(`[1]`).press("enter")
	if a := d.wishes[0].Answers[0]; a.Status != 500 || a.Body != "[1]" || a.Header["Content-Type"][0] != "application/json" {
		t.Errorf("answers %+v", a)
	}
	d = running(t).press(
		"down", "i", "enter", "ctrl+u",
	).write(`OK\q`).press("enter").sees("✗").press("backspace", "backspace").write(`\x00"\r\n`).press("enter")
	if a := d.wishes[1].Answers[0]; string(a.Content()) != "OK\x00\"\r\n" || !a.Close {
		t.Errorf("answers %+v", a)
	}
	d = running(t).press(
		"end", "up", "i", "enter", "ctrl+u",
	).write("::1x").press("enter").sees(`✗ "::1x" is not an address`).press("backspace", "enter")
	if r := d.wishes[0].Answers[0].Records[0]; r != (model.DNSRecord{Type: "AAAA", Value: "::1"}) {
		t.Errorf("record %+v", r)
	}
	running(t).press("i", "enter", "esc").sees("Answer of payments").press("esc").misses("Answer of payments")
	running(t).press(
		"down", "down", "down", "i",
	).sees("not known yet").press("right").sees("· tcp", "send text and close").press("left").sees("· http")
}

func TestEditor(t *testing.T) {
	d := running(t).press("e").sees(`"path": "/charge"`, "✓ this is a valid stub", "line 1 of 24")
	d.press("down", "x").sees("✗ line 2: ").press("ctrl+s").sees("✗ line 2: ")
	if len(d.wishes) > 0 {
		t.Fatalf("wished for %+v", d.wishes)
	}
	d.press("backspace").sees("✓ this is a valid stub").press("ctrl+s").misses("it is a stub")
	if !reflect.DeepEqual(d.wishes, []model.Stub{charge}) {
		t.Errorf("wished for %+v, want %+v", d.wishes, charge)
	}
	d = running(t).press("down", "e", "ctrl+s")
	if len(d.wishes) != 2 || len(d.wishes[0].Answers) != 0 || !reflect.DeepEqual(d.wishes[1], reset) {
		t.Errorf("one that was put there: wished for %+v", d.wishes)
	}
	running(t).press("down", "down", "down", "e").sees(`"host": "198.51.100.7:25"`, `"protocol": "http"`, "✓").press("esc").misses(`"host"`)
	running(t).press("n").sees(`"host": "payments.example:443"`).press("q", "1").sees("q1{")
}

// Errors in a stub are explained in one line.
func TestWhatIsWrongWithAStub(t *testing.T) {
	const good = `{"host":"a.example:80","protocol":"http","answers":[{"status":200}]}`
	for _, c := range []struct{ text, want string }{
		{good, ""},
		{"", "incomplete"},
		{good[:20], "incomplete"},
		{good + "x", "text after the end"},
		{strings.Replace(good, `"status"`, "\n\n\"statsu\"", 1), `unknown key "statsu": a stub has host`},
		{strings.Replace(good, `:200`, `:"x"`, 1), `line 1: "answers.status" cannot be a string`},
		{strings.Replace(good, `,"protocol"`, "\n,,\"protocol\"", 1), "line 2: invalid character ','"},
		{strings.Replace(good, `"http"`, "\"http\n\"", 1), `line 1: invalid character '\n'`},
		{strings.Replace(good, "200", "20", 1), "status 20"},
		{strings.Replace(good, `"http"`, `"ftp"`, 1), "use http, tcp, udp, dns, redis, postgres, mysql or environment"},
		{strings.Replace(good, `{"status":200}`, `{"fault":"nxdomain"}`, 1), `has no fault "nxdomain"`},
	} {
		_, err := parseStub(c.text)
		if c.want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %s", c.text, err, c.want)
		}
	}
}

// The editor shows the whole stub. Control characters in it do not reach the terminal.
func TestWrittenStubs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~\x00-\x1f\x{80}-\x{9f}世é\x{202e}\x{301}\x{1f3fd}\x{1f600}]{0,40}`)
		s := model.Stub{
			Host: "a.example:80", Protocol: model.HTTP, Match: model.StubMatch{
				Path:   text.Draw(t, "path"),
				Header: map[string]string{text.Draw(t, "name"): text.Draw(t, "value")},
			},
			Answers: []model.Answer{{Body: text.Draw(t, "body"), Bytes: []byte(text.Draw(t, "bytes"))}},
		}
		written := stubJSON(s)
		if got, err := parseStub(written); err != nil || got.Match.Path != s.Match.Path ||
			!reflect.DeepEqual(got.Match.Header, s.Match.Header) || got.Answers[0].Body != s.Answers[0].Body {
			t.Fatalf("%v: got %+v, want %+v", err, got, s)
		}
		if draw.CleanLines(written) != written {
			t.Fatalf("%q is not clean", written)
		}
	})
}

func TestTooLargeToEdit(t *testing.T) {
	h := shop()[2]
	h.Injected = []model.Stub{{Host: h.Host, Protocol: model.TCP, Answers: []model.Answer{{Body: strings.Repeat("x", maxEdited)}}}}
	if d := drive(t, demo).show(h).press("e"); !strings.HasPrefix(d.message, "✗") ||
		!strings.Contains(d.message, "--stubs") || d.screen.Typing() {
		t.Errorf("said %q", d.message)
	}
}

// Key a adds a stub to the picked tests: the stub that answered a contact. If no stub has answered, the key only
// shows a message.
func TestAdopt(t *testing.T) {
	d := running(t).press("a").press("down", "a")
	if !reflect.DeepEqual(d.puts, []model.Stub{charge, reset}) {
		t.Errorf("put %+v", d.puts)
	}
	d = running(t).press("down", "down", "a")
	if len(d.puts) > 0 || !strings.Contains(d.message, "No stub has answered there yet") {
		t.Errorf("put %+v, said %q", d.puts, d.message)
	}
	d = running(t).over().press("a")
	if len(d.puts) != 1 {
		t.Error("nothing can be put once the search is over")
	}
}

// An empty screen begins with a line that says what it needs. The line fits into 60 columns.
func TestEmptyScreenSaysWhatItNeeds(t *testing.T) {
	called := drive(t, demo).send(screen.RunStarting(true))
	for want, d := range map[string]*driver{
		"Needs a service that Sonde starts: sonde --demo --net":       drive(t, screen.Service{}),
		"Needs a search with network on: 5 sets it and starts one":    drive(t, demo),
		"The search is starting. The hosts that the service contacts": called,
	} {
		if why := d.screen.view().whyEmpty()[0]; !strings.HasPrefix(why, want) {
			t.Errorf("got %q, want %q", why, want)
		}
		d.size(80, 21).sees(want)
	}
}

// Without a virtual network no stub can be injected. The screen says why.
func TestWithoutARun(t *testing.T) {
	for _, k := range []string{"i", "x", "e", "n"} {
		d := drive(t, demo).send(screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseRunning}}).press(k)
		if len(d.wishes) > 0 || d.screen.Typing() || d.message != "Needs a search with network on: 5, stop this one, start" {
			t.Errorf("%s: wished for %+v, said %q", k, d.wishes, d.message)
		}
	}
	for _, text := range []string{"sut: {build: ./cmd/server}", "sonde --demo --net"} {
		drive(t, screen.Service{}).size(200, 57).sees(text)
	}
	drive(t, demo).sees("sonde search --demo --net").send(screen.RunStarting(true)).sees("The search is starting")
	drive(t, screen.Service{URL: "http://127.0.0.1:1", Net: usecase.NetworkAvailable}).sees("sonde search shop.yaml --net")
}

// The service may not open a raw socket. The screen shows the attempt, but no stub can be injected for it.
func TestNoStubForIt(t *testing.T) {
	d := drive(t, demo).show(model.HostSummary{
		Host:     "198.51.100.7",
		Protocol: "ip",
		Count:    1,
		Outcomes: map[string]int{"refused": 1},
	}).press("i", "enter")
	if d.message != "Stubs don't support ip: nothing can be injected there" || len(d.wishes) > 0 {
		t.Errorf("said %q, wished for %+v", d.message, d.wishes)
	}
}

func TestMouse(t *testing.T) {
	d := running(t)
	d.send(tea.MouseMsg{X: 20, Y: 4, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}).sees("▸ metrics.example:8125")
	d.send(tea.MouseMsg{X: 80, Y: 12, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}).sees("▸ 01 ff 6f 6b")
	d.send(tea.MouseMsg{X: 20, Y: 1, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}).sees("▸ payments.example:443")
	d.send(tea.MouseMsg{X: 20, Y: 1, Button: tea.MouseButtonWheelDown}).sees("▸ 198.51.100.7:25")
	d.press("i").view()
	d.send(tea.MouseMsg{X: 40, Y: 7, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}).sees("▸ refuse")
}

// For any hosts and after any keys, a view has its exact size and no control characters.
func TestViewKeepsItsSize(t *testing.T) {
	keys := []string{
		"enter", "esc", "i", "e", "x", "n", "a", "v", "up", "down", "left", "right", "pgdown", "pgup", "home",
		"end", "ctrl+s", "backspace", "q", "{",
	}
	sets := [][]model.HostSummary{
		nil, shop(),
		{hostile(), shop()[1], hostile()},
		many(200),
		{{}},
		{{Protocol: model.DNS}, {Inward: true, Protocol: model.UDP}},
	}
	rapid.Check(t, func(rt *rapid.T) {
		host := screen.Service{
			Name: rapid.SampledFrom([]string{"", "demo", "a\x1b[2Jb", strings.Repeat("長", 40)}).Draw(rt, "name"),
			Net:  usecase.NetworkAvailable,
		}
		d := drive(t, host)
		for range rapid.IntRange(0, 12).Draw(rt, "steps") {
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0:
				d.show(sets[rapid.IntRange(0, len(sets)-1).Draw(rt, "hosts")]...)
			case 1:
				d.size(rapid.IntRange(40, 220).Draw(rt, "w"), rapid.IntRange(8, 60).Draw(rt, "h"))
			case 2:
				d.send(waiting(hostile().Injected[0]))
			}
			d.press(rapid.SampledFrom(keys).Draw(rt, "key"))
		}
		w, h := rapid.IntRange(40, 220).Draw(rt, "width"), rapid.IntRange(8, 60).Draw(rt, "height")
		if problem := unfit(d.screen.View(w, h), w, h); problem != "" {
			rt.Fatal(problem)
		}
	})
}

// unfit returns the reason why a view does not have height lines of width printable cells, "" if it does.
func unfit(view string, width, height int) string {
	rows := strings.Split(view, "\n")
	if len(rows) != height {
		return fmt.Sprintf("%d lines, want %d", len(rows), height)
	}
	for _, r := range rows {
		if got := ansi.StringWidth(r); got != width {
			return fmt.Sprintf("line %q is %d cells wide, want %d", r, got, width)
		}
		if strings.ContainsFunc(r, func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x202e }) {
			return fmt.Sprintf("line %q has a control character", r)
		}
	}
	return ""
}

// Every key on the screen has an effect.
func TestEveryKeyDoesSomething(t *testing.T) {
	for name, way := range map[string][]string{
		"map":      {"down"},
		"contacts": {"enter", "down"},
		"contact":  {"enter", "down", "enter"},
		"menu":     {"i", "down"},
		"which":    {"down", "down", "down", "i", "down"},
	} {
		ready := func() *driver { return running(t).size(100, 12).press(way...) }
		for _, b := range ready().screen.Keys() {
			for _, k := range b.Keys() {
				before := ready().view()
				d := ready().press(k)
				if d.view() == before && len(d.wishes)+len(d.puts) == 0 && d.message == "" && ready().press(opposite[k]).view() == before {
					t.Errorf("%s: %q (%s) does nothing in\n%s", name, k, b.Help().Desc, before)
				}
			}
		}
	}
}

var opposite = map[string]string{
	"up":     "down",
	"down":   "up",
	"j":      "k",
	"k":      "j",
	"home":   "end",
	"end":    "home",
	"pgup":   "pgdown",
	"pgdown": "pgup",
	"ctrl+u": "ctrl+d",
	"ctrl+d": "ctrl+u",
}

func BenchmarkView(b *testing.B) {
	s := New(screen.Engine{}, demo)
	s.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
	s.Update(screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseRunning, Net: true, Hosts: append(many(199), hostile())}})
	for b.Loop() {
		s.View(160, 50)
	}
}

// A new stub of a resource has a fault that the resource can have. If the resource can have no fault, the stub has an
// empty answer.
func TestNewStubOfResource(t *testing.T) {
	for resource, want := range map[string]model.Answer{
		"7000/tcp": {Fault: model.NetAddressInUse}, "./.env": {Fault: model.NetPermissionDenied}, ".env": {},
	} {
		s := newStub(&model.HostSummary{Host: resource, Protocol: model.Environment})
		if !reflect.DeepEqual(s.Answers, []model.Answer{want}) {
			t.Errorf("%s: answers %+v", resource, s.Answers)
		}
	}
}
