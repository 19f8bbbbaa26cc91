package network

import (
	"slices"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// wish asks the run for stubs; where none goes on, they hold for what is called next.
func (s *Screen) wish(stubs ...model.Stub) tea.Cmd {
	if !s.live() {
		return s.keep(stubs)
	}
	w := screen.SteerSearch{Commands: make([]model.Command, len(stubs))}
	for i := range stubs {
		w.Commands[i].Stub = &stubs[i]
	}
	return s.post.Send(w)
}

// keep puts stubs in the place of those for the same messages.
func (s *Screen) keep(stubs []model.Stub) tea.Cmd {
	all := slices.Clone(s.around.Stubs)
	for _, stub := range stubs {
		all = slices.DeleteFunc(all, stub.Replaces)
		if len(stub.Answers) > 0 {
			all = append(all, stub)
		}
	}
	s.around.Stubs = all
	s.around.Net = s.around.Net || len(all) > 0
	s.show()
	return s.tell()
}

// without is a stub that takes another one away.
func without(s model.Stub) model.Stub {
	s.Answers, s.Else, s.Repeat = nil, nil, false
	return s
}

// inject puts a stub at a host, in the place of all that was put there before.
func (s *Screen) inject(stub model.Stub) tea.Cmd {
	var stubs []model.Stub
	for _, h := range s.hosts {
		if h.HostKey() == stub.HostKey() {
			for _, old := range h.Injected {
				stubs = append(stubs, without(old))
			}
		}
	}
	return s.wish(append(stubs, stub)...)
}

// takeAway takes what was put at the host under the cursor away.
func (s *Screen) takeAway() tea.Cmd {
	h := s.at()
	stubs := make([]model.Stub, len(h.Injected))
	for i, old := range h.Injected {
		stubs[i] = without(old)
	}
	return s.wish(stubs...)
}

// own is the stub of a host that a person means: the one that was put there, or which
// answered the contact under the cursor, or the newest that any did.
func (s *Screen) own() (model.Stub, bool) {
	if m := s.met(); s.focus != onMap && m != nil && m.AnsweredBy != nil {
		return *m.AnsweredBy, true
	}
	h := s.at()
	if h != nil && len(h.Injected) > 0 {
		return h.Injected[0], true
	}
	for _, m := range newest(h) {
		if m.AnsweredBy != nil {
			return *m.AnsweredBy, true
		}
	}
	return model.Stub{}, false
}

// adopt asks for the stub that a person means to be put into the picked tests.
func (s *Screen) adopt() tea.Cmd {
	stub, ok := s.own()
	if !ok {
		return screen.ShowStatus("No stub answered there yet that could be put into a test: " + widget.KeyName(keyInject) + " puts one there")
	}
	return s.post.Send(screen.PutStub{Stub: stub})
}

// example is a stub of a host that was not seen yet.
var example = model.Stub{Host: "payments.example:443", Protocol: model.HTTP, Answers: []model.Answer{first(model.HTTP)}}

// begun is the stub with which a person begins to write one for a host.
func (s *Screen) begun() model.Stub {
	h := s.at()
	if stub, ok := s.own(); ok {
		return stub
	}
	stub := model.Stub{Host: h.Host, Protocol: h.Protocol, Inward: h.Inward}
	if !h.ProtocolKnown && kindOf(h) == outward && h.Protocol == model.TCP {
		stub.Protocol = model.HTTP
	}
	stub.Answers = []model.Answer{first(stub.Protocol)}
	return stub
}

// first is the answer with which a stub of a protocol begins.
func first(p model.Protocol) model.Answer {
	switch p {
	case model.HTTP:
		return model.Answer{Status: 200, Header: map[string]string{"Content-Type": "application/json"}, Body: "{}"}
	case model.DNS:
		return model.Answer{Records: []model.DNSRecord{{Type: "A", Value: "198.18.0.7"}}}
	}
	return model.Answer{Body: "hello\r\n"}
}
