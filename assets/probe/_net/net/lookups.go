//go:build unix

package net

import (
	"context"
	"net/netip"
	"slices"
)

// lookupRecords looks up the records of a name and type, and reports the lookup. kind is the kind of the
// lookup in the report.
func (t *sondeTable) lookupRecords(kind, record, name string) ([]string, error) {
	_, s := t.lookupName(name)
	err := s.lookupError(name)
	var all []string
	if err == nil {
		all = s.values(record)
	}
	sondeReportLookup(kind, name, all)
	if err == nil && len(all) == 0 {
		err = sondeNoSuchHost(name)
	}
	return all, err
}

// sondeFQDN returns a name with a final dot, as lookups return it.
func sondeFQDN(name string) string {
	if n := len(name); n > 0 && name[n-1] == '.' {
		return name
	}
	return name + "."
}

// sondeLookupTable returns the table in which a name is looked up. It returns nil if the name is looked up in the real
// network, with the context for that lookup. It reports a lookup that the table allows in the real network.
func sondeLookupTable(ctx context.Context, kind, name string) (*sondeTable, context.Context) {
	t := sondeCurrentTable.Load()
	if sondeRecordingTable.Load() != nil {
		return nil, context.WithValue(ctx, sondeRealKey{}, true)
	}
	if t != nil && t.allowsName(sondeName(name)) {
		sondeReport("lookup", kind, name, "real")
		return nil, context.WithValue(ctx, sondeRealKey{}, true)
	}
	return t, ctx
}

func (r *Resolver) lookupCNAME(ctx context.Context, name string) (string, error) {
	t, ctx := sondeLookupTable(ctx, "cname", name)
	if t == nil {
		return r.sondeRealLookupCNAME(ctx, name)
	}
	canonical, s := t.lookupName(name)
	err := s.lookupError(name)
	if err == nil && len(t.addresses(canonical, s, 0)) == 0 {
		err = sondeNoSuchHost(name)
	}
	if err != nil {
		sondeReportLookup("cname", name, nil)
		return "", err
	}
	to := sondeFQDN(canonical)
	sondeReportLookup("cname", name, []string{to})
	return to, nil
}

func (r *Resolver) lookupMX(ctx context.Context, name string) ([]*MX, error) {
	t, ctx := sondeLookupTable(ctx, "mx", name)
	if t == nil {
		return r.sondeRealLookupMX(ctx, name)
	}
	values, err := t.lookupRecords("mx", "MX", name)
	var all []*MX
	for _, v := range values {
		if f := getFields(v); len(f) == 2 {
			all = append(all, &MX{Host: sondeFQDN(f[1]), Pref: uint16(max(sondeInt(f[0]), 0))})
		}
	}
	slices.SortStableFunc(all, func(a, b *MX) int { return int(a.Pref) - int(b.Pref) })
	return all, err
}

func (r *Resolver) lookupSRV(ctx context.Context, service, proto, name string) (string, []*SRV, error) {
	target := name
	if service != "" || proto != "" {
		target = "_" + service + "._" + proto + "." + name
	}
	t, ctx := sondeLookupTable(ctx, "srv", target)
	if t == nil {
		return r.sondeRealLookupSRV(ctx, service, proto, name)
	}
	values, err := t.lookupRecords("srv", "SRV", target)
	if err != nil {
		return "", nil, err
	}
	return sondeFQDN(target), sondeSRVs(values), nil
}

// sondeSRVs parses records such as "1 5 443 a.example". It sorts them by priority and weight, without
// randomness.
func sondeSRVs(values []string) (all []*SRV) {
	for _, v := range values {
		if f := getFields(v); len(f) == 4 {
			n := func(i int) uint16 { return uint16(max(sondeInt(f[i]), 0)) }
			all = append(all, &SRV{Priority: n(0), Weight: n(1), Port: n(2), Target: sondeFQDN(f[3])})
		}
	}
	slices.SortStableFunc(all, func(a, b *SRV) int {
		if a.Priority != b.Priority {
			return int(a.Priority) - int(b.Priority)
		}
		return int(b.Weight) - int(a.Weight)
	})
	return all
}

func (r *Resolver) lookupNS(ctx context.Context, name string) ([]*NS, error) {
	t, ctx := sondeLookupTable(ctx, "ns", name)
	if t == nil {
		return r.sondeRealLookupNS(ctx, name)
	}
	values, err := t.lookupRecords("ns", "NS", name)
	var all []*NS
	for _, v := range values {
		all = append(all, &NS{Host: sondeFQDN(v)})
	}
	return all, err
}

func (r *Resolver) lookupTXT(ctx context.Context, name string) ([]string, error) {
	t, ctx := sondeLookupTable(ctx, "txt", name)
	if t == nil {
		return r.sondeRealLookupTXT(ctx, name)
	}
	return t.lookupRecords("txt", "TXT", name)
}

func (r *Resolver) lookupAddr(ctx context.Context, addr string) ([]string, error) {
	t, ctx := sondeLookupTable(ctx, "ptr", addr)
	if t == nil {
		return r.sondeRealLookupAddr(ctx, addr)
	}
	_, s := t.lookupName(addr)
	err := s.lookupError(addr)
	var all []string
	if a, bad := netip.ParseAddr(addr); err == nil && bad == nil {
		all = t.namesOf(a.Unmap(), s)
	}
	sondeReportLookup("ptr", addr, all)
	if err == nil && len(all) == 0 {
		err = sondeNoSuchHost(addr)
	}
	return all, err
}

// namesOf returns the names of an address: those in its PTR records, or else all names in the table
// with that address.
func (t *sondeTable) namesOf(a netip.Addr, s *sondeStep) (all []string) {
	for _, name := range s.values("PTR") {
		all = append(all, sondeFQDN(name))
	}
	if len(all) > 0 {
		return all
	}
	for name, h := range t.names {
		if slices.Contains(append(t.addresses(name, h.current(), '4'), t.addresses(name, h.current(), '6')...), a) {
			all = append(all, sondeFQDN(name))
		}
	}
	if a.IsLoopback() {
		all = append(all, "localhost.")
	}
	slices.Sort(all)
	return all
}
