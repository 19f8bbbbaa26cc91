package netsim

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/dns/dnsmessage"

	"sonde/model"
)

// resolve answers a DNS message. It returns nil if the message gets no answer. The sockets
// of resolver.go call it. A service with a network built in resolves names by
// assets/probe/_net/net/names.go instead, unless it has a resolver of its own; see the
// package comment.
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
	n.mu.Lock()
	records, outcome := n.lookup(q)
	n.mu.Unlock()
	reply := dnsmessage.Message{
		Header: dnsmessage.Header{
			ID: h.ID, Response: true, RecursionDesired: h.RecursionDesired, RecursionAvailable: true,
		},
		Questions: []dnsmessage.Question{q},
	}
	switch fault := model.NetFault(outcome); {
	case fault == model.NetServFail, fault == model.NetTimeout && n.ground.dns().timeoutFails:
		reply.RCode = dnsmessage.RCodeServerFailure
	case fault == model.NetTimeout:
		return nil
	case fault == model.NetNXDomain:
		reply.RCode = dnsmessage.RCodeNameError
	}
	for _, r := range records {
		reply.Answers = append(reply.Answers, r.resources(q)...)
	}
	packed, _ := reply.Pack() // nil if it has an invalid name
	return packed
}

// record is one record of a DNS answer.
type record struct {
	model.DNSRecord
	owner string // the name that has the record; "" for the name in the question
}

// resources encodes a record as an answer to a question. It returns nil if resourceBody does.
func (r record) resources(q dnsmessage.Question) []dnsmessage.Resource {
	body := resourceBody(r.DNSRecord)
	if body == nil {
		return nil
	}
	owner := q.Name
	if r.owner != "" {
		owner = fullName(r.owner)
	}
	header := dnsmessage.ResourceHeader{Name: owner, Class: q.Class, TTL: 1}
	return []dnsmessage.Resource{{Header: header, Body: body}}
}

// lookup returns the records for a question, and the outcome of the lookup. It notes the lookup, unless a paired
// question was noted before (see pairedLookup). The caller must hold the mutex.
func (n *Network) lookup(q dnsmessage.Question) ([]record, string) {
	t := n.test
	name, kind := cleanName(q.Name.String()), strings.TrimPrefix(q.Type.String(), "Type")
	m := model.Contact{
		Kind:     model.ContactLookup,
		Protocol: model.DNS,
		Host:     name,
		Data:     []byte(strings.ToLower(kind)),
		Stub:     -1,
		Answer:   -1,
		Outcome:  "answer",
	}
	nth, noted := t.lookups[name], false
	if n.ground.dns().pairsQuestions && isAddressType(kind) {
		m.Data = []byte("host")
		nth, noted = t.pairedLookup(name, kind)
	}
	found, exists := t.records(name, kind, nth, n.options.ResolveAnyName)
	if !exists {
		m.Outcome = "nxdomain"
	}
	t.lookupAnswer(&m, nth)
	if !noted {
		t.lookups[name]++
		t.note(m)
	}
	var all []record
	for _, r := range found {
		all = append(all, record{DNSRecord: r})
		all = append(all, n.aliased(r, kind)...)
		if addr, err := netip.ParseAddr(r.Value); err == nil {
			n.names.add(name, addr.Unmap())
		}
	}
	return all, m.Outcome
}

func isAddressType(kind string) bool { return kind == "A" || kind == "AAAA" }

// pairedLookup counts a question for addresses on a ground that pairs questions (see resolverTraits). It returns the
// number of the lookup that the question belongs to, counted from 0. noted is true if the other question of the pair
// came before, so that the lookup already has a contact.
func (t *testState) pairedLookup(name, kind string) (nth int, noted bool) {
	key := kind + " " + name
	t.lookups[key]++
	return t.lookups[key] - 1, t.lookups[key] <= t.lookups[name]
}

