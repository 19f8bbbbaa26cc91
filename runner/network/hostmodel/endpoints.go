package hostmodel

import (
	"math/rand/v2"
	"net"
	"slices"
	"strings"

	"sonde/model"
)

// Bounds of an endpointSet.
const (
	// maxEndpoints is the maximum number of endpoints in the set. The bound is needed because a
	// service may invent names.
	maxEndpoints = 64
	// maxPaths is the maximum number of paths of a host and method that have endpoints of their
	// own. One more endpoint represents all other paths.
	maxPaths = 4
	// maxNamed is the maximum number of endpoints of hosts that a test named, for example in a parameter. Without
	// this bound, each value that the search tries as the name of a host would add an endpoint.
	maxNamed = 8
	// maxRequests is the maximum number of endpoints of one database, or of one host of gRPC. maxEndpoints does not count
	// these endpoints.
	maxRequests = 128
	// maxResources is the maximum number of resources of the environment without a value, such as files and ports.
	// maxEndpoints does not count these resources.
	maxResources = 48
	// maxFiles is the maximum number of files in a folder that have endpoints of their own. One more endpoint represents all
	// other files.
	maxFiles = 6
	// maxHosts is the maximum number of hosts in endpointSet.named.
	maxHosts = 4096
)

// endpointSet has the endpoints that the service was seen to use.
type endpointSet struct {
	all   []*endpoint // in the order in which they were seen
	byOp  map[model.OpID][]*endpoint
	named map[string]bool // hosts; the value is true if a test named the host before the service used it
}

// link records that an operation uses an endpoint.
func (s *endpointSet) link(op model.OpID, e *endpoint) {
	if s.byOp == nil {
		s.byOp = map[model.OpID][]*endpoint{}
	}
	if !slices.Contains(s.byOp[op], e) {
		s.byOp[op] = append(s.byOp[op], e)
	}
}

// ofContact returns the endpoint of a contact. It adds a new endpoint to the set. It returns nil in these cases:
//   - The search makes no stubs for the endpoint (see canStub).
//   - The service sent TCP data of another protocol to a host that speaks HTTP or the protocol of a database.
//   - The endpoint is new, and the set has no room for it (see isFull).
func (s *endpointSet) ofContact(c model.Contact, declared func(host, method, path string) []model.Response) *endpoint {
	seen := endpointOf(c)
	if !seen.canStub() || !s.setProtocol(seen) {
		return nil
	}
	if seen.protocol == model.HTTP && !seen.grpc && !s.has(seen) && s.pathCount(seen) >= maxPaths {
		seen.path = ""
	}
	if seen.isUse() && !s.has(seen) && s.fileCount(seen) >= maxFiles {
		seen.host = folderOf(seen.host) + "*"
	}
	if !s.has(seen) && s.isFull(seen) {
		return nil
	}
	e := s.get(seen, declared)
	if seen.grpc {
		s.setGRPC(e)
	}
	e.learn(c)
	return e
}

// isFull reports whether the set has no room for a new endpoint.
func (s *endpointSet) isFull(seen endpoint) bool {
	switch {
	case seen.protocol.IsDatabase():
		return s.requestCount(seen.host) >= maxRequests
	case seen.grpc:
		return s.callCount(seen.host) >= maxRequests
	}
	others, resources := 0, 0
	for _, e := range s.all {
		switch {
		case e.isUse():
			resources++
		case !e.protocol.IsDatabase() && !e.grpc:
			others++
		}
	}
	if seen.isUse() {
		return resources >= maxResources
	}
	return others >= maxEndpoints || s.named[seen.host] && s.namedCount() >= maxNamed
}

// recordReconnects records the hosts to which the service connected several times in a test.
func (s *endpointSet) recordReconnects(contacts []model.Contact) {
	connections := map[string]int{}
	for _, c := range contacts {
		if c.Kind == model.ContactDial && c.Protocol == model.TCP && !c.Inward {
			connections[c.Host]++
		}
	}
	for _, e := range s.all {
		if e.protocol == model.TCP && !e.inward && connections[e.host] > 1 {
			e.reconnects = true
		}
	}
}

// setProtocol records whether a host speaks HTTP, the protocol of a database or another protocol over TCP, and whether the
// service uses TLS. If the host speaks HTTP or is a database, setProtocol removes the TCP endpoints of the host. It returns
// false if the service sent other TCP data to such a host.
func (s *endpointSet) setProtocol(observed endpoint) bool {
	if observed.protocol.IsDatabase() {
		s.setDatabase(observed)
		return true
	}
	if observed.protocol != model.HTTP && observed.protocol != model.TCP || observed.inward {
		return true
	}
	connection := s.get(endpoint{host: observed.host}, nil)
	isKnown := connection.hostProtocol == model.HTTP || connection.hostProtocol.IsDatabase()
	if isKnown && connection.hostProtocol != observed.protocol {
		return false
	}
	connection.hostProtocol, connection.secure = observed.protocol, connection.secure || observed.secure
	if connection.hostProtocol == model.HTTP {
		s.all = slices.DeleteFunc(s.all, func(e *endpoint) bool {
			return e.host == observed.host && e.protocol == model.TCP && !e.inward
		})
	}
	return true
}

