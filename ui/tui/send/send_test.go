package send

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Key r sends the form with its initial values.
func TestSend(t *testing.T) {
	d := drive(t, demo).sees(
		"send POST /orders/{orderId}/payments", "first", "POST orders", "alice", "from POST /orders", "a,b",
		"dry     query  left out", `"method": "card"`, "r sends this to http://127.0.0.1:41873",
	)
	d.answer = paid(201, `{"paymentId":1}`)
	d.press("r").sees(
		"POST /orders  ✓ 201", "✓ 201  12 ms  HTTP/1.1  15 bytes", "Location  /orders/7/payments/1",
		`"paymentId": 1`, "◆ payments.example:80 200", "7 shows 2 hosts",
	).misses("today")
	if len(d.sent) != 1 || len(d.reported) != 1 {
		t.Fatalf("sent %d, reported %d", len(d.sent), len(d.reported))
	}
	got, want := d.sent[0], payment()
	got.Calls[1].Body.Data = `{"method":"card"}`
	if !reflect.DeepEqual(got.Links, want.Links) || !reflect.DeepEqual(got.Calls, want.Calls) {
		t.Errorf("sent %+v,\nwant %+v", got, want)
	}
	if around := d.around[0]; len(around.Stubs) != 1 || len(got.Stubs) != 0 {
		t.Errorf("sent in %+v with stubs %+v", around, got.Stubs)
	}
}

// The first character replaces a value that the user did not type. Other keys keep it.
func TestProposalIsReplaced(t *testing.T) {
	d := drive(t, demo).at(fieldRow, 0).press("enter").write("81").press("enter").sees("orderId path   81")
	d.press("enter").write("2").press("enter").sees("orderId path   812")
	drive(t, demo).at(fieldRow, 0).press("enter", "backspace").write("9").press("enter").sees("orderId path   9")
}

// Keys change each row: the user, the calls before the request, each value, and the body.
func TestForm(t *testing.T) {
	d := drive(t, demo).take(screen.SurroundingsChanged{Surroundings: usecase.Surroundings{Net: true}})
	d.press("right").sees("nothing else is sent", "orderId path   7").press("right")
	d.press("down", "right").sees("as               bob").press("left", "left").sees("anonymous").press("right", "right")
	d.press("down", "right")
	if len(d.networks) != 1 || d.networks[0].Virtual {
		t.Errorf("asked for networks %+v", d.networks)
	}
	d.press("down").sees("payments.example:80 200  as in the test").press("enter").sees("do not answer as in the test")
	d.press("down", "enter", "end").write("8").press("enter").sees("orderId path   78").misses("from POST /orders")
	d.press("down", " ").sees("dry     query  true").press(" ").sees("dry     query  left out").press(" ")
	d.press("down", "enter").write(",c").press("enter").sees("a,b,c")
	d.press("down", "down", "enter").sees("ctrl+s accept").press("down", "end").write(`, "a": 1`)
	d.press("ctrl+s").sees(`"method": "card", "a": 1`)
	d.press("r")
	got := d.sent[0]
	last := got.Calls[1]
	var args []string
	for _, a := range last.Args {
		args = append(args, a.Name+"="+a.Value)
	}
	if want := []string{"orderId=78", "dry=true", "fields=a", "fields=b", "fields=c"}; !slices.Equal(args, want) {
		t.Errorf("sent %v, want %v", args, want)
	}
	if last.User != "bob" || got.Calls[0].User != "bob" || len(got.Links) != 0 || len(d.around[0].Stubs) != 0 ||
		last.Body.Data != "{\n  \"method\": \"card\", \"a\": 1\n}" {
		t.Errorf("sent %+v with body %q around %+v", got, last.Body.Data, d.around[0])
	}
	d.press(" ").sees("body             left out").press("r")
	if d.sent[1].Calls[1].Body != nil {
		t.Error("the body was sent although it is left out")
	}
}

// A body that is not text is shown as a description. It is sent unchanged, unless the user chooses a file.
func TestBytesInForm(t *testing.T) {
	d := drive(t, demo)
	d.pane.form.form.bodies = []body{newBody(model.Payload{Media: "image/png", Data: "\x89PNG\x1b[2J"}, model.Content{})}
	d.sees("image/png, 8 bytes").misses("PNG")
	d.press("end", "enter").sees("path of a file").press("esc", "r")
	if got := d.sent[0].Calls[1].Body.Data; got != "\x89PNG\x1b[2J" {
		t.Errorf("sent %q, want the bytes of the body", got)
	}
}

// If earlier requests have created what the request needs, the form does not send the calls before the request.
func TestReady(t *testing.T) {
	d := drive(t, demo)
	d.ready = true
	d.do(d.pane.OpenOperation(pay, nil))
	d.sees("nothing else is sent", "orderId path   7").press("right").sees("POST orders", "from POST /orders")
}

