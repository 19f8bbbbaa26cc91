package hostmodel

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/assets/wire"
	"sonde/model"
	"sonde/runner/search/gene"
)

// This file has the answers of hosts that speak gRPC. Each method is an endpoint of HTTP. One more endpoint of the host
// has no path. The stub of this endpoint answers the methods that have no stub of their own. The virtual network
// therefore never refuses a connection to the host: clients of gRPC remember for seconds that a host refused one.

// Probabilities with which the properties of an answer of gRPC are drawn.
const (
	webAnswerChance  = 0.05 // probability that the answer is one of HTTP, as from a proxy
	callErrorChance  = 0.3  // probability that the call fails
	knownCodeChance  = 0.7  // probability that the status of an error is one of Vocabulary.StatusCodes, if there are any
	noTrailerChance  = 0.03 // probability that the status is missing if the call does not fail
	asTrailerChance  = 0.3  // probability that the host sends a header after the messages
	emptyReplyChance = 0.5  // probability that the reply to a method is empty, if the method is not in Vocabulary.Methods
)

// Names of trailers of gRPC.
const (
	grpcStatus  = "Grpc-Status"
	grpcMessage = "Grpc-Message"
)

// usualCodes are the status codes of errors that services often handle in a special way.
var usualCodes = []int{1, 2, 3, 4, 5, 7, 8, 13, 14, 16}

// emptyMessage is a message without fields, the reply to a method about which nothing is known.
var emptyMessage = &Document{
	Format: model.Format{Encoding: model.GRPCEncoding}, Schema: &model.Schema{Type: "object", Closed: true},
}

// isGRPC reports whether a request calls a method of gRPC.
func isGRPC(r model.Request) bool {
	for name, values := range r.Header {
		if strings.EqualFold(name, contentType) && len(values) > 0 {
			return wire.IsGRPC(values[0])
		}
	}
	return false
}

// callStatus is the status of gRPC with which an answer ends.
type callStatus struct {
	code    gene.Gene
	message gene.Gene // sent only with an error
	missing bool      // the host sends no status
}

func (c *callStatus) clone() *callStatus {
	if c == nil {
		return nil
	}
	return &callStatus{code: c.code.Clone(), message: c.message.Clone(), missing: c.missing}
}

// values returns the values of the status. The value of the code has the name "code", after Go's function
// status.Code.
func (c *callStatus) values() []gene.Field {
	all := []gene.Field{{Name: "code", Gene: c.code}}
	if !c.isOK() {
		all = append(all, gene.Field{Name: "message", Gene: c.message})
	}
	return all
}

func (c *callStatus) isOK() bool { return gene.Text(c.code) == "0" }

// addCallAnswer gives an answer of a host of gRPC new messages, a status and headers.
func (sa sampler) addCallAnswer(s *Stub, a *answer) {
	a.form, a.document, a.code = structured, sa.vocabulary.replyOf(sa.Rand, s), nil
	sa.addMessages(s, a)
	sa.addCallStatus(s, a)
}

// addMessages gives an answer of gRPC new messages, which have the schema of the answer's document.
func (sa sampler) addMessages(s *Stub, a *answer) {
	a.media = gene.New(&model.Schema{Type: "string", Enum: []any{a.mediaType()}})
	a.body = gene.New(a.document.Schema)
	a.body.Sample(sa.Rand)
	if sa.Float64() < completeChance {
		gene.FillOptional(sa.Rand, a.body)
	}
	sa.suggest(s.endpoint, gene.Field{Gene: a.body})
}

