package hostmodel

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sonde/model"
	"sonde/runner/search/gene"
)

// useFaultChance is the probability that a new answer for a resource without a value, such as a file or a port, is a
// fault. It is high because such a resource works without a stub.
const useFaultChance = 0.85

// isUse reports whether the endpoint is a resource of the environment without a value, such as a file or a port. Its
// stubs only decide whether the resource works.
func (e *endpoint) isUse() bool {
	return e.protocol == model.Environment && !model.ResourceHasValue(e.host)
}

// matters reports whether the values in stubs of the endpoint most likely matter to the service. It returns true for hosts. For
// a resource, it reports whether the service was seen to compare the value: most services only log the name of their machine.
func (e *endpoint) matters() bool { return e.protocol != model.Environment || len(e.expected) > 0 }

// splitUses divides endpoints into uses, for which isUse reports true, and others. It leaves out uses that cannot
// have a fault. The callers add a stub for at most one of the uses at a time, because a service may use many files.
func splitUses(all []*endpoint) (others, uses []*endpoint) {
	for _, e := range all {
		switch {
		case !e.isUse():
			others = append(others, e)
		case len(e.faults()) > 0:
			uses = append(uses, e)
		}
	}
	return others, uses
}

// Resource returns the resource that a stub must name to match a contact with the environment. If the test sent the
// port, or a part of the path, as a value, Resource replaces this value with "*", because the next test sends another
// value.
func (h *Hosts) Resource(test model.Test, c model.Contact) string {
	sent := sentValues(test)
	switch port := model.ResourcePort(c.Host); {
	case port != "" && sent[port]:
		return model.AnyPortResource(c.Host)
	case !model.IsFileResource(c.Host):
		return c.Host
	}
	parts := strings.Split(c.Host, "/")
	for i, part := range parts {
		parts[i] = withoutValues(part, sent)
	}
	resource := strings.Join(parts, "/")
	if rest := folderOf(resource) + "*"; h.endpoints.use(resource) == nil && h.endpoints.use(rest) != nil {
		return rest // the folder has more than maxFiles files
	}
	return resource
}

// pathWord matches a word in the name of a file. A test may have sent the word as a value.
var pathWord = regexp.MustCompile(`[\pL\pN]+`)

// withoutValues returns the name of a file with values replaced by "*". A value may be the whole name, the part of
// the name before a dot, or a word. With the value "ann", the name "ann.json" becomes "*.json".
func withoutValues(name string, values map[string]bool) string {
	for end := len(name); end > 0; end = strings.LastIndexByte(name[:end], '.') {
		if values[name[:end]] {
			return "*" + name[end:]
		}
	}
	return pathWord.ReplaceAllStringFunc(name, func(word string) string {
		if values[word] {
			return "*"
		}
		return word
	})
}

// sentValues returns the values that the calls of a test send: arguments, and scalars in JSON bodies.
func sentValues(test model.Test) map[string]bool {
	all := map[string]bool{}
	for _, c := range test.Calls {
		for _, a := range c.Args {
			all[a.Value] = true
		}
		if c.Body == nil {
			continue
		}
		if v, err := decodeJSON([]byte(c.Body.Data)); err == nil {
			addScalars(all, v)
		}
	}
	return all
}

func decodeJSON(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return v, d.Decode(&v)
}

func addScalars(all map[string]bool, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			addScalars(all, inner)
		}
	case []any:
		for _, inner := range v {
			addScalars(all, inner)
		}
	case string:
		all[v] = true
	case json.Number:
		all[v.String()] = true
	}
}

// usesOfFault has the actions that can fail because of a fault. A fault that is not listed is possible for every action.
var usesOfFault = map[model.NetFault][]string{
	model.NetPermissionDenied: {"open", "update", "create", "mkdir", "rename", "remove", "removeall", "listen"},
	model.NetNoSpace:          {"create", "update", "write", "mkdir", "rename"},
	model.NetNoSuchFile:       {"open", "update", "stat", "rename", "remove"},
	model.NetIOError:          {"open", "update", "create", "read", "write"},
}

// faults returns the possible faults of a resource of the environment. They depend on how the service used the
// resource: for example, NetNoSuchFile is possible for "open", but not for "mkdir".
func (e *endpoint) faults() (all []model.NetFault) {
	for _, f := range model.ResourceFaults(e.host) {
		actions := usesOfFault[f]
		canFail := func(action string) bool { return slices.Contains(actions, action) }
		if !e.isUse() || actions == nil || slices.ContainsFunc(e.uses, canFail) {
			all = append(all, f)
		}
	}
	switch port, _ := strconv.Atoi(model.ResourcePort(e.host)); {
	case model.ResourcePort(e.host) == "0":
		return nil // the system chooses a free port
	case port >= firstUserPort:
		all = slices.DeleteFunc(all, func(f model.NetFault) bool { return f == model.NetPermissionDenied })
	}
	return all
}

// firstUserPort is the lowest port on which a program may listen without special permission.
const firstUserPort = 1024

// Faults returns the faults that a resource of the environment can have for the actions by which the service used the resource. It
// returns nil if the service was not seen to use the resource.
func (h *Hosts) Faults(resource string) []model.NetFault {
	if e := h.endpoints.use(resource); e != nil {
		return e.faults()
	}
	return nil
}

// use returns the endpoint of a resource of the environment, nil if there is none.
func (s *endpointSet) use(resource string) *endpoint {
	for _, e := range s.all {
		if e.protocol == model.Environment && e.host == resource {
			return e
		}
	}
	return nil
}

// maxUsesBefore is the maximum number of uses that work before the fault, in a stub that FailingStub returns.
const maxUsesBefore = 16

// FailingStub returns a stub with which the first uses of a resource work, and the next use has the fault f. after is the number of
// uses that work; if after is larger, maxUsesBefore uses work. FailingStub returns nil if the service was not seen to use the resource.
func (h *Hosts) FailingStub(resource string, f model.NetFault, after int) *Stub {
	e := h.endpoints.use(resource)
	if e == nil {
		return nil
	}
	s := &Stub{endpoint: e, protocol: model.Environment}
	for range min(after, maxUsesBefore) {
		s.answers = append(s.answers, &answer{form: empty})
	}
	s.answers = append(s.answers, &answer{fault: f})
	return s
}

// plainAnswer returns an answer that is valid in a stub of the endpoint.
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
		return s.endpoint.faults()
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

// addValue gives an answer a new value of a resource: the name of the machine, or its network interfaces. For a
// resource without a value, such as a file, the answer is empty, which means that the resource works.
func (sa sampler) addValue(e *endpoint, a *answer) {
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
	a.body.Sample(sa.Rand)
	all := []gene.Gene{a.body}
	for _, one := range gene.Elements(a.body) {
		for _, f := range gene.PresentFields(one) {
			all = append(all, f.Gene)
		}
	}
	for _, g := range all {
		if sa.Float64() < exampleChance {
			gene.SetExamples(sa.Rand, g, sa.IntN(len(interfaceAddresses)))
		}
	}
	sa.suggest(e, gene.Field{Name: e.host, Gene: a.body})
}

// resourceText returns the body of an answer that has the value of a resource: the name of the machine, or a line for each network
// interface.
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

// machineWord returns text without spaces and control characters, truncated to 64 bytes. It returns other if nothing is left.
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

// interfaceAddress returns an address with the length of its network prefix. An address without this length gets the usual length:
// /24 for IPv4, and /64 for IPv6. interfaceAddress returns DownInterface unchanged, and "" for any other text.
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