// A canceled edit changes nothing.
func TestLeaveAField(t *testing.T) {
	d := drive(t, demo).press("down", "down", "down", "enter").write("9").press("esc").sees("from POST /orders")
	d.press("down", "down", "down", "down", "enter").write("x").press("esc").sees(`"method": "card"`).misses("x{")
	d.press(" ", "enter", "esc").sees("body             left out")
}

// The user can cancel a request in progress. The result that arrives later is not shown, except the hosts that the
// service contacted.
func TestGiveUp(t *testing.T) {
	d := drive(t, demo)
	d.answer = paid(200, "{}")
	d.hold = true
	d.press("r").sees("Waiting for an answer", "esc gives it up")
	for range ticksPerSecond {
		d.take(ticked{id: d.pane.sender.id})
	}
	d.sees("1 s …").press("r", "down", "a")
	d.press("esc")
	d.release().sees("r sends this to").misses("✓ 200")
	if !d.ended || len(d.reported) != 1 || !d.pane.Open() {
		t.Errorf("ended %t, reported %d, open %t", d.ended, len(d.reported), d.pane.Open())
	}
	d.press("esc")
	if d.pane.Open() {
		t.Error("esc does not close the pane")
	}
}

// While a request is in progress, the hosts that the service contacts are reported. Late reports are
// dropped.
func TestHostsMeanwhile(t *testing.T) {
	d := drive(t, demo).take(screen.SurroundingsChanged{Surroundings: usecase.Surroundings{Net: true}})
	d.hold = true
	d.press("r")
	gen := d.pane.sender.id
	d.hold = false
	d.take(hostsSeen{id: gen - 1, hosts: nil})
	d.take(hostsSeen{id: gen, hosts: make([]model.HostSummary, 1)})
	if len(d.reported) != 1 || len(d.reported[0].Hosts) != 1 || !d.reported[0].Net {
		t.Errorf("reported %+v", d.reported)
	}
	d.press("esc")
	d.take(hostsSeen{id: gen, hosts: nil}).take(ticked{id: gen})
	if len(d.reported) != 1 {
		t.Errorf("reported %+v", d.reported)
	}
	d.hold = true
	d.press("r").take(ticked{id: d.pane.sender.id})
	if got, ok := d.held[len(d.held)-1]().(tea.BatchMsg)[1]().(hostsSeen); !ok || len(got.hosts) != 1 {
		t.Errorf("looked for %+v", got)
	}
}

// If no request is sent, a message has the reason: no service, a running search, or an error.
func TestNotSent(t *testing.T) {
	d := drive(t, screen.Service{}).sees("There is no service to send it to").press("r")
	if len(d.sent) > 0 || d.message != "✗ "+errNoService.Error() {
		t.Errorf("sent %d, said %q", len(d.sent), d.message)
	}
	for _, msg := range []any{screen.RunStarting(true), screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhasePaused}}} {
		d = drive(t, demo).take(msg).press("r")
		if len(d.sent) > 0 || d.message != "✗ "+errSearching.Error() {
			t.Errorf("%+v: sent %d, said %q", msg, len(d.sent), d.message)
		}
	}
	d = drive(t, demo)
	d.err = errors.New("the service\x1b[2J does not start")
	d.press("r").sees("✗ the service does not start").press("a")
	if d.saves > 0 || d.message != "Nothing was sent yet: r sends it" {
		t.Errorf("kept %d, said %q", d.saves, d.message)
	}
}

// A remote service is called only after the user has allowed it once.
func TestRemote(t *testing.T) {
	host := screen.Service{URL: "https://api.example.com", Remote: true}
	d := drive(t, host).press("r").sees("Call a service that is not on this machine?", "2 requests to", "api.example.com").press("n")
	if len(d.sent) > 0 {
		t.Fatal("it was sent without permission")
	}
	d.press("r", "y", "r")
	if len(d.sent) != 2 || d.allowed != 1 {
		t.Errorf("sent %d, told %d times", len(d.sent), d.allowed)
	}
}

// The last request is kept as a test with its stubs. A message says whether the answer differs after a
// reset of the service.
func TestKeep(t *testing.T) {
	d := drive(t, demo)
	d.answer = paid(201, "{}")
	d.press("r").take(screen.SurroundingsChanged{Surroundings: usecase.Surroundings{Net: true}}).press("a")
	if d.saves != 1 || len(d.kept) != 1 ||
		d.message != "Kept as a test of 2 calls, and picked: 4 shows it, 6 writes it" || len(d.around[1].Stubs) != 1 {
		t.Errorf("kept %+v in %+v, said %q", d.kept, d.around, d.message)
	}
	d.sees("✓ 201")
	d.answer = paid(409, "{}")
	d.press("a")
	if d.message != "Kept and picked (4), but from the service's first state the answer is 409, not 201" {
		t.Errorf("said %q", d.message)
	}
	d.answer = paid(201, "{}")
	d.answer.Test.Flaky = "call 1 answered 500"
	d.press("a")
	if d.message != "Kept and picked (4), but it is not the same each time: call 1 answered 500" {
		t.Errorf("said %q", d.message)
	}
}

