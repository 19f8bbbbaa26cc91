package hostmodel

import (
	"cmp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Stub has the answers of one endpoint in a test. A stub of a test that was played must not be changed, because
// RecordSuccess may have kept it. A mutation changes a Clone instead.
type Stub struct {
	*endpoint
	protocol model.Protocol // the protocol of the endpoint, or else of its host; drawn if no protocol is known
	answers  []*answer
	// continues makes the answers of a TCP stub continue on the next connection instead of starting again; see
	// model.Stub.AnyConnection.
	continues bool
}

const (
	maxAnswers = 5 // maximum number of answers of a sampled stub
	maxProven  = 8 // maximum number of stubs in endpoint.proven

	moreTalk = 0.6  // probability of another answer, for TCP and inward stubs
	moreElse = 0.15 // probability of another answer, for other stubs

	continuesChance = 0.5 // probability of Stub.continues in a new stub, if the service connects several times in a test

	provenChance    = 0.4 // probability that a new stub is a copy of a proven one
	unchangedChance = 0.6 // probability that the copy is not changed
)

// RecordSuccess records the stubs of a test that reached a new place in the service's source. Later, new stubs of the
// same endpoints may be copies of these stubs, and other new stubs send the documents of these stubs more often.
func (h *Hosts) RecordSuccess(stubs []*Stub) {
	for _, s := range stubs {
		s.learnDocuments(slices.Concat(h.Vocabulary.Documents, h.Vocabulary.replies()))
		s.keepTable()
		all := s.endpoint.proven
		s.endpoint.proven = append(slices.Clip(all[max(0, len(all)-maxProven+1):]), s)
	}
}

// learnDocuments counts each of the known documents that the stub sends, in the field learned of the endpoint.
func (s *Stub) learnDocuments(known []*Document) {
	for _, a := range s.answers {
		if a.document == nil || !a.sendsBody() || !slices.Contains(known, a.document) {
			continue
		}
		if s.learned == nil {
			s.learned = map[*Document]int{}
		}
		s.learned[a.document]++
	}
}

// moreChance returns the probability that a new stub gets another answer.
func (s *Stub) moreChance() float64 {
	if s.protocol == model.TCP || s.inward {
		return moreTalk
	}
	return moreElse
}

// AdoptStub returns a Stub for a stub that was read from a file. The answers of the Stub have no
// genes, so a mutation can only replace or remove these answers.
func (h *Hosts) AdoptStub(s model.Stub) *Stub {
	observed := endpoint{host: s.Host, protocol: s.Protocol, inward: s.Inward, method: s.Match.Method, path: s.Match.Path}
	if s.Protocol.IsDatabase() {
		h.endpoints.setDatabase(observed)
		observed.match, observed.command = s.Match, commandOf(s.Match)
	}
	e := h.endpoints.get(observed, h.DeclaredResponses)
	own := &Stub{endpoint: e, protocol: s.Protocol, continues: s.AnyConnection}
	for _, a := range s.Answers {
		own.answers = append(own.answers, &answer{literal: &a})
	}
	return own
}

// Clone returns a deep copy, which may be changed.
func (s *Stub) Clone() *Stub {
	c := *s
	c.answers = make([]*answer, len(s.answers))
	for i, a := range s.answers {
		c.answers[i] = a.clone()
	}
	return &c
}

// Genes returns the genes of the bodies that a stub sends, of its statuses of gRPC, and of its headers.
func (s *Stub) Genes() (all []gene.Gene) {
	for _, a := range s.answers {
		if a.body != nil && a.sendsBody() {
			all = append(all, a.body)
		}
		if a.status != nil {
			all = append(all, a.status.code, a.status.message)
		}
		for _, h := range a.headers {
			all = append(all, h.value)
		}
	}
	return all
}

// Guesses reports whether the protocol of the stub was drawn by chance, because the protocol of its host was not
// known.
func (s *Stub) Guesses() bool { return s.isConnection() && s.answers[0].fault == "" }

// Host returns the host:port of the stub. For an inward stub it is the port of the service, such
// as ":7000".
func (s *Stub) Host() string { return s.host }

// LiteralStub returns the stub as a model.Stub.
func (s *Stub) LiteralStub() model.Stub {
	out := model.Stub{
		Host: s.host, Protocol: s.protocol, Inward: s.inward,
		Match:         s.literalMatch(),
		AnyConnection: s.continues && s.protocol == model.TCP,
	}
	for _, a := range s.answers {
		out.Answers = append(out.Answers, a.model(s.endpoint, s.protocol))
	}
	out.Repeat = len(out.Answers) > 1 && !s.inward && s.protocol != model.TCP
	return out
}

// literalMatch returns the condition under which the stub matches a message.
func (s *Stub) literalMatch() model.StubMatch {
	switch {
	case s.isConnection() && s.answers[0].fault != "" || !s.protocol.IsDatabase():
		return model.StubMatch{Method: s.method, Path: s.path}
	case s.endpoint.protocol.IsDatabase():
		return s.match
	}
	return definitions(s.protocol)
}

// inOrder sorts stubs by rank, and returns them. The order matters because the first stub that matches answers.
func inOrder(stubs []*Stub) []*Stub {
	slices.SortStableFunc(stubs, func(a, b *Stub) int { return cmp.Compare(a.rank(), b.rank()) })
	return stubs
}

// rank returns the position of a stub among the stubs of a test:
//   - 0 for a stub that refuses all connections to its host
//   - 2 for a stub that matches several paths of its host, or several resources
//   - 1 for all other stubs
func (s *Stub) rank() int {
	switch {
	case s.isConnection() && s.answers[0].fault != "":
		return 0
	case s.isWide(), s.isUse() && strings.Contains(s.host, "*"):
		return 2
	}
	return 1
}

// ShorterStubs returns copies of the stub. Each copy is shorter in one way. If the stub has several answers, there is a copy
// for each answer, without that answer. If an answer has several rows of a database, or several messages of a stream, there
// is a copy in which this answer has only the first row or message.
func (s *Stub) ShorterStubs() []*Stub {
	var all []*Stub
	for i, a := range s.answers {
		if len(s.answers) > 1 {
			c := s.Clone()
			c.answers = slices.Delete(c.answers, i, i+1)
			all = append(all, c)
		}
		if a.hasItems() && len(gene.Elements(a.body)) > 1 {
			c := s.Clone()
			gene.TruncateArray(c.answers[i].body, 1)
			all = append(all, c)
		}
	}
	return all
}

// keepTable gives later replies of the endpoint the same columns as the replies of this stub.
func (s *Stub) keepTable() {
	for _, a := range s.answers {
		if a.reply != nil && a.reply.table != nil {
			s.table = a.reply.table
		}
	}
}

// maxSilentCalls is the maximum number of calls in a test that has a silent host. In each call the
// service may wait for the host until its time-out.
const maxSilentCalls = 3

// limitSilence returns s. If the test has more than maxSilentCalls operations, limitSilence first replaces each fault with
// which the host is silent.
func (s *Stub) limitSilence(ops []model.OpID) *Stub {
	for _, a := range s.answers {
		if a.fault.IsSilent() && len(ops) > maxSilentCalls {
			a.fault = faults[s.protocol][0]
		}
	}
	return s
}
