package netsim

import (
	"maps"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// serviceTable makes the table of a test, which configures the network inside a service. The
// format is in assets/probe/_net/net/table.go.
type serviceTable struct {
	test       *testState
	real       func(endpoint) netip.AddrPort // the real address of an endpoint
	nameServer netip.AddrPort
	ports      map[int]int // the real port of each port of the service's API
	options    Options
}

// String returns the text of the table.
func (s serviceTable) String() string {
	b := &table{}
	b.line("net", "1")
	zone := newZone(s.test.stubs)
	if s.options.ResolveAnyName {
		b.line("unknown", "resolve")
		zone.write(b, nil)
	} else {
		b.line("unknown", "absent")
		zone.write(b, stubbedNames(s.test.stubs))
	}
	for _, e := range slices.SortedFunc(maps.Keys(s.test.dials), compareEndpoints) {
		s.route(b, e, s.test.dials[e])
	}
	b.line("route", "udp", "*:53", s.nameServer.String())
	b.line("route", "tcp", "*:53", s.nameServer.String())
	s.machine(b)
	writeEnvironment(b, s.test.environment())
	watchInward(b, s.test.stubs)
	return b.String()
}

// route writes the results of the dials to an endpoint, in order. Each is an error, or the real address
// of the endpoint.
func (s serviceTable) route(b *table, e endpoint, d *dialScript) {
	real := s.real(e).String()
	fields := append([]string{"route", e.network, e.addr.String()}, d.targets(real)...)
	if slices.Contains(fields, real) {
		fields = append(fields, "watch")
	}
	if d.repeat && !d.single() {
		fields = append(fields, "again")
	}
	b.line(fields...)
}

// machine writes the properties of the service's own machine: its ports, the real hosts that it
// may reach, its name and its interfaces.
func (s serviceTable) machine(b *table) {
	for _, network := range []string{"tcp", "udp"} {
		for _, port := range slices.Sorted(maps.Keys(s.ports)) {
			b.line("bind", network, strconv.Itoa(port), strconv.Itoa(s.ports[port]))
		}
		for _, host := range s.options.Allow {
			b.line("allow", network, host)
		}
	}
	if s.options.Hostname != "" {
		b.line("hostname", s.options.Hostname)
	}
	for _, i := range s.options.Interfaces {
		name, addr, _ := strings.Cut(i, " ")
		b.line("iface", name, addr)
	}
}

// watchInward writes the ports of the inward TCP stubs. The service reports when it waits on these ports.
func watchInward(b *table, stubs []model.Stub) {
	ports := map[string]bool{}
	for _, s := range stubs {
		if _, port, err := net.SplitHostPort(s.Host); err == nil && s.Inward && s.Protocol == model.TCP {
			ports[port] = true
		}
	}
	for _, port := range slices.Sorted(maps.Keys(ports)) {
		b.line("watch", "tcp", port)
	}
}
