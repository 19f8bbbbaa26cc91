package hostmodel

import (
	"fmt"
	"hash/fnv"
	"net/netip"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// recordType is a type of DNS records that a search can put into an answer. The zero value means that an answer has no records.
type recordType struct {
	name  string
	lead  func(i int) string // returns the text before the value of record i, such as the priority in MX; nil for no text
	value *model.Schema
	most  int // maximum number of records
}

// recordTypes has the types of DNS records, by the kind of the lookup that asks for them.
var recordTypes = map[string]recordType{
	"mx":    {"MX", func(i int) string { return strconv.Itoa(10*i) + " " }, hostName, maxRecords},
	"srv":   {"SRV", func(i int) string { return strconv.Itoa(i) + " 5 " + servicePorts[i%len(servicePorts)] + " " }, hostName, maxRecords},
	"txt":   {"TXT", nil, &model.Schema{Type: "string"}, maxRecords},
	"ns":    {"NS", nil, hostName, maxRecords},
	"ptr":   {"PTR", nil, hostName, maxRecords},
	"cname": {"CNAME", nil, hostName, 1},
	"":      {"A", nil, nil, maxRecords}, // for all lookups of addresses; addressesOf has the schema of the values
}

// maxRecords is the maximum number of records in an answer.
const maxRecords = 3

// servicePorts are the ports in SRV records.
var servicePorts = []string{"80", "443", "8080"}

// hostName is the schema of the name of a host in a record.
var hostName = &model.Schema{Type: "string", Enum: []any{"a.other.example", "b.other.example", "other.example", "localhost", "10.1.2.3"}}

// addressesOf returns the schema of the addresses of a name. Except for the link-local address, they depend on the
// name, so that two names rarely share an address. No public host has these addresses. There are private, link-local
// and other addresses, of both families, because services treat them in different ways.
func addressesOf(name string) *model.Schema {
	h := fnv.New32a()
	h.Write([]byte(name)) // never fails
	n := h.Sum32()
	x, y := n>>8&0xff, n&0xff
	var all []any
	for _, form := range []string{"198.51.100.%[2]d", "203.0.113.%[2]d", "2001:db8::%[1]x:%[2]x", "10.%[1]d.%[2]d.3", "fd00::%[1]x:%[2]x"} {
		all = append(all, fmt.Sprintf(form, x, y))
	}
	return &model.Schema{Type: "string", Enum: append(all, "169.254.169.254")}
}

// recordTypeOf returns the type of the records for which a lookup asks. It returns TXT for an unknown kind of lookup.
func recordTypeOf(e *endpoint) recordType {
	if t, ok := recordTypes[e.kind]; ok && !e.resolves() {
		return t
	}
	if !e.resolves() {
		return recordTypes["txt"]
	}
	t := recordTypes[""]
	t.value = addressesOf(e.host)
	return t
}

// addRecords gives an answer DNS records of the type that was looked up: none, one or several.
func (sa sampler) addRecords(e *endpoint, a *answer) {
	a.record = recordTypeOf(e)
	a.body = gene.New(&model.Schema{Type: "array", MaxItems: &a.record.most, Items: a.record.value})
	a.body.Sample(sa.Rand)
	if a.record.name == "TXT" {
		sa.suggest(e, gene.Field{Gene: a.body})
	}
}

// literalRecords returns the records of an answer.
func (a *answer) literalRecords() (all []model.DNSRecord) {
	for i, g := range gene.Elements(a.body) {
		one := model.DNSRecord{Type: a.record.name, Value: strings.Map(printable, gene.Text(g))}
		if a.record.lead != nil {
			one.Value = a.record.lead(i) + one.Value
		}
		if addr, err := netip.ParseAddr(one.Value); err == nil && one.Type == "A" && addr.Is6() {
			one.Type = "AAAA"
		}
		all = append(all, one)
	}
	return all
}
