package generate

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sonde/model"
)

// maxPlayed bounds the bytes that the hosts of a test send.
const maxPlayed = 4 << 20

// stubDraft is a stub that is being made.
type stubDraft struct {
	model.Stub
	loose int // how little it matches by: specific stubs come first
}

// stubs makes the stubs of all calls of a test, also of those that arrange, and the expectations
// of the parameter oracle (PO) on the calls to them. The error says why they cannot be made.
func (m *maker) stubs() string {
	var all []*stubDraft
	of := map[*recordedCall]*stubDraft{}
	nth, said := map[string]int{}, 0
	params := map[*recordedCall][]model.Expectation{}
	for _, s := range m.calls {
		for part, sent := range s.sent {
			if sent.Protocol == model.HTTP &&
				(sent.Reply.Truncated || sent.request.why != "" && sent.Request.Truncated) {
				return fmt.Sprintf("the answer of %s was not recorded completely", sent.called())
			}
			stub, wants := m.stub(s, part)
			nth[sent.Host]++
			said += sent.size()
			if said > maxPlayed {
				return fmt.Sprintf("the answers of its hosts are larger than %d MiB", maxPlayed>>20)
			}
			of[sent], params[sent] = join(&all, stub, nth[sent.Host]), wants
		}
	}
	slices.SortStableFunc(all, func(a, b *stubDraft) int { return a.loose - b.loose })
	for _, p := range all {
		if err := p.Validate(); err != nil {
			return "its hosts cannot be played: " + err.Error()
		}
		m.test.Stubs = append(m.test.Stubs, brief(p.Stub))
	}
	m.wanted(func(s *recordedCall) model.ExpectedCall {
		return model.ExpectedCall{Stub: slices.Index(all, of[s]), Params: params[s]}
	})
	return ""
}

// called returns the name of the host for people.
func (s *recordedCall) called() string {
	if s.Name != "" {
		return s.Name
	}
	return s.Host
}

// join adds a stub, or adds its answers to the script of the stub that matches the same messages.
func join(all *[]*stubDraft, p *stubDraft, nth int) *stubDraft {
	for _, old := range *all {
		if !same(old.Stub, p.Stub) {
			continue
		}
		switch {
		case p.Protocol != model.TCP:
			old.Answers = append(old.Answers, p.Answers...)
			return old
		case reflect.DeepEqual(old.Answers, p.Answers):
			return old
		}
		p.Match.Nth = nth // connections have the script for themselves
		p.loose--
	}
	*all = append(*all, p)
	return p
}

// brief returns a stub with one answer if all of its answers are the same: the last one stays.
func brief(s model.Stub) model.Stub {
	if s.Protocol != model.TCP && !slices.ContainsFunc(
		s.Answers, func(a model.Answer) bool { return !reflect.DeepEqual(a, s.Answers[0]) },
	) {
		s.Answers = s.Answers[:1]
	}
	return s
}

// same reports whether two stubs match the same messages.
func same(a, b model.Stub) bool {
	return a.Host == b.Host && a.Protocol == b.Protocol && reflect.DeepEqual(a.Match, b.Match)
}

// stub returns the stub of an outward call, which matches its stable parts, and the expectations
// on the call.
func (m *maker) stub(s *recordedExchange, part int) (*stubDraft, []model.Expectation) {
	sent := s.sent[part]
	p := &stubDraft{Stub: model.Stub{Host: sent.Host, Protocol: sent.Protocol, Answers: sent.answers()}}
	b := stubber{m: m, s: s, part: part, sent: sent, changing: map[string]*model.Expectation{}}
	for _, l := range sent.request.leaves {
		if e := b.expect(l); e != nil {
			b.changing[string(l.in)+l.name] = e
		}
	}
	if sent.Protocol == model.HTTP {
		p.Match = b.http()
	} else {
		p.Match = b.said()
	}
	p.loose = -len(p.Match.JSON) - len(p.Match.Equals) - len(p.Match.Regexp) - 10*len(p.Match.Query) -
		10*strings.Count(p.Match.Path, "/") + 20*strings.Count(p.Match.Path, "{")
	return p, b.params
}
