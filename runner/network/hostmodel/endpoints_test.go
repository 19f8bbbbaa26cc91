package hostmodel

import (
	"fmt"
	"testing"

	"sonde/model"
)

// At most maxNamed hosts of which the service learns only from tests become endpoints. Here the answers of stubs name
// such hosts. A host that no test names still becomes an endpoint afterwards.
func TestNamedHostsAreBounded(t *testing.T) {
	w := &Hosts{}
	w.ObserveContacts(played, []model.Contact{dialed("whois.example:43", 0)})
	for i := range 100 {
		host := fmt.Sprintf("told%d.example:43", i)
		said := model.Stub{
			Host:     "whois.example:43",
			Protocol: model.TCP,
			Answers:  []model.Answer{{Body: "refer: Told" + host[4:] + "\nfor: whois.example\n"}},
		}
		test := played
		test.Stubs = []model.Stub{said}
		w.ObserveContacts(test, []model.Contact{dialed("whois.example:43", 0), dialed(host, 0)})
		if !w.NamedByTest(host) || w.NamedByTest("whois.example:43") {
			t.Fatalf("told of %s: %t, and of the first: %t", host, w.NamedByTest(host), w.NamedByTest("whois.example:43"))
		}
	}
	if n := w.endpoints.namedCount(); n != maxNamed || len(w.endpoints.all) != 1+maxNamed {
		t.Errorf("%d places are of hosts that it was told of, %d are all", n, len(w.endpoints.all))
	}
	w.ObserveContacts(played, []model.Contact{dialed("own.example:43", 0)})
	if len(w.endpoints.all) != 2+maxNamed {
		t.Error("one more host that it knows by itself is not searched for")
	}
}

// A test can name a host in a parameter or the body of a call, or in a header that another host sends.
func TestNamedByCallers(t *testing.T) {
	for want, c := range map[string]model.Call{
		"arg.example:80":    {Args: []model.Arg{{In: model.InQuery, Value: "http://ARG.example/"}}},
		"body.example:80":   {Body: &model.Payload{Data: `{"hook":"https://body.example"}`}},
		"header.example:80": {},
	} {
		w, test := &Hosts{}, model.Test{Calls: []model.Call{c}}
		if want == "header.example:80" {
			test.Stubs = []model.Stub{{Answers: []model.Answer{{Header: model.NewHeaderField("Location", "//header.example/")}}}}
		}
		w.ObserveContacts(test, []model.Contact{dialed(want, 0), dialed("other.example:80", 0)})
		if !w.NamedByTest(want) || w.NamedByTest("other.example:80") {
			t.Errorf("%s: %t, another %t", want, w.NamedByTest(want), w.NamedByTest("other.example:80"))
		}
	}
}