// aliased returns the address records of the name to which the CNAME record r leads. kind is the type in the question,
// such as AAAA: the result has only addresses of this type, without synthetic IPv6 addresses. aliased returns nil if r
// is not a CNAME record, or if the question is not for addresses. The caller must hold the mutex.
func (n *Network) aliased(r model.DNSRecord, kind string) (all []record) {
	if !strings.EqualFold(r.Type, "CNAME") || !isAddressType(kind) {
		return nil
	}
	name := cleanName(r.Value)
	for _, addr := range newZone(n.test.stubs).target(name, 1) {
		if addr.Is4() == (kind == "A") && !syntheticIPv6Net.Contains(addr) {
			n.names.add(name, addr)
			all = append(all, record{DNSRecord: model.DNSRecord{Type: "A", Value: addr.String()}, owner: name})
		}
	}
	return all
}

// records returns the answer to the nth lookup of a name, from 0. If the name has a DNS stub, records takes the nth
// answer of the stub, and returns its records of the type kind and its CNAME records. After the last answer, the name
// does not exist. A name without a DNS stub has its synthetic IPv4 address if the test has stubs of the host or
// anyName is set; otherwise it does not exist.
func (t *testState) records(name, kind string, nth int, anyName bool) (all []model.DNSRecord, exists bool) {
	i, has := newZone(t.stubs).scripts[name]
	if !has {
		if !anyName && !slices.Contains(stubbedNames(t.stubs), name) {
			return nil, false
		}
		if kind == "A" {
			all = []model.DNSRecord{{Type: "A", Value: syntheticIPv4(name).String()}}
		}
		return all, true
	}
	a, _, ok := ScriptedAnswer(t.stubs[i], nth)
	for _, r := range a.Records {
		if strings.EqualFold(r.Type, kind) || strings.EqualFold(r.Type, "CNAME") {
			all = append(all, r)
		}
	}
	return all, ok
}

// resourceBody encodes the value of a record. It returns nil if the value has the wrong number of words, if the value
// of an A or AAAA record is not an address, or if the type is not supported.
func resourceBody(r model.DNSRecord) dnsmessage.ResourceBody {
	f := strings.Fields(r.Value)
	switch kind := strings.ToUpper(r.Type); {
	case isAddressType(kind):
		return addressBody(r.Value)
	case kind == "TXT":
		return &dnsmessage.TXTResource{TXT: textParts(r.Value)}
	case kind == "MX" && len(f) == 2:
		return &dnsmessage.MXResource{Pref: parseUint16(f[0]), MX: fullName(f[1])}
	case kind == "SRV" && len(f) == 4:
		return &dnsmessage.SRVResource{
			Priority: parseUint16(f[0]), Weight: parseUint16(f[1]), Port: parseUint16(f[2]), Target: fullName(f[3]),
		}
	case kind == "CNAME" && len(f) == 1:
		return &dnsmessage.CNAMEResource{CNAME: fullName(f[0])}
	case kind == "NS" && len(f) == 1:
		return &dnsmessage.NSResource{NS: fullName(f[0])}
	case kind == "PTR" && len(f) == 1:
		return &dnsmessage.PTRResource{PTR: fullName(f[0])}
	}
	return nil
}

func addressBody(value string) dnsmessage.ResourceBody {
	addr, err := netip.ParseAddr(value)
	switch {
	case err != nil:
		return nil
	case addr.Unmap().Is4():
		return &dnsmessage.AResource{A: addr.Unmap().As4()}
	}
	return &dnsmessage.AAAAResource{AAAA: addr.As16()}
}

// maxTXT is the maximum length of one string in a TXT record (RFC 1035, 3.3).
const maxTXT = 255

func textParts(value string) []string {
	var all []string
	for len(value) > maxTXT {
		all, value = append(all, value[:maxTXT]), value[maxTXT:]
	}
	return append(all, value)
}

func parseUint16(s string) uint16 {
	n, _ := strconv.ParseUint(s, 10, 16)
	return uint16(n)
}

func fullName(s string) dnsmessage.Name {
	name, _ := dnsmessage.NewName(strings.TrimSuffix(s, ".") + ".")
	return name
}
