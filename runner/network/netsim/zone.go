package netsim

import (
	"maps"
	"net/netip"
	"slices"
	"strings"

	"sonde/model"
)

// zone is what the stubs of a test say about names.
type zone struct {
	scripts map[string]int // the first DNS stub of each name
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

// answers returns all answers of the script of a name, Else last.
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

// maxAliases bounds the CNAME records that are followed.
const maxAliases = 8

// addresses returns the addresses of a stub's host: those of its DNS stub, or else its
// synthetic ones.
func (z zone) addresses(name string) []netip.Addr {
	if addr, err := netip.ParseAddr(name); err == nil {
		return []netip.Addr{addr.Unmap()}
	}
	if _, has := z.scripts[name]; !has {
		return []netip.Addr{syntheticIPv4(name), syntheticIPv6(name)}
	}
	return z.follow(name, 0)
}

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

// target returns the addresses of an alias.
func (z zone) target(name string, aliases int) []netip.Addr {
	if _, has := z.scripts[name]; !has {
		return []netip.Addr{syntheticIPv4(name), syntheticIPv6(name)}
	}
	return z.follow(name, aliases)
}

// write puts names into a table: of hosts that exist, and of DNS stubs.
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

// writeRecords writes one answer of DNS.
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

// stubbedNames returns the names of the hosts that have stubs, sorted.
func stubbedNames(stubs []model.Stub) []string {
	names := map[string]bool{}
	for _, s := range stubs {
		if name, _ := splitHost(s.Host); s.Protocol != model.DNS && !s.Inward && !isAddress(name) {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// endpoints returns the virtual addresses of a stub's host.
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
