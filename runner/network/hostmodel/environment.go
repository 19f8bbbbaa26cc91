package hostmodel

import (
	"bytes"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"unicode"

	"sonde/model"
	"sonde/runner/search/gene"
)

// useFaultChance is the probability that a new answer of the environment is a fault, for a resource without a value. Without
// a stub such a resource works.
const useFaultChance = 0.85

// isUse reports whether the endpoint is a resource of the environment without a value. Its stubs only decide whether
// the resource works.
func (e *endpoint) isUse() bool {
	return e.protocol == model.Environment && !model.ResourceHasValue(e.host)
}

// Resource returns the resource of the stubs that decide what a contact with the environment meets. If a test named the port, the
// stubs are for all ports, because the next test names another.
func (h *Hosts) Resource(c model.Contact) string { return h.endpoints.resource(c) }

func (s *endpointSet) resource(c model.Contact) string {
	if s.named[c.Host] {
		return model.AnyResource(c.Host)
	}
	return c.Host
}

// FailingStub returns a stub with which a resource has a fault at each use. It returns nil if the service was not seen to
// use the resource.
func (h *Hosts) FailingStub(resource string, f model.NetFault) *Stub {
	for _, e := range h.endpoints.all {
		if e.protocol == model.Environment && e.host == resource {
			return &Stub{endpoint: e, protocol: model.Environment, answers: []*answer{{fault: f}}}
		}
	}
	return nil
}

// plainAnswer returns an answer that a stub of any endpoint of the same protocol can have.
func (e *endpoint) plainAnswer() model.Answer {
	switch {
	case e.isUse():
		return model.Answer{}
	case e.host == model.InterfacesResource:
		return model.Answer{Body: "lo"}
	}
	return model.Answer{Body: "null"}
}

// faults returns the faults that an answer of the stub can have.
func (s *Stub) faults() []model.NetFault {
	if s.protocol == model.Environment {
		return model.ResourceFaults(s.host)
	}
	return faults[s.protocol]
}

// The schemas of the values of resources. The service may compare names and addresses with any text, so they are texts
// with usual examples.
var (
	maxInterfaces = 3

	machineName = &model.Schema{
		Type: "string", MinLength: 1,
		Examples: []any{"web-1", "db2.internal", "localhost", "node-7.cluster.example", "prod-eu-west-1a"},
	}
	machineInterfaces = &model.Schema{Type: "array", MaxItems: &maxInterfaces, Items: machineInterface}
	machineInterface  = &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "name", Required: true, Schema: &model.Schema{
			Type: "string", MinLength: 1, Examples: []any{"eth0", "eth1", "wlan0", "docker0", "tun0", "en0"},
		}},
		{Name: "address", Required: true, Schema: &model.Schema{Type: "string", Examples: interfaceAddresses}},
	}}
	// interfaceAddresses are private, public, link-local and other addresses of both families. "" means that an interface
	// has no address.
	interfaceAddresses = []any{
		"10.0.0.2", "192.168.1.10", "172.17.0.1", "203.0.113.9", "169.254.10.1", "2001:db8::9", "fd00::9", "fe80::9", "",
		model.DownInterface,
	}
)

// exampleChance is the probability that a value of a resource is one of the examples of its schema.
const exampleChance = 0.7

// addValue gives an answer a new value of a resource: a name, or network interfaces.
func (h *Hosts) addValue(r *rand.Rand, e *endpoint, a *answer) {
	switch e.host {
	case model.HostnameResource:
		a.body = gene.New(machineName)
	case model.InterfacesResource:
		a.body = gene.New(machineInterfaces)
	default:
		a.form = empty
		return
	}
	a.form = resourceValue
	a.body.Sample(r)
	all := []gene.Gene{a.body}
	for _, one := range gene.Elements(a.body) {
		for _, f := range gene.PresentFields(one) {
			all = append(all, f.Gene)
		}
	}
	for _, g := range all {
		if r.Float64() < exampleChance {
			gene.SetExamples(r, g, r.IntN(len(interfaceAddresses)))
		}
	}
	h.suggest(r, e, gene.Field{Name: e.host, Gene: a.body})
}

// resourceText returns the value of a resource as the body of an answer.
func (a *answer) resourceText(e *endpoint) []byte {
	if e.host == model.HostnameResource {
		return []byte(machineWord(gene.Text(a.body), "localhost"))
	}
	var out bytes.Buffer
	for i, one := range gene.Elements(a.body) {
		fields := gene.PresentFields(one)
		out.WriteString(machineWord(fieldText(fields, "name"), "eth"+string(rune('0'+i))))
		if addr := interfaceAddress(fieldText(fields, "address")); addr != "" {
			out.WriteString(" " + addr)
		}
		out.WriteByte('\n')
	}
	if out.Len() == 0 {
		return []byte("lo\n")
	}
	return out.Bytes()
}

func fieldText(fields []gene.Field, name string) string {
	i := slices.IndexFunc(fields, func(f gene.Field) bool { return f.Name == name })
	if i < 0 {
		return ""
	}
	return gene.Text(fields[i].Gene)
}

// machineWord returns the text without spaces and control characters, truncated to 64 bytes, or other if nothing is left.
func machineWord(text, other string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, text)
	text = strings.ToValidUTF8(text[:min(len(text), 64)], "")
	if text == "" {
		return other
	}
	return text
}

// interfaceAddress returns an address with the usual length of its network, DownInterface, or "" for any other text.
func interfaceAddress(text string) string {
	addr, err := netip.ParseAddr(text)
	switch p, bad := netip.ParsePrefix(text); {
	case text == model.DownInterface:
		return text
	case bad == nil:
		return p.String()
	case err != nil:
		return ""
	case addr.Is4():
		return addr.WithZone("").String() + "/24"
	}
	return addr.WithZone("").String() + "/64"
}
