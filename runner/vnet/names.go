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
	switch outcome {
	case "timeout":
		return nil
	case "nxdomain":
		reply.RCode = dnsmessage.RCodeNameError
	}
	for _, r := range records {
		if body := resource(r); body != nil {
			reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 1}, Body: body})
		}
	}
	says, _ := reply.Pack() // nil where a name in it is none
	return says
}

// records are those that answer a question, and what came of it.
func (n *Network) records(q dnsmessage.Question) ([]model.Record, string) {
	name, kind := clean(q.Name.String()), strings.TrimPrefix(q.Type.String(), "Type")
	n.mu.Lock()
	defer n.mu.Unlock()
	m := model.Contact{Kind: model.Lookup, Protocol: model.DNS, Host: name, Said: []byte(strings.ToLower(kind)), Stub: -1, Answer: -1, Outcome: "answer"}
	all, exists := n.lookup(name, kind)
	if !exists {
		m.Outcome = "nxdomain"
	}
	n.answered(&m)
	n.test.note(m)
	for _, r := range all {
		if addr, err := netip.ParseAddr(r.Value); err == nil {
			n.book.add(name, addr.Unmap())
		}
	}
	return all, m.Outcome
}

// lookup finds what a test's stubs say of a name for one type, or the address that
// the name has of itself.
func (n *Network) lookup(name, kind string) (all []model.Record, exists bool) {
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
	a, _, ok := Turn(t.stubs[i], t.names[name])
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