// addCallStatus gives an answer of gRPC a new status, and new headers.
func (sa sampler) addCallStatus(s *Stub, a *answer) {
	least, most := 0.0, 16.0
	status := &callStatus{code: gene.New(&model.Schema{Type: "integer", Min: &least, Max: &most})}
	status.message = gene.New(&model.Schema{Type: "string"})
	status.message.Sample(sa.Rand)
	code := 0
	switch known := sa.vocabulary.StatusCodes; {
	case sa.Float64() >= callErrorChance:
		status.missing = sa.Float64() < noTrailerChance
	case len(known) > 0 && sa.Float64() < knownCodeChance:
		code = known[sa.IntN(len(known))]
	default:
		code = usualCodes[sa.IntN(len(usualCodes))]
	}
	status.code.SetValue(float64(code))
	a.status = status
	for _, v := range status.values()[1:] {
		sa.suggest(s.endpoint, v)
	}
	sa.addHeaders(s.endpoint, a)
	a.headers = slices.DeleteFunc(a.headers, func(one header) bool {
		name := strings.ToLower(one.name)
		return name == "content-type" || strings.HasPrefix(name, "grpc-")
	})
	for i := range a.headers {
		a.headers[i].isTrailer = sa.Float64() < asTrailerChance
	}
}

// replyOf returns the messages with which a host answers a method. If the source has no client for the method, replyOf draws either
// emptyMessage or the messages of another method.
func (v *Vocabulary) replyOf(r *rand.Rand, s *Stub) *Document {
	if d := v.Methods[s.path]; d != nil {
		return d
	}
	if len(v.Methods) == 0 || s.isWide() || r.Float64() < emptyReplyChance {
		return emptyMessage
	}
	return knownDocument(r, v.replies(), s.learned)
}

// replies returns the messages of all methods in Methods, in the order of their paths.
func (v *Vocabulary) replies() (all []*Document) {
	var paths []string
	for path := range v.Methods {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		all = append(all, v.Methods[path])
	}
	return all
}

// isStream reports whether an answer of gRPC is a stream, which may have any number of messages.
func (a *answer) isStream() bool { return a.document.Schema.Type == "array" }

// sendsMessages reports whether an answer of gRPC has messages. An error has messages only in a stream. A fault may still cut
// the messages off.
func (a *answer) sendsMessages() bool { return a.status.isOK() || a.isStream() }

// addCall adds the headers and trailers of a gRPC answer to out. If the answer has no messages, addCall puts the trailers into the
// header, as clients require.
func (a *answer) addCall(out *model.Answer) {
	out.Header, out.Trailer = model.HeaderFields{contentType: []string{gene.Text(a.media)}}, model.HeaderFields{}
	for _, h := range a.headers {
		to := out.Header
		if h.isTrailer {
			to = out.Trailer
		}
		to[h.name] = []string{strings.Map(printable, gene.Text(h.value))}
	}
	if !a.status.missing {
		out.Trailer[grpcStatus] = []string{gene.Text(a.status.code)}
	}
	if !a.status.missing && !a.status.isOK() {
		out.Trailer[grpcMessage] = []string{escapeMessage(gene.Text(a.status.message))}
	}
	if !a.sendsMessages() || a.isStream() && len(gene.Elements(a.body)) == 0 {
		*out = out.WithContent(nil)
		maps.Copy(out.Header, out.Trailer)
		out.Trailer = nil
	}
}

// escapeMessage returns the message of a status as gRPC sends it: with percent-encoding.
func escapeMessage(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c < ' ' || c > '~' || c == '%' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// callCount returns the number of endpoints of gRPC that a host has.
func (s *endpointSet) callCount(host string) (n int) {
	for _, e := range s.all {
		if e.host == host && e.grpc {
			n++
		}
	}
	return n
}

// setGRPC records that the host of a method speaks gRPC. It adds the endpoint for methods without an endpoint of their
// own, and makes all methods of the host share one count of waits.
func (s *endpointSet) setGRPC(method *endpoint) {
	s.get(endpoint{host: method.host}, nil).grpc = true
	others := s.get(endpoint{host: method.host, protocol: model.HTTP, method: "POST", grpc: true}, nil)
	if others.waited == nil {
		others.waited = map[silence]int{}
	}
	method.grpc, method.waited = true, others.waited
}

// makesExist reports whether the endpoint is for the methods of a gRPC host that have no endpoint of their own. Each
// test that uses the host has a stub of this endpoint, so that the service can always connect to the host.
func (e *endpoint) makesExist() bool { return e.grpc && e.isWide() }
