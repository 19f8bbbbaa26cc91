package outside

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/runner/gene"
)

// answer is what a place does once.
type answer struct {
	fault   model.NetFault
	code    gene.Gene // the status, of HTTP alone
	form    form
	body    gene.Gene // nil of a form that has none
	text    texture
	long    string    // of a long form
	media   gene.Gene // of what is said by HTTP
	headers []header
	closes  bool
	after   int
	latency int
	value   model.Record  // what the gene of a record stands in
	literal *model.Answer // what it is instead, of a test that was read; nil for none
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
	mostAfter    = 64
)

// faults of the protocols, the more often the more there is to see. A mute host
// takes its time.
var faults = map[model.Protocol][]model.NetFault{
	model.HTTP: {model.NetReset, model.NetReset, model.NetCut, model.NetTruncatedJSON, model.NetSlow, model.NetMute},
	model.TCP:  {model.NetReset, model.NetReset, model.NetCut, model.NetSlow, model.NetMute},
	model.UDP:  {model.NetRefuse, model.NetMute, model.NetSlow},
	model.DNS:  {model.NetNXDomain, model.NetTimeout},
}

// doorFaults are those of a host to which no connection comes about.
var doorFaults = []model.NetFault{model.NetRefuse, model.NetTimeout, model.NetUnreachable}

// statuses besides 200: those by which clients are known to branch.
var statuses = []int{201, 202, 204, 301, 302, 304, 400, 401, 402, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504}

// shortLatency is for how long a slow host waits, in milliseconds: long enough to be
// seen, and short enough to be searched with.
const shortLatency = 20

// answer returns a new answer for a stub.
func (w *World) answer(r *rand.Rand, s *Stub) *answer {
	a := &answer{}
	if !s.inward && (s.resolves() && s.protocol == model.DNS || r.Float64() < faultChance) {
		w.misbehave(r, s, a)
		return a
	}
	w.fill(r, s, a)
	return a
}

// enoughWaits is how often a service is kept waiting by a mute place: it takes the
// time of hundreds of calls, and tells nothing new.
const enoughWaits = 2

// misbehave gives an answer a fault. What is cut or late is an answer all the same.
func (w *World) misbehave(r *rand.Rand, s *Stub, a *answer) {
	all := faults[s.protocol]
	a.fault = all[r.IntN(len(all))]
	if a.fault == model.NetMute && s.waited >= enoughWaits {
		a.fault = all[0]
	}
	switch a.fault {
	case model.NetCut:
		a.after = r.IntN(mostAfter)
		w.fill(r, s, a)
	case model.NetSlow:
		a.latency = shortLatency
		w.fill(r, s, a)
	case model.NetTruncatedJSON:
		w.fill(r, s, a)
	}
}

// fill gives an answer its status and what it says.
func (w *World) fill(r *rand.Rand, s *Stub, a *answer) {
	var schema *model.Schema
	switch s.protocol {
	case model.HTTP:
		a.code, schema = w.status(r, s.place)
		w.head(r, s.place, a)
	case model.TCP:
		a.closes = r.Float64() < closesChance
	case model.DNS:
		a.record(r, s.kind)
		return
	}
	w.say(r, s, a, schema)
}

// status is a status, and the schema of what comes with it where the host's spec
// tells.
func (w *World) status(r *rand.Rand, p *place) (gene.Gene, *model.Schema) {
	if len(p.answers) > 0 && r.Float64() < providedChance {
		a := p.answers[r.IntN(len(p.answers))]
		if n, err := strconv.Atoi(a.Status); err == nil && n >= 200 {
			return codeOf(n), jsonOf(a)
		}
	}
	if r.Float64() < usualStatus {
		return codeOf(200), nil
	}
	return codeOf(statuses[r.IntN(len(statuses))]), nil
}

// codeOf is a status as a value that the service may compare with something.
func codeOf(status int) gene.Gene {
	least, most := 200.0, 599.0
	g := gene.New(&model.Schema{Type: "integer", Min: &least, Max: &most})
	g.Set(float64(status))
	return g
}

// status is 0 of an answer that has none.
func (a *answer) status() int {
	if a.code == nil {
		return 0
	}
	n, _ := strconv.Atoi(gene.Text(a.code))
	return n
}

// other is an answer next to one: the same with another status, text or fault.
func (w *World) other(r *rand.Rand, s *Stub, a *answer) *answer {
	c := a.clone()
	switch {
	case a.literal != nil || a.fault != "" || r.Float64() < faultChance:
		return w.answer(r, s)
	case s.protocol == model.HTTP && r.IntN(2) == 0:
		var schema *model.Schema
		c.code, schema = w.status(r, s.place)
		w.head(r, s.place, c)
		if schema != nil {
			w.say(r, s, c, schema)
		}
	case s.protocol == model.HTTP && r.IntN(3) == 0:
		w.head(r, s.place, c)
	case s.protocol == model.TCP && r.IntN(4) == 0:
		c.closes = !c.closes
	case c.form == lines && r.IntN(2) == 0:
		c.text = w.texture(r)
	default:
		w.fill(r, s, c)
		c.code, c.headers = a.code, a.headers
	}
	return c
}

// model prints the answer.
func (a *answer) model(p *place) model.Answer {
	if a.literal != nil {
		return *a.literal
	}
	out := model.Answer{Fault: a.fault, Status: a.status(), Close: a.closes, After: a.after, Latency: a.latency}
	if a.value.Type != "" {
		out.Records = []model.Record{{Type: a.value.Type, Value: a.value.Value + gene.Text(a.body)}}
		return out
	}
	if p.protocol == model.HTTP {
		out.Header = a.sent()
	}
	return out.Saying(a.bytes())
}

// record gives an answer a record of the kind that was looked up.
func (a *answer) record(r *rand.Rand, kind string) {
	before := map[string]string{"mx": "10 ", "srv": "1 5 80 "}
	types := map[string]string{"mx": "MX", "srv": "SRV", "txt": "TXT", "ns": "NS", "cname": "CNAME", "ptr": "PTR"}
	a.value = model.Record{Type: cmp.Or(types[kind], "TXT"), Value: before[kind]}
	a.body = gene.New(&model.Schema{Type: "string"})
	a.body.Sample(r)
}

// talks reports whether an answer says lines.
func (a *answer) talks() bool { return a.form == lines && a.body != nil && a.speaks() }

// speaks reports whether an answer says something, be it late or cut.
func (a *answer) speaks() bool {
	switch a.fault {
	case "", model.NetCut, model.NetSlow, model.NetTruncatedJSON:
		return true
	}
	return false
}
