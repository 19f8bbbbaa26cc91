package vnet

import (
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// written is the table of a test. The mutex is held.
func (n *Network) written(t *test) string {
	b := &table{}
	b.line("net", "1")
	if n.options.Resolve {
		b.line("unknown", "resolve")
		newZone(t.stubs).write(b, nil)
	} else {
		b.line("unknown", "absent")
		newZone(t.stubs).write(b, stubbed(t.stubs))
	}
	for _, w := range slices.SortedFunc(maps.Keys(t.dials), compareWays) {
		n.route(b, w, t.dials[w])
	}
	b.line("route", "udp", "*:53", n.dns.real.String())
	b.line("route", "tcp", "*:53", n.dns.real.String())
	n.machine(b)
	inward(b, t.stubs)
	return b.String()
}

func (n *Network) route(b *table, w way, d *dials) {
	fields := append([]string{"route", w.network, w.to.String()}, d.targets(n.endpoints[w].real.String())...)
	if slices.Contains(fields, n.endpoints[w].real.String()) {
		fields = append(fields, "watch")
	}
	if d.again && !d.single() {
		fields = append(fields, "again")
	}
	b.line(fields...)
}

// machine says what the service's own machine is.
func (n *Network) machine(b *table) {
	for _, network := range []string{"tcp", "udp"} {
		for _, port := range slices.Sorted(maps.Keys(n.bound)) {
			b.line("bind", network, strconv.Itoa(port), strconv.Itoa(n.bound[port]))
		}
		for _, place := range n.options.Allow {
			b.line("allow", network, place)
		}
	}
	if n.options.Hostname != "" {
		b.line("hostname", n.options.Hostname)
	}
	for _, i := range n.options.Interfaces {
		name, addr, _ := strings.Cut(i, " ")
		b.line("iface", name, addr)
	}
}

// inward lets the service say when it waits for hosts that speak first.
func inward(b *table, stubs []model.Stub) {
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
