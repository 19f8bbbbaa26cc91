package export

import (
	"strings"
	"testing"

	"sonde/model"
)

// Stubs that belong to no request (those of background calls, and the prologues of connections) are in the exported
// file: for all tests, or in the test that waits for the background call. A test whose operation makes no outward
// calls has no function for the call oracle, whose name would end in _CO.
func TestBackgroundStubs(t *testing.T) {
	rates := func(body string) model.Stub {
		return model.Stub{
			Host: "127.0.0.1:9001", Protocol: model.HTTP, Background: true,
			Match: model.StubMatch{Method: "GET", Path: "/rates"}, Answers: []model.Answer{{Body: body}},
		}
	}
	s := Suite{
		BaseURL: "http://127.0.0.1:{port}",
		Service: &model.Service{Command: []string{"./shop", "--bank", "127.0.0.1:9001", "--store", "127.0.0.1:7000"}},
		Local:   true,
		Net: &model.VirtualNetwork{Stubs: []model.Stub{rates("1"), {
			Host: "127.0.0.1:7000", Protocol: model.TCP, Background: true,
			Prologue: []model.PrologueStep{{Body: "READY\n"}, {Request: "LOGIN\n", Body: "OK\n"}},
		}}},
		Tests: []model.Test{{
			ID: "r1", Origin: model.OriginRecorded, Calls: []model.Call{{Op: "GET /prices", Status: 200}},
			Stubs: []model.Stub{
				{
					Host: "127.0.0.1:7000", Protocol: model.TCP, AnyConnection: true, Repeat: true,
					Match: model.StubMatch{Equals: "GET"}, Answers: []model.Answer{{Body: "1"}},
				},
				rates("2"),
			},
			Mock: &model.MockTest{About: "GET /prices", Exchange: "e1", WithoutCalls: true, Await: 800},
		}},
	}
	text, err := GoFile(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"func init() {\n\t" + `network.http("127.0.0.1:9001", "GET /rates", inBackground(), replies(200, "1"))`,
		`network.mimics(t, recorded{id: "r1", oracles: "oo", background: 800 * time.Millisecond})` + "\n\n\t" +
			`network.tcp("127.0.0.1:7000", onAnyConnection(), ifSaid("GET"), says("1"), again())` + "\n\t" +
			`network.http("127.0.0.1:9001", "GET /rates", inBackground(), replies(200, "2"))`,
		`inBackground(),` + "\n\t\t" + `opensWith("", "READY\n"),` + "\n\t\t" + `opensWith("LOGIN\n", "OK\n"))`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in\n%.3000s", want, text)
		}
	}
	if strings.Contains(string(text), "_CO(") {
		t.Error("it has a call oracle")
	}
}
