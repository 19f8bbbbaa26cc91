//go:build unix

package net

import (
	"context"
	"net/netip"
	"slices"
)

// find looks up the records of a name and type, and reports the lookup. kind is the kind of the
// lookup in the report.
func (t *sondeTable) find(kind, record, name string) ([]string, error) {
	_, s := t.ask(name)
	err := s.failed(name)
	var all []string
	if err == nil {
		all = s.values(record)
	}
	sondeLookedUp(kind, name, all)
	if err == nil && len(all) == 0 {
		err = sondeNoName(name)
	}
	return all, err
}

// sondeDotted returns a name with a final dot, as lookups return it.
func sondeDotted(name string) string {
	if n := len(name); n > 0 && name[n-1] == '.' {
		return name
	}
	return name + "."
}

// sondeStated returns the table if a name is looked up in it. Otherwise it returns nil, and the
// context for a lookup in the real network.
func sondeStated(ctx context.Context, kind, name string) (*sondeTable, context.Context) {
	t := sondeNow.Load()
	if sondeRecords.Load() != nil {
		return nil, context.WithValue(ctx, sondeIsReal{}, true)
	}
	if t != nil && t.allowsName(sondeName(name)) {
		sondeTell("lookup", kind, name, "real")
		return nil, context.WithValue(ctx, sondeIsReal{}, true)
	}
	return t, ctx
}

func (r *Resolver) lookupCNAME(ctx context.Context, name string) (string, error) {
	t, ctx := sondeStated(ctx, "cname", name)
	if t == nil {
		return r.sondeRealLookupCNAME(ctx, name)
	}
	canonical, s := t.ask(name)
	err := s.failed(name)
	if err == nil && len(t.addresses(canonical, s, 0)) == 0 {
		err = sondeNoName(name)
	}
	if err != nil {
		sondeLookedUp("cname", name, nil)
		return "", err
	}
	to := sondeDotted(canonical)
	sondeLookedUp("cname", name, []string{to})
	return to, nil
}

func (r *Resolver) lookupMX(ctx context.Context, name string) ([]*MX, error) {
	t, ctx := sondeStated(ctx, "mx", name)
	if t == nil {
		return r.sondeRealLookupMX(ctx, name)
	}
	values, err := t.find("mx", "MX", name)
	var all []*MX
	for _, v := range values {
		if f := getFields(v); len(f) == 2 {
			all = append(all, &MX{Host: sondeDotted(f[1]), Pref: uint16(max(sondeInt(f[0]), 0))})
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
	t, ctx := sondeStated(ctx, "srv", target)
	if t == nil {
		return r.sondeRealLookupSRV(ctx, service, proto, name)
	}
	values, err := t.find("srv", "SRV", target)
	if err != nil {
		return "", nil, err
	}
	return sondeDotted(target), sondeSRVs(values), nil
}

// sondeSRVs parses records such as "1 5 443 a.example". It sorts them by priority and weight, without
// randomness.
func sondeSRVs(values []string) (all []*SRV) {
	for _, v := range values {
		if f := getFields(v); len(f) == 4 {
			n := func(i int) uint16 { return uint16(max(sondeInt(f[i]), 0)) }
			all = append(all, &SRV{Priority: n(0), Weight: n(1), Port: n(2), Target: sondeDotted(f[3])})
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
	t, ctx := sondeStated(ctx, "ns", name)
	if t == nil {
		return r.sondeRealLookupNS(ctx, name)
	}
	values, err := t.find("ns", "NS", name)
	var all []*NS
	for _, v := range values {
		all = append(all, &NS{Host: sondeDotted(v)})
	}
	return all, err
}

func (r *Resolver) lookupTXT(ctx context.Context, name string) ([]string, error) {
	t, ctx := sondeStated(ctx, "txt", name)
	if t == nil {
		return r.sondeRealLookupTXT(ctx, name)
	}
	return t.find("txt", "TXT", name)
}

func (r *Resolver) lookupAddr(ctx context.Context, addr string) ([]string, error) {
	t, ctx := sondeStated(ctx, "ptr", addr)
	if t == nil {
		return r.sondeRealLookupAddr(ctx, addr)
	}
	_, s := t.ask(addr)
	err := s.failed(addr)
	var all []string
	if a, bad := netip.ParseAddr(addr); err == nil && bad == nil {
		all = t.namesOf(a.Unmap(), s)
	}
	sondeLookedUp("ptr", addr, all)
	if err == nil && len(all) == 0 {
		err = sondeNoName(addr)
	}
	return all, err
}

// namesOf returns the names of an address: those in its PTR records, or else all names in the table
// with that address.
func (t *sondeTable) namesOf(a netip.Addr, s *sondeStep) (all []string) {
	for _, name := range s.values("PTR") {
		all = append(all, sondeDotted(name))
	}
	if len(all) > 0 {
		return all
	}
	for name, h := range t.names {
		if slices.Contains(append(t.addresses(name, h.now(), '4'), t.addresses(name, h.now(), '6')...), a) {
			all = append(all, sondeDotted(name))
		}
	}
	if a.IsLoopback() {
		all = append(all, "localhost.")
	}
	slices.Sort(all)
	return all
}
