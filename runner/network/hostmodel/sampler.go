package hostmodel

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// sampler draws stubs, their answers, and the values in the answers.
type sampler struct {
	*rand.Rand

	vocabulary *Vocabulary
	endpoints  *endpointSet
	faultless  bool // no stub refuses connections and no answer has a fault; see Hosts.Faultless
}

func (h *Hosts) sampler(r *rand.Rand) sampler {
	return sampler{Rand: r, vocabulary: &h.Vocabulary, endpoints: &h.endpoints, faultless: h.Faultless}
}

// sample returns a stub for an endpoint: a new stub, or a copy of a proven stub (see RecordSuccess). Sometimes it
// extends or changes the copy.
func (sa sampler) sample(e *endpoint) *Stub {
	if len(e.proven) == 0 || sa.Float64() >= provenChance {
		return sa.fresh(e)
	}
	s := e.proven[sa.IntN(len(e.proven))].Clone()
	switch {
	case s.isConnection() || sa.Float64() < unchangedChance:
	case !s.protocol.IsDatabase() && (s.protocol != model.HTTP || sa.IntN(2) == 0):
		sa.extendStub(s, nil)
	default:
		sa.changeValue(s)
	}
	return s
}

// changeValue sets a value of a stub to a text that the service may look for, or mutates the stub's
// genes.
func (sa sampler) changeValue(s *Stub) {
	if values := s.StubValues(); len(values) > 0 && sa.IntN(2) == 0 {
		sa.suggest(s.endpoint, values[sa.IntN(len(values))].Field)
		return
	}
	gene.Mutate(sa.Rand, s.Genes(), gene.Pace{})
}

// fresh returns a new stub for an endpoint.
func (sa sampler) fresh(e *endpoint) *Stub {
	s := &Stub{endpoint: e, protocol: cmp.Or(e.protocol, e.hostProtocol)}
	if e.isConnection() {
		possible := connectionFaults
		if e.secure {
			possible = slices.Concat(connectionFaults, certificateFaults)
		}
		s.answers = []*answer{{fault: possible[sa.IntN(len(possible))]}}
		return s
	}
	if s.protocol == "" || e.silent {
		s.protocol = sa.guessProtocol(e)
	}
	s.continues = e.reconnects && sa.Float64() < continuesChance
	for {
		s.answers = append(s.answers, sa.answer(s))
		if len(s.answers) == maxAnswers || sa.Float64() >= s.moreChance() {
			return s
		}
	}
}

// mysqlPort is the usual port of MySQL.
const mysqlPort = ":3306"

// guessProtocol draws a protocol for a host whose protocol is not known. A server of MySQL sends the first message of a
// connection. So if the service waits for a host without sending anything, and has a driver of MySQL, the host may be such
// a server.
func (sa sampler) guessProtocol(e *endpoint) model.Protocol {
	possible := []model.Protocol{model.HTTP, model.TCP}
	if len(sa.vocabulary.Methods) > 0 {
		possible = possible[:1] // a client of gRPC avoids a host for some time after an answer that is not HTTP
	}
	switch {
	case strings.HasSuffix(e.host, mysqlPort):
		return model.MySQL
	case e.silent && !sa.vocabulary.HasMySQL:
		return e.protocol
	case e.silent:
		possible = []model.Protocol{model.TCP, model.MySQL}
	case sa.vocabulary.HasMySQL:
		possible = append(possible, model.MySQL)
	}
	return possible[sa.IntN(len(possible))]
}

// answering returns a stub for an endpoint. All answers of the stub succeed, as far as drawFaultless finds such
// answers. The stub is a copy of a proven stub (see RecordSuccess), or new.
func (sa sampler) answering(e *endpoint) *Stub {
	proven := slices.DeleteFunc(slices.Clone(e.proven), func(s *Stub) bool { return !s.succeeds() })
	if len(proven) > 0 && sa.Float64() < provenChance {
		return proven[sa.IntN(len(proven))].Clone()
	}
	s := sa.fresh(e)
	if s.protocol == model.HTTP {
		s.answers = s.answers[:1]
	}
	for i := range s.answers {
		s.answers[i] = sa.drawFaultless(s)
	}
	return s
}

const (
	maxFills    = 20   // maximum number of times that drawFaultless draws the content of an answer
	shortChance = 0.75 // probability that drawFaultless truncates a list, or the lines of a text, to one element
)

// drawFaultless returns a new answer without a fault. It draws the content until the answer succeeds, such as an answer
// of HTTP with status 2xx, but at most maxFills times. A document has all its optional values.
func (sa sampler) drawFaultless(s *Stub) *answer {
	a := &answer{}
	for range maxFills {
		sa.fill(s, a)
		if a.succeeds(s.protocol) {
			break
		}
	}
	switch {
	case a.body == nil:
	case a.reply != nil:
		gene.FillOptional(sa.Rand, a.body)
	case a.form == structured:
		gene.FillOptional(sa.Rand, a.body)
		shorten(sa.Rand, a.body)
	case sa.Float64() < shortChance:
		gene.TruncateArray(a.body, 1)
	}
	return a
}

// succeeds reports whether no answer of a stub has a fault or is an error.
func (s *Stub) succeeds() bool {
	return !slices.ContainsFunc(s.answers, func(a *answer) bool { return a.fault != "" || !a.succeeds(s.protocol) })
}

// succeeds reports whether an answer of a protocol reports success: status 2xx of HTTP, status 0 of gRPC, or any reply of
// another protocol that is not an error.
func (a *answer) succeeds(p model.Protocol) bool {
	switch {
	case a.status != nil:
		return a.status.isOK() && !a.status.missing
	case p == model.HTTP:
		return a.statusCode()/100 == 2
	}
	return !a.isError()
}

// shorten truncates most lists in a value to one element, because a service that checks each element accepts short lists
// more often.
func shorten(r *rand.Rand, g gene.Gene) {
	if r.Float64() < shortChance {
		gene.TruncateArray(g, 1)
	}
	for _, item := range gene.Elements(g) {
		shorten(r, item)
	}
	for _, field := range gene.PresentFields(g) {
		shorten(r, field.Gene)
	}
}
