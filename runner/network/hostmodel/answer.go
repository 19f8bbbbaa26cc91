package hostmodel

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/runner/search/gene"
)

// answer is what an endpoint does once.
type answer struct {
	fault   model.NetFault
	code    gene.Gene // the status, for HTTP only
	form    form
	body    gene.Gene // nil for a form that has none
	format  lineFormat
	long    string    // the body of a long form
	media   gene.Gene // the content type, for HTTP only
	headers []header
	closes  bool
	after   int
	latency int
	value   model.DNSRecord // a DNS record, without the value of its gene
	literal *model.Answer   // replaces all of it in a test that was read; nil for none
}

func (a *answer) clone() *answer {
	c := *a
	if a.body != nil {
		c.body = a.body.Clone()
	}
	if a.code != nil {
		c.code = a.code.Clone()
	}
	if a.media != nil {
		c.media = a.media.Clone()
	}
	c.headers = slices.Clone(a.headers)
	for i, h := range c.headers {
		c.headers[i].value = h.value.Clone()
	}
	return &c
}

// The chances of an answer.
const (
	faultChance  = 0.2
	usualStatus  = 0.6
	closesChance = 0.2
	maxAfter     = 64
)

// faults of the protocols. The more a fault reveals, the more often it is listed: a mute
// host takes time.
var faults = map[model.Protocol][]model.NetFault{
	model.HTTP: {model.NetReset, model.NetReset, model.NetCut, model.NetTruncatedJSON, model.NetSlow, model.NetMute},
	model.TCP:  {model.NetReset, model.NetReset, model.NetCut, model.NetSlow, model.NetMute},
	model.UDP:  {model.NetRefuse, model.NetMute, model.NetSlow},
	model.DNS:  {model.NetNXDomain, model.NetTimeout},
}

// connectionFaults are the faults of a host that accepts no connection.
var connectionFaults = []model.NetFault{model.NetRefuse, model.NetTimeout, model.NetUnreachable}

// statuses besides 200, which clients often treat differently.
var statuses = []int{201, 202, 204, 301, 302, 304, 400, 401, 402, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504}

// shortLatency is how long a slow host waits, in milliseconds: long enough to be noticed,
// and short enough for a search.
const shortLatency = 20

// answer returns a new answer for a stub.
func (h *Hosts) answer(r *rand.Rand, s *Stub) *answer {
	a := &answer{}
	if !s.inward && (s.resolves() && s.protocol == model.DNS || r.Float64() < faultChance) {
		h.addFault(r, s, a)
		return a
	}
	h.fill(r, s, a)
	return a
}

// maxWaits is how often a mute endpoint may keep the service waiting: each wait takes as long as
// hundreds of calls and reveals nothing new.
const maxWaits = 2

// addFault gives an answer a fault. An answer that is cut or late still has content.
func (h *Hosts) addFault(r *rand.Rand, s *Stub, a *answer) {
	all := faults[s.protocol]
	a.fault = all[r.IntN(len(all))]
	if a.fault == model.NetMute && s.waited >= maxWaits {
		a.fault = all[0]
	}
	switch a.fault {
	case model.NetCut:
		a.after = r.IntN(maxAfter)
		h.fill(r, s, a)
	case model.NetSlow:
		a.latency = shortLatency
		h.fill(r, s, a)
	case model.NetTruncatedJSON:
		h.fill(r, s, a)
	}
}

// fill gives an answer its status and content.
func (h *Hosts) fill(r *rand.Rand, s *Stub, a *answer) {
	var schema *model.Schema
	switch s.protocol {
	case model.HTTP:
		a.code, schema = drawStatus(r, s.endpoint)
		h.addHeaders(r, s.endpoint, a)
	case model.TCP:
		a.closes = r.Float64() < closesChance
	case model.DNS:
		a.addRecord(r, s.kind)
		return
	}
	h.addBody(r, s, a, schema)
}

// drawStatus returns a status, and the schema of its body where the host's spec declares
// one.
func drawStatus(r *rand.Rand, e *endpoint) (gene.Gene, *model.Schema) {
	if len(e.answers) > 0 && r.Float64() < declaredChance {
		a := e.answers[r.IntN(len(e.answers))]
		if n, err := strconv.Atoi(a.Status); err == nil && n >= 200 {
			return codeOf(n), jsonSchemaOf(a)
		}
	}
	if r.Float64() < usualStatus {
		return codeOf(200), nil
	}
	return codeOf(statuses[r.IntN(len(statuses))]), nil
}

// codeOf returns a status as a gene, since the service may compare it.
func codeOf(status int) gene.Gene {
	minimum, maximum := 200.0, 599.0
	g := gene.New(&model.Schema{Type: "integer", Min: &minimum, Max: &maximum})
	g.SetValue(float64(status))
	return g
}

// status returns the status, or 0 for an answer that has none.
func (a *answer) status() int {
	if a.code == nil {
		return 0
	}
	n, _ := strconv.Atoi(gene.Text(a.code))
	return n
}

// neighbour returns an answer that differs from one in its status, text or fault.
func (h *Hosts) neighbour(r *rand.Rand, s *Stub, a *answer) *answer {
	c := a.clone()
	switch {
	case a.literal != nil || a.fault != "" || r.Float64() < faultChance:
		return h.answer(r, s)
	case s.protocol == model.HTTP && r.IntN(2) == 0:
		var schema *model.Schema
		c.code, schema = drawStatus(r, s.endpoint)
		h.addHeaders(r, s.endpoint, c)
		if schema != nil {
			h.addBody(r, s, c, schema)
		}
	case s.protocol == model.HTTP && r.IntN(3) == 0:
		h.addHeaders(r, s.endpoint, c)
	case s.protocol == model.TCP && r.IntN(4) == 0:
		c.closes = !c.closes
	case c.form == lines && r.IntN(2) == 0:
		c.format = h.Vocabulary.lineFormat(r)
	default:
		h.fill(r, s, c)
		c.code, c.headers = a.code, a.headers
	}
	return c
}

// model returns the literal answer.
func (a *answer) model(e *endpoint) model.Answer {
	if a.literal != nil {
		return *a.literal
	}
	out := model.Answer{Fault: a.fault, Status: a.status(), Close: a.closes, After: a.after, Latency: a.latency}
	if a.value.Type != "" {
		out.Records = []model.DNSRecord{{Type: a.value.Type, Value: a.value.Value + gene.Text(a.body)}}
		return out
	}
	if e.protocol == model.HTTP {
		out.Header = a.literalHeaders()
	}
	return out.WithContent(a.content())
}

// addRecord gives an answer a record of the kind that was looked up.
func (a *answer) addRecord(r *rand.Rand, kind string) {
	before := map[string]string{"mx": "10 ", "srv": "1 5 80 "}
	types := map[string]string{"mx": "MX", "srv": "SRV", "txt": "TXT", "ns": "NS", "cname": "CNAME", "ptr": "PTR"}
	a.value = model.DNSRecord{Type: cmp.Or(types[kind], "TXT"), Value: before[kind]}
	a.body = gene.New(&model.Schema{Type: "string"})
	a.body.Sample(r)
}

// hasLines reports whether an answer sends lines.
func (a *answer) hasLines() bool { return a.form == lines && a.body != nil && a.sendsBody() }

// sendsBody reports whether an answer sends a body, even if late or cut.
func (a *answer) sendsBody() bool {
	switch a.fault {
	case "", model.NetCut, model.NetSlow, model.NetTruncatedJSON:
		return true
	}
	return false
}
