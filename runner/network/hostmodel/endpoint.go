package hostmodel

import (
	"cmp"
	"math/rand/v2"
	"regexp"
	"slices"

	"sonde/model"
)

// endpoint is the part of a host that one stub plays: a protocol and, for HTTP, a method and a path. A connection
// endpoint has no protocol. It represents the connections to its host, and its stub can refuse all of them.
type endpoint struct {
	host         string
	protocol     model.Protocol // "" for a connection endpoint
	inward       bool           // the endpoint is a port of the service, to which hosts connect
	method, path string
	kind         string // of a DNS lookup, such as "host" or "mx"

	match     model.StubMatch // the match of a stub for requests to a database
	command   string          // of a database: the query, or the command of Redis; "" if no request is known
	arguments []string        // arguments of requests to a database, the latest last
	words     []string        // the last command of Redis and its arguments, at most maxRedisWords
	table     *table          // for queries, the columns of the last reply; nil before the first reply

	grpc         bool                  // HTTP: one method of gRPC, or all other methods; a connection: its host speaks gRPC
	hostProtocol model.Protocol        // for a connection endpoint, the protocol of its host; "" if not known
	reconnects   bool                  // for TCP: the service connected to the host several times in a test
	secure       bool                  // for a connection endpoint: the service was seen to use TLS
	refused      bool                  // for a connection endpoint: a connection was refused, because no stub accepted it
	sentSchemas  []*model.Schema       // schemas of JSON that the service sent
	expected     map[string][]Expected // values that the service is known to expect, by name of a value; see Stub.RecordExpected
	proven       []*Stub               // see Hosts.RecordSuccess
	learned      map[*Document]int     // by document, the number of tests that had it and that RecordSuccess recorded
	answers      []model.Response      // responses that the host's spec declares
	uses         []string              // for a resource of the environment: the actions by which it was used
	waited       map[silence]int       // by kind of silence, how often the service waited longer than longWait during it
	silent       bool                  // for TCP: the service was seen to wait, and never to send anything
	spoke        bool                  // for TCP: the service sent something
	always       bool                  // used in all tests, because the service used it outside of calls
}

// endpointOf returns the endpoint of a contact. It recognises HTTP in raw TCP data by the
// request line, and databases by what their clients send first.
func endpointOf(c model.Contact) endpoint {
	if p := databaseProtocol(c); p != "" {
		return databaseEndpoint(c, p)
	}
	e := endpoint{host: c.Host, protocol: c.Protocol, inward: c.Inward, secure: c.TLS}
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
		e.method, e.path, e.grpc = request.Method, pathPattern(request.URL), isGRPC(request)
		if e.grpc {
			e.path = request.URL // names of packages and methods may have digits
		}
	}
	return e
}

var requestLine = regexp.MustCompile(`^([A-Z]+) (\S+) HTTP/1\.[01]\r?\n`)

// canStub reports whether a search may make a stub for the endpoint. It returns false if isPlayed returns false, or
// if the stub would be invalid, for example because the service dialed an address without a host.
func (e *endpoint) canStub() bool {
	if !e.isPlayed() {
		return false
	}
	s := model.Stub{
		Host: e.host, Protocol: cmp.Or(e.protocol, model.TCP), Inward: e.inward,
		Answers: []model.Answer{e.plainAnswer()}, Match: e.match,
	}
	return s.Validate() == nil
}

// is reports whether two endpoints are the same.
func (e *endpoint) is(other endpoint) bool {
	return e.host == other.host && e.inward == other.inward && e.protocol == other.protocol &&
		e.method == other.method && e.path == other.path && e.kind == other.kind &&
		e.match.JSON == other.match.JSON && e.match.Regexp == other.match.Regexp && e.match.Equals == other.match.Equals
}

// isWide reports whether an endpoint of HTTP has no path. Such an endpoint is for all paths of its
// host and method that have no endpoint of their own.
func (e *endpoint) isWide() bool { return e.protocol == model.HTTP && e.path == "" }

// isConnection reports whether an endpoint is a connection endpoint for a host whose protocol is
// known.
func (e *endpoint) isConnection() bool { return e.protocol == "" && e.hostProtocol != "" }

// longWait is the number of milliseconds above which endpoint.waited counts a wait.
const longWait = 100

