package netsim

import (
	"maps"
	"net/netip"
	"slices"
	"strings"

	"sonde/model"
)

// zone has the names and addresses that the stubs of a test define. The method write passes them to the code built
// into a service. The functions in lookups.go answer DNS messages from them.
type zone struct {
	scripts map[string]int // index of the first DNS stub, by name
	stubs   []model.Stub
}

func newZone(stubs []model.Stub) zone {
	z := zone{scripts: map[string]int{}, stubs: stubs}
	for i, s := range stubs {
		if name := cleanName(s.Host); s.Protocol == model.DNS {
			if _, has := z.scripts[name]; !has {
				z.scripts[name] = i
			}
		}
	}
	return z
}

// answers returns the answers of the DNS stub of a name, with Else as the last. It returns
// nil if the name has no DNS stub.
func (z zone) answers(name string) []model.Answer {
	i, has := z.scripts[name]
	if !has {
		return nil
	}
	all := slices.Clone(z.stubs[i].Answers)
	if e := z.stubs[i].Else; e != nil {
		all = append(all, *e)
	}
	return all
}

// maxAliases is the maximum number of CNAME records that are followed for one name.
const maxAliases = 8

// addresses returns the addresses of a host: all addresses in its DNS stub and those to which its CNAME records lead,
// or its synthetic addresses if it has no DNS stub. If the name is an IP address, the result is that address.
func (z zone) addresses(name string) []netip.Addr {
	if addr, err := netip.ParseAddr(name); err == nil {
		return []netip.Addr{addr.Unmap()}
	}
	if _, has := z.scripts[name]; !has {
		return []netip.Addr{syntheticIPv4(name), syntheticIPv6(name)}
	}
	return z.follow(name, 0)
}

// follow returns all addresses in the DNS stub of a name, and in the stubs of the names to which its CNAME records
// lead. aliases is the number of CNAME records that led to the name.
func (z zone) follow(name string, aliases int) []netip.Addr {
	var all []netip.Addr
	for _, a := range z.answers(name) {
		for _, r := range a.Records {
			addr, err := netip.ParseAddr(r.Value)
			switch {
			case err == nil:
				all = append(all, addr.Unmap())
			case strings.EqualFold(r.Type, "CNAME") && aliases < maxAliases:
				all = append(all, z.target(cleanName(r.Value), aliases+1)...)
			}
		}
	}
	return all
}

// target returns the addresses of a name to which a CNAME record leads.
func (z zone) target(name string, aliases int) []netip.Addr {
	if _, has := z.scripts[name]; !has {
		return []netip.Addr{syntheticIPv4(name), syntheticIPv6(name)}
	}
	return z.follow(name, aliases)
}

// write writes names into a table: the given hosts, and the names with DNS stubs. The code
// built into the service, in assets/probe/_net/net/names.go, resolves names with the table.
func (z zone) write(t *table, hosts []string) {
	for _, name := range hosts {
		if _, has := z.scripts[name]; !has {
			t.line("known", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(z.scripts)) {
		z.script(t, name, z.stubs[z.scripts[name]])
	}
}

// script writes the answers of a DNS stub into a table.
func (z zone) script(t *table, name string, s model.Stub) {
	all := z.answers(name)
	if len(s.Answers) > 1 && !s.Repeat && s.Else == nil {
		all = append(all, model.Answer{Fault: model.NetNXDomain}) // the script is at its end
	}
	if s.Repeat && len(s.Answers) > 0 {
		all = s.Answers
	}
	for i, a := range all {
		if i > 0 {
			t.line("then", name)
		}
		writeRecords(t, name, a)
	}
	if s.Repeat && len(all) > 1 {
		t.line("again", name)
	}
}

// writeRecords writes one answer of a DNS stub into a table.
func writeRecords(t *table, name string, a model.Answer) {
	switch {
	case a.Fault != "":
		t.line("dnsfail", name, string(a.Fault))
	case len(a.Records) == 0:
		t.line("dns", name, "NONE")
	}
	for _, r := range a.Records {
		if a.Fault == "" {
			t.line("dns", name, strings.ToUpper(r.Type), r.Value)
		}
	}
}

// stubbedNames returns the sorted names of the hosts that have stubs of protocols other than DNS. It skips hosts that
// are addresses, inward stubs, and stubs of the environment.
func stubbedNames(stubs []model.Stub) []string {
	names := map[string]bool{}
	for _, s := range stubs {
		isHost := s.Protocol != model.DNS && s.Protocol != model.Environment && !s.Inward
		if name, _ := splitHost(s.Host); isHost && !isAddress(name) {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// endpoints returns the virtual endpoints of a stub's host.
func (z zone) endpoints(s model.Stub) []endpoint {
	network := "tcp"
	if s.Protocol == model.UDP {
		network = "udp"
	}
	name, port := splitHost(s.Host)
	var all []endpoint
	for _, addr := range z.addresses(name) {
		all = append(all, endpoint{network: network, addr: netip.AddrPortFrom(addr, port)})
	}
	return all
}
