package hostmodel

import (
	"cmp"
	"math/rand/v2"
	"regexp"

	"sonde/model"
)

// endpoint is what a stub answers for: a host with its protocol and, for HTTP, the method
// and path. Where only a connection was seen, the protocol is "": such a connection
// endpoint decides whether connections to its host are accepted, for all of its other
// endpoints.
type endpoint struct {
	host         string
	protocol     model.Protocol // "" of a connection endpoint
	inward       bool           // a port of the service, which the hosts connect to
	method, path string
	kind         string // of a DNS lookup

	spoken   model.Protocol  // of a connection endpoint, "" while nothing was sent
	asks     []*model.Schema // of JSON that was sent there
	expected map[string][]Expected
	proven   []*Stub // that led to a new place in the service's source
	answers  []model.Response
	waited   int  // how often the service waited there for long without an answer
	always   bool // it belongs to all tests: the service listens since it was started
}

// endpointOf returns the endpoint of a contact. HTTP that is sent to a host whose protocol
// was unknown is recognised by its first line.
func endpointOf(c model.Contact) endpoint {
	e := endpoint{host: c.Host, protocol: c.Protocol, inward: c.Inward}
	request := c.Request
	if m := requestLine.FindSubmatch(c.Data); m != nil && c.Protocol == model.TCP {
		e.protocol, request.Method, request.URL = model.HTTP, string(m[1]), string(m[2])
	}
	switch {
	case c.Kind == model.ContactLookup:
		e.kind = string(c.Data)
	case c.Inward, c.Kind == model.ContactListen:
		e.inward = true
	case c.Kind == model.ContactDial && c.Protocol == model.TCP:
		e.protocol = ""
	case e.protocol == model.HTTP:
		e.method, e.path = request.Method, pathPattern(request.URL)
	}
	return e
}

var requestLine = regexp.MustCompile(`^([A-Z]+) (\S+) HTTP/1\.[01]\r?\n`)

// canStub reports whether a stub can answer for an endpoint: a service may dial anything.
func (e *endpoint) canStub() bool {
	s := model.Stub{
		Host: e.host, Protocol: cmp.Or(e.protocol, model.TCP), Inward: e.inward,
		Answers: []model.Answer{{}},
	}
	return s.Validate() == nil
}

// is reports whether two endpoints are the same.
func (e *endpoint) is(other endpoint) bool {
	return e.host == other.host && e.inward == other.inward && e.protocol == other.protocol &&
		e.method == other.method && e.path == other.path && e.kind == other.kind
}

// isWide reports whether an endpoint represents all paths of its host that have no endpoint of their
// own.
func (e *endpoint) isWide() bool { return e.protocol == model.HTTP && e.path == "" }

// isConnection reports whether an endpoint is a connection endpoint whose protocol is
// known.
func (e *endpoint) isConnection() bool { return e.protocol == "" && e.spoken != "" }

// longWait is a wait in milliseconds that is worth avoiding.
const longWait = 100

// maxAsks is how many schemas of what is sent to an endpoint are kept.
const maxAsks = 4

// learn keeps the shape of what was sent to an endpoint.
func (e *endpoint) learn(c model.Contact) {
	if c.Outcome == string(model.NetMute) && c.Took > longWait {
		e.waited++
	}
	if s := schemaOf(c.Request.Body); s != nil && len(e.asks) < maxAsks {
		e.asks = append(e.asks, s)
	}
}

// The chances that a new test differs from what the service is used to.
const (
	// absentChance is how often a host that a test uses has no stub.
	absentChance = 0.1
	// nameChance is how often a name is answered with something else than its address, and
	// how often a host refuses connections whose protocol is known.
	nameChance = 0.1
)

// wanted reports whether a new test has a stub for an endpoint.
func (e *endpoint) wanted(r *rand.Rand) bool {
	if e.protocol == model.DNS && e.resolves() || e.isConnection() {
		return r.Float64() < nameChance
	}
	return r.Float64() >= absentChance
}

// resolves reports whether the endpoint is a lookup of a name's address.
func (e *endpoint) resolves() bool {
	switch e.kind {
	case "host", "ip4", "ip6", "ip", "":
		return true
	}
	return false
}

// maxCallers is how many stubs call one port of the service in a test.
const maxCallers = 3

// hasEnough reports whether there are enough stubs for an endpoint: one, but several for a
// port of the service, each of which is another caller.
func (e *endpoint) hasEnough(stubs []*Stub) bool {
	n := 0
	for _, s := range stubs {
		if s.endpoint == e {
			n++
		}
	}
	return n >= maxCallers || n > 0 && !(e.inward && e.protocol == model.TCP)
}
