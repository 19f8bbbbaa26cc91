package send

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// logged returns a request that was sent n minutes after the first one, and its answer.
func logged(op model.OpID, n, status int, body string) usecase.SentRequest {
	method, path, _ := strings.Cut(string(op), " ")
	return usecase.SentRequest{
		Calls: []model.Call{{Op: order}, {Op: op, User: "alice", Args: []model.Arg{{In: model.InQuery, Name: "n", Value: fmt.Sprint(n)}}}},
		Exchange: model.Exchange{
			At:      time.Date(2020, 12, 1, 9, n, 0, 0, time.UTC),
			Took:    12 * time.Millisecond,
			Request: model.Request{Op: op, Method: method, URL: path + "?n=" + fmt.Sprint(n)},
			Reply: model.Reply{
				Status: status, Proto: "HTTP/1.1", Body: []byte(body),
				Header: map[string][]string{"Content-Type": {"application/json"}, "X-N": {fmt.Sprint(n)}},
			},
		},
	}
}

// historic returns a driver with three requests in its history.
func historic(t *testing.T) *driver {
	t.Helper()
	d := drive(t, demo)
	d.log = []usecase.SentRequest{
		logged(health, 3, 200, `{"state":"up","all":[1,2]}`),
		logged(order, 2, 500, ""),
		logged(health, 1, 200, `{"state":"down","all":[1,3,2]}`),
	}
	return d
}

// The history lists the requests, newest first. A key shows the answer to one of them, and esc goes back.
func TestHistory(t *testing.T) {
	d := historic(t).press("H")
	d.sees("History · 3 requests", "▸2020-12-01 ✓ 200  GET /health?n=3  12 ms as alice", "✗ 500")
	d.press("enter").sees("Earlier answer · JSON", `"state": "up"`, "✓ 200  12 ms", "sent at 2020-12-01 09:03:00 as alice", "X-N  3")
	d.press("F").sees(`"all": [ 2 values … ]`).press("esc").sees("History · 3 requests").misses(`"state"`)
	d.press("down", "enter").sees("✗ 500", "no body").press("esc").sees("History")
	d.press("esc").sees("r sends this to").misses("History")
	if !d.pane.Open() {
		t.Error("esc closed the pane with the history")
	}
}

// The history can be limited to the operation of the pane.
func TestHistoryOfOneOperation(t *testing.T) {
	d := historic(t)
	d.do(d.pane.OpenOperation(order, nil))
	d.press("H", "o").sees("History · 1 request of POST /orders", "500").misses("/health").press("o").sees("3 requests")
}

// A request of the history is put into the form, with a word about what it lacks.
func TestRepeatFromHistory(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(*usecase.SentRequest)
	}{
		{"of this session", "", func(*usecase.SentRequest) {}},
		{
			"with masked secrets", "secrets in it are pseudonyms: type them again",
			func(r *usecase.SentRequest) { r.Masked, r.Earlier = true, true },
		},
		{"without its body", "its body was too large to be kept: type it again", func(r *usecase.SentRequest) { r.Partial = true }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := historic(t)
			c.change(&d.log[0])
			d.press("H", "r")
			if len(d.composed) != 1 || d.composed[0].Op != health || len(d.composed[0].Test.Calls) != 2 || d.message != c.want {
				t.Fatalf("composed %+v, said %q, want %q", d.composed, d.message, c.want)
			}
			d.do(d.pane.OpenTest(*d.composed[0].Test, screen.SavedAs{}))
			d.sees("GET /health", "POST orders").press("down", "right").sees("as               bob")
		})
	}
	d := historic(t)
	d.log[0].Calls[1].Op = "GET /gone"
	if d.press("H", "r"); len(d.composed) != 0 || d.message != "the spec has no GET /gone any more" {
		t.Errorf("composed %+v, said %q", d.composed, d.message)
	}
}

// The answer on the screen, or one of the history, is compared with the answer of the same operation before it.
func TestDifferencesToEarlierAnswer(t *testing.T) {
	d := historic(t).press("H", "D").misses("≠ status")
	d.sees("Differences", "3 differences", "≠ X-N  1 → 3", "≠ /state", `"down" → "up"`, "- /all/1  3")
	d.press("esc").sees("History").press("down", "D").sees("History")
	if want := "there is no earlier answer of this operation to compare with"; d.message != want {
		t.Errorf("got %q, want %q", d.message, want)
	}
	d.press("esc")
	d.do(d.pane.OpenOperation(health, nil))
	r := logged(health, 9, 404, `{"state":"up","all":[1,2],"why":{"a":null}}`)
	d.answer = usecase.SendResult{PlayedTest: model.PlayedTest{
		Test: model.Test{Calls: []model.Call{{Op: health, Status: 404}}}, Exchanges: []model.Exchange{r.Exchange},
	}}
	d.press("r", "D").sees("3 differences", "≠ status  200 → 404", `+ /why  {"a":null}`, "≠ X-N  3 → 9")
	d.press("esc").sees("Answer · JSON", "404").misses("Differences")
}

// A call before the request that failed is shown as such, and is not compared with answers to the request.
func TestFailedCallBeforeRequest(t *testing.T) {
	d := historic(t)
	failed := logged(health, 4, 500, "")
	failed.Exchange.Request = model.Request{Op: order, Method: "POST", URL: "/orders"}
	d.log = append([]usecase.SentRequest{failed}, d.log...)
	d.press("H").sees("✗ 500  POST /orders").press("enter").sees("GET /health needs this call, and was not sent.").press("D")
	if want := "there is no earlier answer of this operation to compare with"; d.message != want {
		t.Errorf("got %q, want %q", d.message, want)
	}
}

// A history that cannot be read says why, and an empty one that it is empty.
func TestHistoryWithoutRequests(t *testing.T) {
	d := drive(t, demo)
	d.logErr = errors.New("it is not JSON")
	d.press("H").sees("History · 0 requests", "No request was sent by hand yet.").press("enter", "r", "D", "down")
	if d.message != "needs a request of the history" || len(d.composed) != 0 {
		t.Errorf("said %q, composed %+v", d.message, d.composed)
	}
}

// A history that arrives late, while a request is in flight or after the pane was closed, is not shown.
func TestLateHistory(t *testing.T) {
	d := historic(t)
	d.hold = true
	d.press("H", "r").release().misses("History")
	d = historic(t)
	d.hold = true
	d.press("H", "esc").release()
	if d.pane.Open() || d.pane.answer.top() != nil {
		t.Error("a closed pane shows the history")
	}
}

func TestHistoryMouse(t *testing.T) {
	d := historic(t).press("H")
	r := d.pane.layout().answer
	d.take(tea.MouseMsg{X: r.X + 2, Y: r.Y + 2, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}).sees("▸2020-12-01 ✗ 500")
	d.take(tea.MouseMsg{X: 1, Y: 1, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}).sees("▸2020-12-01 ✗ 500")
}

// Texts of services in the history are shown without control characters, and rows have the width of the pane.
func TestHostileHistory(t *testing.T) {
	d := drive(t, demo)
	r := logged(health, 1, 200, "\x1b[2J")
	r.Exchange.Request.URL = "/\x1b]0;owned\x07" + strings.Repeat("長", 3000)
	r.Calls[1].User = "\x1b[2J" + strings.Repeat("u", 3000)
	r.Exchange.Err = errors.New("\x1b[2Jfailed")
	d.log = []usecase.SentRequest{r, r}
	d.press("H").misses("\x1b", "\x07").press("enter").sees("failed").misses("\x1b", "\x07")
}
