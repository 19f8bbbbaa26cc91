//go:build unix

package net

import (
	"context"
	"net/netip"
)

// This file replaces the resolver of Go: it resolves names by the table. The names in the table are
// written by zone.write in runner/network/netsim. A service with its own resolver sends DNS messages
// instead. The file lookups.go in that package answers the messages in the same way.

// sondeRecord is a DNS record of a name.
type sondeRecord struct{ kind, value string }

// sondeHost has the records of a name, which may change from lookup to lookup.
type sondeHost struct {
	sondeScript
	steps []*sondeStep
	ended bool // the next line begins a new step
}

// sondeStep has the records of a name for one lookup.
type sondeStep struct {
	records   []sondeRecord
	synthetic bool   // if there are no address records, the name has the address of sondeSyntheticAddr
	failure   string // how the lookup fails: "nxdomain", "timeout" or "servfail"; "" if it does not
}

// sondeIsNameLine reports whether a line of the table that begins with word is about a name.
func sondeIsNameLine(word string) bool {
	switch word {
	case "dns", "dnsfail", "known", "then", "again":
		return true
	}
	return false
}

// readName parses a line about a name.
func (t *sondeTable) readName(word, name string, f []string) bool {
	h := t.names[name]
	if h == nil {
		h = &sondeHost{ended: true}
		t.names[name] = h
	}
	switch {
	case word == "then" && len(f) == 0:
		h.ended = true
	case word == "again" && len(f) == 0:
		h.again = true
	case word == "known" && len(f) == 0:
		h.last().synthetic = true
	case word == "dnsfail" && len(f) == 1:
		h.last().failure = f[0]
	case word == "dns" && len(f) == 1 && f[0] == "NONE":
		h.last()
	case word == "dns" && len(f) == 2:
		return h.last().readRecord(f[0], f[1])
	default:
		return false
	}
	return true
}

// last returns the step that is being parsed. It begins a new step if the previous one has ended.
func (h *sondeHost) last() *sondeStep {
	if h.ended {
		h.steps, h.ended = append(h.steps, &sondeStep{}), false
	}
	return h.steps[len(h.steps)-1]
}

func (s *sondeStep) readRecord(kind, value string) bool {
	switch kind {
	case "A", "AAAA":
		if _, err := netip.ParseAddr(value); err != nil {
			return false
		}
	case "CNAME", "MX", "TXT", "SRV", "NS", "PTR":
	default:
		return false
	}
	s.records = append(s.records, sondeRecord{kind, value})
	return true
}

// values returns the values of the records of a kind. s may be nil.
func (s *sondeStep) values(kind string) (all []string) {
	if s == nil {
		return nil
	}
	for _, r := range s.records {
		if r.kind == kind {
			all = append(all, r.value)
		}
	}
	return all
}

// lookupName looks a name up in the table, follows CNAME records, and counts the lookup. It returns the name at the
// end of at most 8 CNAME records, and the records of that name. The records are nil if the name is not in the table.
func (t *sondeTable) lookupName(name string) (canonical string, s *sondeStep) {
	canonical = sondeName(name)
	if h := t.names[canonical]; h != nil && len(h.steps) > 0 {
		s = h.steps[h.next(len(h.steps))]
	}
	for range 8 {
		to := s.values("CNAME")
		if len(to) == 0 {
			break
		}
		canonical = sondeName(to[0])
		s = t.names[canonical].current()
	}
	return canonical, s
}

// current returns the records for the next lookup, without counting a lookup. h may be nil.
func (h *sondeHost) current() *sondeStep {
	if h == nil || len(h.steps) == 0 {
		return nil
	}
	return h.steps[h.sondeScript.current(len(h.steps))]
}

// lookupError returns the error with which a lookup of the name fails, or nil if the lookup succeeds. s may be
// nil.
func (s *sondeStep) lookupError(name string) error {
	if s == nil {
		return nil
	}
	switch s.failure {
	case "":
		return nil
	case "timeout":
		return &DNSError{Err: "i/o timeout", Name: name, IsTimeout: true, IsTemporary: true}
	case "servfail":
		return &DNSError{Err: errServerMisbehaving.Error(), Name: name, IsTemporary: true}
	}
	return sondeNoSuchHost(name)
}

func sondeNoSuchHost(name string) error {
	return &DNSError{Err: errNoSuchHost.Error(), Name: name, IsNotFound: true}
}

// addresses returns the addresses of a name that has the records s. If v is '4' or '6', it returns only addresses of
// that family. A name without address records may have the address of sondeSyntheticAddr, of the loopback or of the
// machine.
func (t *sondeTable) addresses(name string, s *sondeStep, v byte) (all []netip.Addr) {
	for _, value := range append(s.values("A"), s.values("AAAA")...) {
		if a, err := netip.ParseAddr(value); err == nil && sondeIsFamily(a, v) {
			all = append(all, a)
		}
	}
	switch {
	case len(all) > 0:
	case s != nil && s.synthetic, s == nil && t.resolve && name != "localhost" && name != t.machineName():
		all = append(all, sondeSyntheticAddr(name, v == '6'))
	case s != nil:
	case name == "localhost":
		all = append(all, sondeLoopback(v == '6'))
	case name == t.machineName():
		all = append(all, t.externalAddr(v == '6'))
	}
	return all
}

