package network

import (
	"slices"

	"sonde/model"
	"sonde/ui/app/usecase"
)

// exampleStub is the initial stub in the editor for a host that is not on the map.
var exampleStub = model.Stub{
	Host:     "payments.example:443",
	Protocol: model.HTTP,
	Answers:  []model.Answer{initialAnswer(model.HTTP)},
}

// withStubs returns the surroundings with added stubs. An added stub replaces the stubs for the same messages. An
// added stub without answers only removes the stubs for the same messages.
func withStubs(around usecase.Surroundings, stubs []model.Stub) usecase.Surroundings {
	all := slices.Clone(around.Stubs)
	for _, stub := range stubs {
		all = slices.DeleteFunc(all, stub.Replaces)
		if len(stub.Answers) > 0 {
			all = append(all, stub)
		}
	}
	return usecase.Surroundings{Net: around.Net || len(all) > 0, Stubs: all}
}

// removal returns the stub without answers that removes s.
func removal(s model.Stub) model.Stub {
	s.Answers, s.Else, s.Repeat = nil, nil, false
	return s
}

func removals(all []model.Stub) []model.Stub {
	out := make([]model.Stub, len(all))
	for i, s := range all {
		out[i] = removal(s)
	}
	return out
}

// currentStub returns the stub to which keys apply: the first of these that exists
//   - the stub that answered the contact c, which may be nil
//   - the first injected stub of the host
//   - the stub that last answered a contact of the host
//
// It returns false if there is none.
func currentStub(h *model.HostSummary, c *model.HostContact) (model.Stub, bool) {
	if c != nil && c.AnsweredBy != nil {
		return *c.AnsweredBy, true
	}
	if h != nil && len(h.Injected) > 0 {
		return h.Injected[0], true
	}
	for _, c := range newestFirst(h) {
		if c.AnsweredBy != nil {
			return *c.AnsweredBy, true
		}
	}
	return model.Stub{}, false
}

// newStub returns the initial stub in the editor for a host without a stub.
func newStub(h *model.HostSummary) model.Stub {
	stub := model.Stub{Host: h.Host, Protocol: h.Protocol, Inward: h.Inward}
	if protocolUnknown(h) {
		stub.Protocol = model.HTTP
	}
	stub.Answers = []model.Answer{initialAnswer(stub.Protocol)}
	if stub.Protocol == model.Environment {
		stub.Answers = []model.Answer{resourceAnswer(h.Host)}
	}
	return stub
}

// resourceAnswer returns the answer of a new stub for a resource of the environment.
func resourceAnswer(name string) model.Answer {
	switch name {
	case model.HostnameResource:
		return model.Answer{Body: "web-1"}
	case model.InterfacesResource:
		return model.Answer{Body: "eth0 10.0.0.2/24"}
	}
	for _, fault := range model.ResourceFaults(name) {
		return model.Answer{Fault: fault}
	}
	return model.Answer{}
}

// protocolUnknown reports whether the service connects to the host by TCP, but has not sent data that
// reveals the protocol.
func protocolUnknown(h *model.HostSummary) bool {
	return kindOf(h) == outward && h.Protocol == model.TCP && !h.ProtocolKnown
}

// initialAnswer returns the answer of a new stub.
func initialAnswer(p model.Protocol) model.Answer {
	switch p {
	case model.HTTP:
		return model.Answer{Status: 200, Header: model.NewHeaderField("Content-Type", "application/json"), Body: "{}"}
	case model.DNS:
		return model.Answer{Records: []model.DNSRecord{{Type: "A", Value: "198.18.0.7"}}}
	case model.Postgres:
		return model.Answer{Body: `{"tag":"OK"}`}
	case model.MySQL:
		return model.Answer{Body: `{"affected":0}`}
	case model.Redis:
		return model.Answer{Body: "null"}
	}
	return model.Answer{Body: "hello\r\n"}
}
