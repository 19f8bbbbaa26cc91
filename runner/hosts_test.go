package runner

import (
	"fmt"
	"testing"

	"sonde/model"
	"sonde/runner/client"
)

func TestHosts(t *testing.T) {
	h := &hosts{}
	test := model.Test{Calls: []model.Call{{Op: "POST /pay"}, {Op: "GET /pay"}}}
	for i := range 50 {
		h.see(test, []model.Contact{
			{Kind: model.Message, Protocol: model.HTTP, Host: "pay.example:443", TLS: i == 0, Call: i % 2, Outcome: []string{"200", "reset"}[i%2]},
			{Kind: model.Lookup, Protocol: model.DNS, Host: fmt.Sprintf("h%d.example", i), Call: -1, Outcome: "answer"},
		})
	}
	pay := h.shown()[0]
	if pay.Count != 50 || pay.Outcomes["reset"] != 25 || !pay.TLS || len(pay.Operations) != 2 || len(pay.Last) != mostContacts || pay.Last[mostContacts-1].Outcome != "reset" {
		t.Errorf("host %+v", pay)
	}
	if pay.Protocol != model.HTTP || !pay.Spoken || pay.Last[mostContacts-1].Op != "GET /pay" {
		t.Errorf("host %+v", pay)
	}
	for i := range 2 * mostHosts {
		h.see(test, []model.Contact{{Host: fmt.Sprint(i)}})
	}
	if n := len(h.shown()); n != mostHosts {
		t.Errorf("%d hosts are kept, want %d", n, mostHosts)
	}
	if pay.Count != 50 || len(pay.Operations) != 2 {
		t.Error("what was handed out has changed")
	}
}

func TestInject(t *testing.T) {
	h := &hosts{}
	own := []model.Stub{{Host: "a.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Status: 200}}}}
	fault := model.Stub{Host: "a.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Fault: model.NetReset}}}
	if err := h.inject(fault); err != nil || len(h.before(own)) != 2 || h.before(own)[0].Answers[0].Fault != model.NetReset {
		t.Errorf("%v, %+v", err, h.before(own))
	}
	fault.Answers[0].Fault = model.NetMute
	if err := h.inject(fault); err != nil || len(h.before(own)) != 2 {
		t.Errorf("the second does not take the place of the first: %v, %+v", err, h.before(own))
	}
	if err := h.inject(model.Stub{Host: "a.example:80", Protocol: model.HTTP}); err != nil || len(h.before(own)) != 1 {
		t.Errorf("it is not taken away: %v, %+v", err, h.before(own))
	}
	if err := h.inject(model.Stub{Host: "a.example", Protocol: model.HTTP, Answers: fault.Answers}); err == nil {
		t.Error("a host without a port is none")
	}
}

// Connections that stay open are a fault of the operation that was the last to open
// one; as many as a pool keeps are none.
func TestLeaks(t *testing.T) {
	p := played{
		test:     model.Test{Calls: []model.Call{{Op: "GET /a"}, {Op: "GET /b"}, {Op: "GET /c"}}},
		results:  make([]client.Result, 3),
		contacts: []model.Contact{{Host: "x.example:80", Call: 1}, {Host: "y.example:80", Call: 2}},
		open:     map[string]int{"x.example:80": mostOpen + 1, "y.example:80": mostOpen, "z.example:80": 500},
		at:       10,
	}
	got := (&crew{}).leaks(p)
	if len(got) != 1 || got[0].Op != "GET /b" || got[0].At != 9 || got[0].Calls != 2 || len(got[0].Test.Calls) != 2 {
		t.Errorf("%+v", got)
	}
}

// What is spoken with a host comes out behind the first dial, and who answered with
// the stubs of the test and of the run.
func TestHostsAreLearnt(t *testing.T) {
	own := model.Stub{Host: "a.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Status: 200}}, Else: &model.Answer{Status: 503}}
	always := model.Stub{Host: "a.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Status: 404}}}
	h := &hosts{always: []model.Stub{always}}
	h.see(model.Test{}, []model.Contact{{Kind: model.Dial, Protocol: model.TCP, Host: "a.example:80", Stub: -1, Call: -1}})
	if a := h.shown()[0]; a.Protocol != model.TCP || a.Spoken {
		t.Errorf("before anything was said: %+v", a)
	}
	said := model.Contact{Kind: model.Message, Protocol: model.HTTP, Host: "a.example:80", Request: model.Request{Body: make([]byte, 2*mostSaid)}}
	behind, run := said, said
	behind.Answer, run.Stub = 1, 1
	h.see(model.Test{Stubs: []model.Stub{own}}, []model.Contact{said, behind, run})
	a := h.shown()[0]
	if len(h.shown()) != 1 || a.Count != 4 || a.Protocol != model.HTTP || !a.Spoken {
		t.Errorf("%+v", h.shown())
	}
	for i, want := range []int{0, 200, 503, 404} {
		got := a.Last[i].Answered()
		if (got == nil) != (want == 0) || got != nil && got.Status != want {
			t.Errorf("contact %d was answered %+v, want %d", i, got, want)
		}
	}
	if body := a.Last[1].Request; len(body.Body) != mostSaid || !body.Truncated {
		t.Errorf("%d bytes are kept of what was said", len(body.Body))
	}
}

// An injected stub is shown at its host, also where that was never turned to.
func TestInjectedIsShown(t *testing.T) {
	h := &hosts{}
	h.see(model.Test{}, []model.Contact{{Kind: model.Dial, Protocol: model.TCP, Host: "a.example:80"}})
	for _, s := range []model.Stub{{Host: "a.example:80", Protocol: model.HTTP}, {Host: "b.example", Protocol: model.DNS}, {Host: ":80", Protocol: model.TCP, Inward: true}} {
		s.Answers = []model.Answer{{Status: 200}}
		if err := h.inject(s); err != nil {
			t.Fatal(err)
		}
	}
	all := h.shown()
	if len(all) != 3 || len(all[0].Injected) != 1 || all[1].Host != "b.example" || len(all[1].Injected) != 1 || !all[2].Inward || h.all[0].Injected != nil {
		t.Errorf("%+v", all)
	}
}