// sondeIsFamily reports whether an address is of the family v: '4', '6', or 0 for any.
func sondeIsFamily(a netip.Addr, v byte) bool {
	return v == 0 || a.Unmap().Is4() == (v == '4')
}

// sondeSyntheticAddr returns the address of a name without records. It depends only on the name, and is
// in a network that is reserved for tests. The functions syntheticIPv4 and syntheticIPv6 in
// runner/network/netsim/hostnames.go must return the same address; a test in that package compares
// them.
func sondeSyntheticAddr(name string, v6 bool) netip.Addr {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	if v6 {
		a := [16]byte{0xfd, 0x00, 0x73, 0x6f, 0x6e, 0x64, 0x00, 0x65}
		for i := range 8 {
			a[8+i] = byte(h >> (56 - 8*i))
		}
		return netip.AddrFrom16(a)
	}
	// The first and the last 256 addresses have other uses.
	n := 256 + (h^h>>32)%(1<<17-512)
	return netip.AddrFrom4([4]byte{198, 18 + byte(n>>16), byte(n >> 8), byte(n)})
}

func (r *Resolver) lookupIP(ctx context.Context, network, host string) ([]IPAddr, error) {
	t := sondeCurrentTable.Load()
	switch {
	case t == nil:
		return r.sondeRecordedLookup(ctx, network, host)
	case t.allowsName(sondeName(host)):
		sondeReport("lookup", sondeLookupKind(network), host, "real")
		all, err := r.sondeRealLookupIP(context.WithValue(ctx, sondeRealKey{}, true), network, host)
		sondeRealNames.add(sondeName(host), all)
		return all, err
	}
	return t.lookup(network, host)
}

// sondeRecordedLookup looks a name up for a service without a virtual network. If the service is
// recorded, a name in the table of the recorder has the records in that table, and each lookup is
// reported. All other names are looked up in the real network.
func (r *Resolver) sondeRecordedLookup(ctx context.Context, network, host string) ([]IPAddr, error) {
	t := sondeRecordingTable.Load()
	switch {
	case t == nil || ctx.Value(sondeRealKey{}) != nil:
		return r.sondeRealLookupIP(ctx, network, host)
	case t.names[sondeName(host)] != nil:
		return t.lookup(network, host)
	}
	all, err := r.sondeRealLookupIP(context.WithValue(ctx, sondeRealKey{}, true), network, host)
	var addresses []string
	for _, a := range all {
		addresses = append(addresses, a.String())
	}
	sondeReportLookup(sondeLookupKind(network), host, addresses)
	if t.allowsName(sondeName(host)) {
		sondeRealNames.add(sondeName(host), all)
	}
	return all, err
}

// sondeLookupKind returns the kind of a lookup: host, ip4 or ip6.
func sondeLookupKind(network string) string {
	if network == "ip4" || network == "ip6" {
		return network
	}
	return "host"
}

// lookup looks a name up in the table, and reports the lookup unless the name is "localhost".
func (t *sondeTable) lookup(network, host string) ([]IPAddr, error) {
	canonical, s := t.lookupName(host)
	err := s.lookupError(host)
	var all []IPAddr
	var addresses []string
	if err == nil {
		for _, a := range t.addresses(canonical, s, ipVersion(network)) {
			all = append(all, IPAddr{IP: IP(a.AsSlice()).To16()})
			addresses = append(addresses, a.String())
		}
	}
	if canonical != "localhost" {
		sondeReportLookup(sondeLookupKind(network), host, addresses)
	}
	if err == nil && len(all) == 0 {
		err = sondeNoSuchHost(host)
	}
	return all, err
}

// sondeReportLookup reports a lookup and its result.
func sondeReportLookup(kind, name string, values []string) {
	result := ""
	for i, v := range values {
		if i > 0 {
			result += ","
		}
		result += v
	}
	sondeReport("lookup", kind, name, result)
}

func (r *Resolver) lookupHost(ctx context.Context, host string) ([]string, error) {
	if sondeCurrentTable.Load() == nil && sondeRecordingTable.Load() == nil {
		return r.sondeRealLookupHost(ctx, host)
	}
	addrs, err := r.lookupIP(ctx, "ip", host)
	var all []string
	for _, a := range addrs {
		all = append(all, a.String())
	}
	return all, err
}

// sortByRFC6724 does not sort addresses in a virtual network, because sorting dials them.
func sortByRFC6724(addrs []IPAddr) {
	if sondeCurrentTable.Load() == nil {
		sondeRealSortByRFC6724(addrs)
	}
}