// maxAsks is the maximum number of schemas in endpoint.sentSchemas.
const maxAsks = 4

// silence is a kind of silence of a host: the fault, and whether the host sends a part of the body before it becomes
// silent.
type silence struct {
	fault model.NetFault
	begun bool
}

// learnSilence counts a wait if the service waited longer than longWait in the contact c because its host was silent. a
// is the answer of the stub.
func (e *endpoint) learnSilence(c model.Contact, a model.Answer) {
	if !a.Fault.IsSilent() || c.Took <= longWait {
		return
	}
	if e.waited == nil {
		e.waited = map[silence]int{}
	}
	e.waited[e.silence(a.Fault, a.After)]++
}

// silence returns the kind of silence of a host with a fault. after is the number of bytes of the body that the host
// sends before it becomes silent. For gRPC, silence returns the same value for all methods and faults, because a
// service mostly has one time-out for all methods of a host.
func (e *endpoint) silence(fault model.NetFault, after int) silence {
	if e.grpc {
		return silence{}
	}
	return silence{fault, after > 0}
}

// learn records what a contact reveals about its endpoint, such as the schema of a JSON body that the service sent, or
// the arguments of a request to a database.
func (e *endpoint) learn(c model.Contact) {
	if action := c.Action(); e.isUse() && !slices.Contains(e.uses, action) {
		e.uses = append(e.uses, action)
	}
	e.refused = e.refused || c.Kind == model.ContactDial && c.Stub < 0 && c.Outcome == "refused"
	if e.protocol == model.TCP && !e.inward && c.Kind == model.ContactMessage {
		e.spoke = e.spoke || len(c.Data) > 0
		e.silent = !e.spoke
	}
	if e.protocol.IsDatabase() {
		e.learnArguments(c)
		return
	}
	if s := schemaOf(c.Request.Body); s != nil && len(e.sentSchemas) < maxAsks {
		e.sentSchemas = append(e.sentSchemas, s)
	}
}

const (
	// absentChance is the probability that an endpoint has no stub in a new test. A mutation
	// removes a stub with the same probability.
	absentChance = 0.1
	// nameChance is the probability that a new test has a stub for an endpoint for which
	// isReachability reports true, such as a lookup of addresses.
	nameChance = 0.1
	// unseenChance is the probability that a new test sets the value of a resource of the environment, such as the
	// name of the machine. It holds until the service was seen to compare the value.
	unseenChance = 0.15
)

// isStubbed decides by chance whether a new test has a stub for an endpoint.
func (s *endpointSet) isStubbed(r *rand.Rand, e *endpoint) bool {
	switch {
	case s.staysReachable(e):
		return false
	case e.makesExist():
		return true
	case e.isReachability():
		return r.Float64() < nameChance
	case !e.matters():
		return r.Float64() < unseenChance
	}
	return r.Float64() >= absentChance
}

// resolves reports whether a lookup asks for addresses. It returns true for an endpoint that is not a lookup.
func (e *endpoint) resolves() bool {
	switch e.kind {
	case "host", "ip4", "ip6", "ip", "a", "aaaa", "":
		return true
	}
	return false
}

// isReachability reports whether a stub of the endpoint mainly decides whether something works. This holds for:
//   - a connection endpoint: without a stub, the service reaches the host
//   - a lookup of addresses: without a stub, the name has an address
//   - a request that begins or ends a transaction of a database: without a stub, the request succeeds
//   - a resource of the environment without a value, such as a file: without a stub, the resource works
func (e *endpoint) isReachability() bool {
	return e.isConnection() || e.protocol == model.DNS && e.resolves() || e.isTransaction() || e.isUse()
}

// maxCallers is the maximum number of stubs in a test that call the same port of the service.
const maxCallers = 3

// hasEnough reports whether the stubs of a test have the maximum number of stubs for the endpoint.
// The maximum is maxCallers for a TCP port of the service, because each stub is another caller, and
// 1 for other endpoints.
func (e *endpoint) hasEnough(stubs []*Stub) bool {
	n := 0
	for _, s := range stubs {
		if s.endpoint == e {
			n++
		}
	}
	return n >= maxCallers || n > 0 && !(e.inward && e.protocol == model.TCP)
}
