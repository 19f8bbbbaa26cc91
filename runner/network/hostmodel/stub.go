package hostmodel

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Stub is what one endpoint answers in a test. It is immutable once the test was returned
// to the search.
type Stub struct {
	*endpoint
	protocol model.Protocol // drawn where the endpoint has none
	answers  []*answer
}

const (
	maxAnswers = 5 // of a sampled stub
	maxProven  = 8 // stubs of an endpoint that led somewhere

	// The chances that a stub has another answer: of a dialogue, and of anything else.
	moreTalk = 0.6
	moreElse = 0.15

	provenChance    = 0.4 // that a new stub repeats one that led somewhere
	unchangedChance = 0.6 // that it repeats it without changes
)

// RecordSuccess lets later tests begin with stubs of a test that led to a new place in the
// service's source.
func (h *Hosts) RecordSuccess(stubs []*Stub) {
	for _, s := range stubs {
		all := s.endpoint.proven
		s.endpoint.proven = append(slices.Clip(all[max(0, len(all)-maxProven+1):]), s)
	}
}

// sample returns a stub for an endpoint: a new one, a proven one, or a neighbour of that.
func (h *Hosts) sample(r *rand.Rand, e *endpoint) *Stub {
	if len(e.proven) == 0 || r.Float64() >= provenChance {
		return h.fresh(r, e)
	}
	s := e.proven[r.IntN(len(e.proven))].Clone()
	switch {
	case s.isConnection() || r.Float64() < unchangedChance:
	case s.protocol != model.HTTP || r.IntN(2) == 0:
		h.extendStub(r, s, nil)
	default:
		h.changeValue(r, s)
	}
	return s
}

// changeValue changes a value of a stub. It is for stubs that are no dialogue, in which
// later answers don't depend on earlier ones.
func (h *Hosts) changeValue(r *rand.Rand, s *Stub) {
	if values := s.StubValues(); len(values) > 0 && r.IntN(2) == 0 {
		h.suggest(r, s.endpoint, values[r.IntN(len(values))].Field)
		return
	}
	gene.Mutate(r, s.Genes(), 0)
}

// fresh returns a new stub for an endpoint.
func (h *Hosts) fresh(r *rand.Rand, e *endpoint) *Stub {
	s := &Stub{endpoint: e, protocol: cmp.Or(e.protocol, e.spoken)}
	if e.isConnection() {
		s.answers = []*answer{{fault: connectionFaults[r.IntN(len(connectionFaults))]}}
		return s
	}
	if s.protocol == "" {
		s.protocol = []model.Protocol{model.HTTP, model.TCP}[r.IntN(2)]
	}
	for {
		s.answers = append(s.answers, h.answer(r, s))
		if len(s.answers) == maxAnswers || r.Float64() >= s.moreChance() {
			return s
		}
	}
}

func (s *Stub) moreChance() float64 {
	if s.protocol == model.TCP || s.inward {
		return moreTalk
	}
	return moreElse
}

// AdoptStub returns the stub of a test that was read from a file. Its answers stay as they
// are until a mutation replaces them.
func (h *Hosts) AdoptStub(s model.Stub) *Stub {
	e := h.endpoints.get(endpoint{
		host: s.Host, protocol: s.Protocol, inward: s.Inward,
		method: s.Match.Method, path: s.Match.Path,
	}, h.DeclaredResponses)
	own := &Stub{endpoint: e, protocol: s.Protocol}
	for _, a := range s.Answers {
		own.answers = append(own.answers, &answer{literal: &a})
	}
	return own
}

// Clone returns a copy that may be changed.
func (s *Stub) Clone() *Stub {
	c := *s
	c.answers = make([]*answer, len(s.answers))
	for i, a := range s.answers {
		c.answers[i] = a.clone()
	}
	return &c
}

// Genes returns the roots of the genes of a stub.
func (s *Stub) Genes() (all []gene.Gene) {
	for _, a := range s.answers {
		if a.body != nil && a.sendsBody() {
			all = append(all, a.body)
		}
		for _, h := range a.headers {
			all = append(all, h.value)
		}
	}
	return all
}

// Host returns the host that the stub answers for, or "" for the service's own ports.
func (s *Stub) Host() string { return s.host }

// LiteralStub returns the stub with literal answers.
func (s *Stub) LiteralStub() model.Stub {
	out := model.Stub{
		Host: s.host, Protocol: s.protocol, Inward: s.inward,
		Match: model.StubMatch{Method: s.method, Path: s.path},
	}
	for _, a := range s.answers {
		out.Answers = append(out.Answers, a.model(s.endpoint))
	}
	out.Repeat = len(out.Answers) > 1 && !s.inward && s.protocol != model.TCP
	return out
}

// inOrder sorts stubs into the order in which they are matched.
func inOrder(stubs []*Stub) []*Stub {
	slices.SortStableFunc(stubs, func(a, b *Stub) int { return cmp.Compare(a.rank(), b.rank()) })
	return stubs
}

// rank returns the order in which stubs answer: the first one that matches does. A stub
// that refuses connections applies to all endpoints of its host.
func (s *Stub) rank() int {
	switch {
	case s.isConnection() && s.answers[0].fault != "":
		return 0
	case s.isWide():
		return 2
	}
	return 1
}

// ShorterStubs returns stubs without one of the answers.
func (s *Stub) ShorterStubs() []*Stub {
	if len(s.answers) < 2 {
		return nil
	}
	var all []*Stub
	for i := range s.answers {
		c := s.Clone()
		c.answers = slices.Delete(c.answers, i, i+1)
		all = append(all, c)
	}
	return all
}

// maxMuteCalls is how many calls a test may have in which a host is mute: each may wait as
// long as the service's timeout.
const maxMuteCalls = 3

// limitMute replaces mute answers in a long test.
func (s *Stub) limitMute(ops []model.OpID) *Stub {
	for _, a := range s.answers {
		if a.fault == model.NetMute && len(ops) > maxMuteCalls {
			a.fault = faults[s.protocol][0]
		}
	}
	return s
}