// pathCount returns the number of HTTP endpoints that have a path, and the host and method of the
// given endpoint.
func (s *endpointSet) pathCount(of endpoint) (n int) {
	for _, e := range s.all {
		if e.protocol == model.HTTP && !e.grpc && e.host == of.host && e.method == of.method && e.path != "" {
			n++
		}
	}
	return n
}

// fileCount returns the number of endpoints that are files in the same folder as a given file. It returns 0 if the
// given endpoint is not a file.
func (s *endpointSet) fileCount(of endpoint) (n int) {
	for _, e := range s.all {
		if model.IsFileResource(of.host) && e.isUse() && folderOf(e.host) == folderOf(of.host) {
			n++
		}
	}
	return n
}

// folderOf returns the folder of a file, with the slash at its end.
func folderOf(file string) string { return file[:strings.LastIndex(file, "/")+1] }

// get returns the endpoint of the set that is the same as observed. If there is none, it adds observed,
// with the responses that the host's spec declares, and returns it. declared may be nil.
func (s *endpointSet) get(observed endpoint, declared func(host, method, path string) []model.Response) *endpoint {
	for _, e := range s.all {
		if e.is(observed) {
			return e
		}
	}
	if declared != nil && observed.protocol == model.HTTP && observed.method != "" {
		observed.answers = declared(observed.host, observed.method, observed.path)
	}
	s.all = append(s.all, &observed)
	return &observed
}

func (s *endpointSet) has(observed endpoint) bool {
	return slices.ContainsFunc(s.all, func(e *endpoint) bool { return e.is(observed) })
}

// usedBy returns the endpoints that any of these operations was seen to use, and the endpoints that all tests use.
// withExisting adds further endpoints to the result.
func (s *endpointSet) usedBy(ops []model.OpID) []*endpoint {
	var all []*endpoint
	for _, e := range s.all {
		linked := func(op model.OpID) bool { return slices.Contains(s.byOp[op], e) }
		if e.always || slices.ContainsFunc(ops, linked) {
			all = append(all, e)
		}
	}
	return s.withExisting(all)
}

// anyHost draws a known endpoint and returns the name of its host, sometimes with the port. It returns "" if it drew a
// lookup or a port of the service, and if no host is known.
func (s *endpointSet) anyHost(r *rand.Rand) string {
	all := s.hosts()
	if len(all) == 0 {
		return ""
	}
	e := all[r.IntN(len(all))]
	name, _, err := net.SplitHostPort(e.host)
	if e.inward || err != nil || r.IntN(2) == 0 {
		return name
	}
	return e.host
}

// hosts returns all endpoints except resources of the environment.
func (s *endpointSet) hosts() []*endpoint {
	return slices.DeleteFunc(slices.Clone(s.all), func(e *endpoint) bool { return e.protocol == model.Environment })
}

// anyName returns the name of a known host, without its port. It returns "" if no host is known.
func (s *endpointSet) anyName(r *rand.Rand) string {
	all := s.hosts()
	if len(all) == 0 {
		return ""
	}
	host := all[r.IntN(len(all))].host
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// recordNaming records, at the first contact with a host, whether the test named the host.
func (s *endpointSet) recordNaming(test model.Test, c model.Contact) {
	if _, known := s.named[c.Host]; known || c.Inward || c.Host == "" || len(s.named) == maxHosts {
		return
	}
	if s.named == nil {
		s.named = map[string]bool{}
	}
	s.named[c.Host] = mentions(test, c.Host)
}

// namedCount returns the number of endpoints whose host a test named.
func (s *endpointSet) namedCount() (n int) {
	for _, e := range s.all {
		if s.named[e.host] {
			n++
		}
	}
	return n
}

// mentions reports whether the name of a host, without its port, is in the arguments and bodies of
// a test's calls or in the content and headers of its stubs' answers. It ignores case.
func mentions(test model.Test, host string) bool {
	name := strings.ToLower(host)
	if n, _, err := net.SplitHostPort(host); err == nil {
		name = strings.ToLower(n)
	}
	var sent []string
	for _, s := range test.Stubs {
		for _, a := range s.AllAnswers() {
			sent = append(sent, string(a.Content()))
			for _, values := range a.Header {
				sent = append(sent, values...)
			}
		}
	}
	for _, c := range test.Calls {
		for _, a := range c.Args {
			sent = append(sent, a.Value)
		}
		if c.Body != nil {
			sent = append(sent, c.Body.Data)
		}
	}
	return strings.Contains(strings.ToLower(strings.Join(sent, "\n")), name)
}