// A failed call before the request ends the request. Faults of answers are shown.
func TestFails(t *testing.T) {
	d := drive(t, demo)
	d.answer = paid(0, "")
	d.answer.Exchanges = d.answer.Exchanges[:1]
	d.answer.Test.Calls = d.answer.Test.Calls[:1]
	d.answer.Exchanges[0].Reply = model.Reply{Status: 403, Body: []byte("admins only")}
	d.press("r").sees("POST /orders  △ 403", "needs this call, and was not sent", "admins only")
	d.answer = paid(500, "\x00\xff\x1b[2J")
	d.answer.Faults = []model.Fault{
		{Oracle: "dependency-error", Severity: "error", Status: 500, Text: "when payments.example\x1b[2J resets"},
		{Oracle: "noted", Severity: model.SeverityNote},
	}
	d.press("r").sees("✗ 500", "✗ dependency-error: when payments.example resets", "00 ff 1b").misses("noted")
	d.answer = paid(0, "")
	d.answer.Exchanges[1].Reply, d.answer.Exchanges[1].Err = model.Reply{}, errors.New("connection reset by peer")
	d.press("r").sees("✗ no answer", "connection reset by peer")
}

// A test of a search opens with its values and its stubs.
func TestTake(t *testing.T) {
	d := drive(t, demo).take(screen.SurroundingsChanged{Surroundings: usecase.Surroundings{Net: true}})
	kept := payment()
	kept.Calls[1].Status, kept.Calls[1].Args[0].Value = 201, "99"
	kept.Links = nil
	d.do(d.pane.OpenTest(kept, screen.SavedAs{}))
	d.sees("orderId path   99", "payments.example:80 200").press("r")
	if got := d.sent[0]; got.Calls[1].Status != 0 || got.Calls[1].Args[0].Value != "99" || kept.Calls[1].Status != 201 {
		t.Errorf("sent %+v of %+v", got, kept)
	}
	d.do(d.pane.OpenOperation("GET /nothing", nil))
	if d.pane.Operation() != pay {
		t.Errorf("the pane is open on %q", d.pane.Operation())
	}
}

