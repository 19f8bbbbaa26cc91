package vnet

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/dns/dnsmessage"

	"sonde/model"
)

// resolve answers a question of DNS; nil is no answer.
func (n *Network) resolve(question []byte) []byte {
	var p dnsmessage.Parser
	h, err := p.Start(question)
	if err != nil || h.Response {
		return nil
	}
	q, err := p.Question()
	if err != nil {
		return nil
	}
	n.pump()
	records, outcome := n.records(q)
	reply := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: h.ID, Response: true, RecursionDesired: h.RecursionDesired, RecursionAvailable: true},
		Questions: []dnsmessage.Question{q},
	}
	switch {
	case outcome == "timeout" && n.options.Ground == model.Namespace:
		reply.RCode = dnsmessage.RCodeServerFailure // most programs see the same of that, and do not wait
	case outcome == "timeout":
		return nil
	case outcome == "nxdomain":
		reply.RCode = dnsmessage.RCodeNameError
	}
	for _, r := range records {
		owner := q.Name
		if r.of != "" {
			owner = fullName(r.of)
		}
		if body := resource(r.Record); body != nil {
			reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: owner, Class: q.Class, TTL: 1}, Body: body})
		}
	}
	says, _ := reply.Pack() // nil where a name in it is none
	return says
}

// record is one of an answer: of the name that was asked for, or of another.
type record struct {
	model.Record
	of string
}

// records are those that answer a question, and what came of it.
func (n *Network) records(q dnsmessage.Question) ([]record, string) {
	name, kind := clean(q.Name.String()), strings.TrimPrefix(q.Type.String(), "Type")
	n.mu.Lock()
	defer n.mu.Unlock()
	m := model.Contact{Kind: model.Lookup, Protocol: model.DNS, Host: name, Said: []byte(strings.ToLower(kind)), Stub: -1, Answer: -1, Outcome: "answer"}
	nth, again := n.asked(&m, kind)
	all, exists := n.lookup(name, kind, nth)
	if !exists {
		m.Outcome = "nxdomain"
	}
	n.answered(&m, nth)
	if !again {
		n.test.names[name]++
		n.test.note(m)
	}
	var found []record
	for _, r := range all {
		found = append(append(found, record{Record: r}), n.behind(r, kind)...)
		if addr, err := netip.ParseAddr(r.Value); err == nil {
			n.book.add(name, addr.Unmap())
		}
	}
	return found, m.Outcome
}

// asked tells which lookup of its name a question belongs to, and whether that is noted
// already. In a namespace two questions are one: for addresses of IPv4 and 6.
func (n *Network) asked(m *model.Contact, kind string) (nth int, again bool) {
	names := n.test.names
	if n.options.Ground != model.Namespace || kind != "A" && kind != "AAAA" {
		return names[m.Host], false
	}
	m.Said = []byte("host")
	key := kind + " " + m.Host
	names[key]++
	return names[key] - 1, names[key] <= names[m.Host]
}

// behind are the addresses to which an alias leads, where those were asked for.
func (n *Network) behind(r model.Record, kind string) (all []record) {
	if !strings.EqualFold(r.Type, "CNAME") || kind != "A" && kind != "AAAA" {
		return nil
	}
	name := clean(r.Value)
	for _, addr := range newZone(n.test.stubs).target(name, 1) {
		if a := (record{model.Record{Type: "A", Value: addr.String()}, name}); addr.Is4() == (kind == "A") && !ours6.Contains(addr) {
			n.book.add(name, addr)
			all = append(all, a)
		}
	}
	return all
}

// lookup finds what a test's stubs say of a name for one type at the nth lookup, or the
// address that the name has of itself.
func (n *Network) lookup(name, kind string, nth int) (all []model.Record, exists bool) {
	t := n.test
	i, has := newZone(t.stubs).scripts[name]
	if !has {
		if !n.options.Resolve && !slices.Contains(stubbed(t.stubs), name) {
			return nil, false
		}
		if kind == "A" {
			all = []model.Record{{Type: "A", Value: own(name).String()}}
		}
		return all, true
	}
	a, _, ok := Turn(t.stubs[i], nth)
	for _, r := range a.Records {
		if alias := strings.EqualFold(r.Type, "CNAME"); strings.EqualFold(r.Type, kind) || alias {
			all = append(all, r)
		}
	}
	return all, ok
}

// resource is a record as it is sent; nil for one that is none.
func resource(r model.Record) dnsmessage.ResourceBody {
	f := strings.Fields(r.Value)
	switch kind := strings.ToUpper(r.Type); {
	case kind == "A" || kind == "AAAA":
		return addressRecord(r.Value)
	case kind == "TXT":
		return &dnsmessage.TXTResource{TXT: texts(r.Value)}
	case kind == "MX" && len(f) == 2:
		return &dnsmessage.MXResource{Pref: small(f[0]), MX: fullName(f[1])}
	case kind == "SRV" && len(f) == 4:
		return &dnsmessage.SRVResource{Priority: small(f[0]), Weight: small(f[1]), Port: small(f[2]), Target: fullName(f[3])}
	case kind == "CNAME" && len(f) == 1:
		return &dnsmessage.CNAMEResource{CNAME: fullName(f[0])}
	case kind == "NS" && len(f) == 1:
		return &dnsmessage.NSResource{NS: fullName(f[0])}
	case kind == "PTR" && len(f) == 1:
		return &dnsmessage.PTRResource{PTR: fullName(f[0])}
	}
	return nil
}

func addressRecord(value string) dnsmessage.ResourceBody {
	addr, err := netip.ParseAddr(value)
	switch {
	case err != nil:
		return nil
	case addr.Unmap().Is4():
		return &dnsmessage.AResource{A: addr.Unmap().As4()}
	}
	return &dnsmessage.AAAAResource{AAAA: addr.As16()}
}

// texts are the parts of a text, of which none may be longer than 255 bytes.
func texts(value string) []string {
	var all []string
	for len(value) > 255 {
		all, value = append(all, value[:255]), value[255:]
	}
	return append(all, value)
}

func small(s string) uint16 {
	n, _ := strconv.ParseUint(s, 10, 16)
	return uint16(n)
}

func fullName(s string) dnsmessage.Name {
	name, _ := dnsmessage.NewName(strings.TrimSuffix(s, ".") + ".")
	return name
}
