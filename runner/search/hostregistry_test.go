package search

import (
	"fmt"
	"testing"

	"sonde/model"
)

func TestHosts(t *testing.T) {
	h := &hostRegistry{}
	test := model.Test{Calls: []model.Call{{Op: "POST /pay"}, {Op: "GET /pay"}}}
	for i := range 50 {
		h.observe(test, []model.Contact{
			{
				Kind:     model.ContactMessage,
				Protocol: model.HTTP,
				Host:     "pay.example:443",
				TLS:      i == 0,
				Call:     i % 2,
				Outcome:  []string{"200", "reset"}[i%2],
			},
			{Kind: model.ContactLookup, Protocol: model.DNS, Host: fmt.Sprintf("h%d.example", i), Call: -1, Outcome: "answer"},
		})
	}
	pay := h.snapshot()[0]
	if pay.Count != 50 || pay.Outcomes["reset"] != 25 || !pay.TLS || len(pay.Operations) != 2 ||
		len(pay.RecentContacts) != maxContacts || pay.RecentContacts[maxContacts-1].Outcome != "reset" {
		t.Errorf("host %+v", pay)
	}
	if pay.Protocol != model.HTTP || !pay.ProtocolKnown || pay.RecentContacts[maxContacts-1].Op != "GET /pay" {
		t.Errorf("host %+v", pay)
	}
	for i := range 2 * maxHosts {
		h.observe(test, []model.Contact{{Host: fmt.Sprint(i)}})
	}
	if n := len(h.snapshot()); n != maxHosts {
		t.Errorf("%d hosts are kept, want %d", n, maxHosts)
	}
	for i := range 2 * maxResources {
		h.observe(test, []model.Contact{{Kind: model.ContactUse, Protocol: model.Environment, Host: fmt.Sprint("./", i)}})
	}
	if n := len(h.snapshot()) - maxHosts; n != maxResources {
		t.Errorf("%d files are kept, want %d", n, maxResources)
	}
	if pay.Count != 50 || len(pay.Operations) != 2 {
		t.Error("what was handed out has changed")
	}
}

func TestInject(t *testing.T) {
	h := &hostRegistry{}
	own := []model.Stub{{Host: "a.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Status: 200}}}}
	fault := model.Stub{Host: "a.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Fault: model.NetReset}}}
	if err := h.inject(fault); err != nil || len(h.stubsFor(own)) != 2 || h.stubsFor(own)[0].Answers[0].Fault != model.NetReset {
		t.Errorf("%v, %+v", err, h.stubsFor(own))
	}
	fault.Answers[0].Fault = model.NetMute
	if err := h.inject(fault); err != nil || len(h.stubsFor(own)) != 2 {
		t.Errorf("the second does not take the place of the first: %v, %+v", err, h.stubsFor(own))
	}
	if err := h.inject(model.Stub{Host: "a.example:80", Protocol: model.HTTP}); err != nil || len(h.stubsFor(own)) != 1 {
		t.Errorf("it is not taken away: %v, %+v", err, h.stubsFor(own))
	}
	if err := h.inject(model.Stub{Host: "a.example", Protocol: model.HTTP, Answers: fault.Answers}); err == nil {
		t.Error("a host without a port is none")
	}
}

// The protocol of a host is known from its first message after the dial. Each contact names the stub that answered: a
// stub of the test or a stub of the run.
func TestHostsOfAContact(t *testing.T) {
	own := model.Stub{Host: "a.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Status: 200}}, Else: &model.Answer{Status: 503}}
	always := model.Stub{Host: "a.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Status: 404}}}
	h := &hostRegistry{runStubs: []model.Stub{always}}
	h.observe(model.Test{}, []model.Contact{{Kind: model.ContactDial, Protocol: model.TCP, Host: "a.example:80", Stub: -1, Call: -1}})
	if a := h.snapshot()[0]; a.Protocol != model.TCP || a.ProtocolKnown {
		t.Errorf("before anything was said: %+v", a)
	}
	said := model.Contact{
		Kind:     model.ContactMessage,
		Protocol: model.HTTP,
		Host:     "a.example:80",
		Request:  model.Request{Body: make([]byte, 2*maxContactBytes)},
	}
	behind, run := said, said
	behind.Answer, run.Stub = 1, 1
	h.observe(model.Test{Calls: make([]model.Call, 1), Stubs: []model.Stub{own}}, []model.Contact{said, behind, run})
	a := h.snapshot()[0]
	if len(h.snapshot()) != 1 || a.Count != 4 || a.Protocol != model.HTTP || !a.ProtocolKnown {
		t.Errorf("%+v", h.snapshot())
	}
	for i, want := range []int{0, 200, 503, 404} {
		got := a.RecentContacts[i].StubAnswer()
		if a.RecentContacts[i].AtStart != (i == 0) {
			t.Errorf("contact %d at the start: %v", i, i != 0)
		}
		if (got == nil) != (want == 0) || got != nil && got.Status != want {
			t.Errorf("contact %d was answered %+v, want %d", i, got, want)
		}
	}
	if !a.AtStart {
		t.Error("it was not contacted at the start")
	}
	if body := a.RecentContacts[1].Request; len(body.Body) != maxContactBytes || !body.Truncated {
		t.Errorf("%d bytes are kept of what was said", len(body.Body))
	}
}

// An injected stub is shown at its host, even if the host was never contacted.
func TestInjectedIsShown(t *testing.T) {
	h := &hostRegistry{}
	h.observe(model.Test{}, []model.Contact{{Kind: model.ContactDial, Protocol: model.TCP, Host: "a.example:80"}})
	for _, s := range []model.Stub{
		{Host: "a.example:80", Protocol: model.HTTP},
		{Host: "b.example", Protocol: model.DNS},
		{Host: ":80", Protocol: model.TCP, Inward: true},
	} {
		s.Answers = []model.Answer{{Status: 200}}
		if err := h.inject(s); err != nil {
			t.Fatal(err)
		}
	}
	all := h.snapshot()
	if len(all) != 3 || len(all[0].Injected) != 1 || all[1].Host != "b.example" || len(all[1].Injected) != 1 ||
		!all[2].Inward || h.hosts[0].Injected != nil {
		t.Errorf("%+v", all)
	}
}