// A click moves the focus and the cursor, and the wheel scrolls the pane under the pointer.
func TestMouse(t *testing.T) {
	d := drive(t, demo)
	d.answer = paid(201, strings.Repeat("line\n", 60))
	d.press("r").take(tea.MouseMsg{X: 5, Y: 3, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}).sees("▸ as")
	d.take(tea.MouseMsg{X: 5, Y: 3, Button: tea.MouseButtonWheelDown}).sees("▸ ○ dry")
	d.take(tea.MouseMsg{X: 5, Y: 20, Button: tea.MouseButtonWheelDown}).misses("POST /orders  ✓ 201").sees("▸ ○ dry")
	d.take(tea.MouseMsg{X: 5, Y: 20, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	if !d.pane.answer.focused {
		t.Error("a click on the answer does not give it the focus")
	}
	d.press("v", "enter").take(tea.MouseMsg{X: 5, Y: 2, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	if !d.pane.Typing() {
		t.Error("a click closed the field that was being typed in")
	}
}

// Every visible key has an effect.
func TestShownKeysAct(t *testing.T) {
	answered := func() *driver {
		d := drive(t, demo)
		d.answer = paid(201, "a\n"+strings.Repeat("b\nc\n", 40))
		return d.press("r")
	}
	states := map[string]func() *driver{
		"form":   func() *driver { return drive(t, demo).press("down") },
		"field":  func() *driver { return drive(t, demo).press("down", "down", "down", "down") },
		"add":    func() *driver { return drive(t, demo).press("down", "down", "down", "down", "down", "down") },
		"body":   func() *driver { return drive(t, demo).press("down", "down", "down", "down", "down", "down", "down") },
		"typing": func() *driver { return drive(t, demo).press("down", "down", "down", "enter") },
		"text":   func() *driver { return drive(t, demo).press("end", "enter") },
		"answer": func() *driver { return answered().press("v", "down") },
		"asking": func() *driver { return drive(t, screen.Service{URL: "https://a.example", Remote: true}).press("r") },
	}
	for name, begin := range states {
		for _, b := range begin().pane.Keys() {
			for _, k := range b.Keys() {
				d := begin()
				before, typing, told := d.view(), d.pane.Typing(), len(d.sent)+d.saves+len(d.networks)+len(d.message)+len(d.edited)
				d.press(k)
				if d.pane.Open() && before == d.view() && typing == d.pane.Typing() &&
					told == len(d.sent)+d.saves+len(d.networks)+len(d.message)+len(d.edited) {
					t.Errorf("%s: %q (%s) does nothing", name, k, b.Help().Desc)
				}
			}
		}
	}
}

// The last request is copied as a curl command.
func TestCopy(t *testing.T) {
	d := drive(t, demo).press("y")
	if d.clip != "" || d.message != "Nothing was sent yet: r sends it" {
		t.Errorf("said %q, copied %q", d.message, d.clip)
	}
	sent := func(x model.Exchange) usecase.SendResult {
		return usecase.SendResult{PlayedTest: model.PlayedTest{Test: payment(), Exchanges: []model.Exchange{{}, x}}}
	}
	d.answer = sent(model.Exchange{At: time.Now(), Request: model.Request{URL: "/orders/7/pay"}})
	d.press("r", "y")
	if d.clip != "curl /orders/7/pay" {
		t.Errorf("said %q, copied %q", d.message, d.clip)
	}
	d.answer = sent(model.Exchange{Request: model.Request{Truncated: true}})
	d.press("r", "y")
	if !strings.Contains(d.message, "only a part") {
		t.Errorf("said %q", d.message)
	}
}

// In production, each request that writes is asked about. Another service that is chosen then is not.
func TestProduction(t *testing.T) {
	host := screen.Service{URL: "http://127.0.0.1:1", Environment: "eu", Production: true}
	d := drive(t, host)
	d.answer = paid(201, "{}")
	d.press("r").sees("Write to production?", "send 2 requests to", "production (eu)", "2 of 2").press("n")
	if len(d.sent) > 0 {
		t.Fatal("it was sent without permission")
	}
	d.press("r", "y", "r").sees("Write to production?").press("y")
	if len(d.sent) != 2 {
		t.Errorf("sent %d", len(d.sent))
	}
	d.press("a").sees("Write to production?", "repeat the last request").press("n")
	if d.saves != 0 {
		t.Error("the request was repeated without permission")
	}
	d.take(screen.ServiceChanged{Service: demo}).sees("r sends this to " + demo.URL).press("r")
	if len(d.sent) != 3 {
		t.Errorf("sent %d to another service", len(d.sent))
	}
}

// A request that reads may be kept with an earlier one that writes: in production, the user is asked before it is repeated.
// While another screen calls the service, that is not known yet.
func TestKeepInProduction(t *testing.T) {
	d := drive(t, screen.Service{URL: "http://127.0.0.1:1", Environment: "eu", Production: true})
	d.answer = paid(201, "{}")
	d.press("r", "y")
	d.do(d.pane.OpenOperation(health, nil))
	d.press("r").press("a").sees("Write to production?", "at least twice", "2 of 3 operations write")
	if d.press("n"); d.saves != 0 {
		t.Error("requests were repeated without permission")
	}
	d.calling = true
	if d.press("a"); d.saves != 0 || d.message != "✗ "+errCalling.Error() {
		t.Errorf("kept %d times, said %q", d.saves, d.message)
	}
}

// A request whose files are still read is not sent to the service of another environment.
func TestFilesAreReadForOneService(t *testing.T) {
	d := drive(t, screen.Service{URL: "http://127.0.0.1:1"})
	msg := filesRead{id: d.pane.readID, test: payment()}
	d.take(screen.ServiceChanged{Service: screen.Service{URL: "http://127.0.0.1:2", Production: true}}).take(msg)
	if len(d.sent) > 0 {
		t.Errorf("sent %v", d.sent)
	}
}

// Only variables that the user types may come from the process environment.
func TestTypedVariables(t *testing.T) {
	d := drive(t, demo)
	var used [][]string
	d.pane.calls.UseVariables = func(names []string) { used = append(used, names) }
	d.pane.given = []string{"GIVEN"}
	d.press("r")
	d.press("down", "down", "down", "enter").write("${GIVEN}${TYPED}").press("enter", "r")
	if len(used) != 1 || !slices.Equal(used[0], []string{"TYPED"}) {
		t.Errorf("used %q", used)
	}
}

// A request that the service refuses for want of a user says how to add one.
func TestRefusedForWantOfAUser(t *testing.T) {
	d := drive(t, demo)
	d.answer = paid(401, `{}`)
	d.press("r").sees("401", "The service wants to know who calls: U adds a user")
	d.answer = paid(403, `{}`)
	d.press("r").sees("403", "does not let this user do it")
	d.answer = paid(404, `{}`)
	d.press("r").misses("who calls", "this user")
}
