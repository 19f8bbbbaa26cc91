package hostmodel

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/runner/search/gene"
)

// answer is one answer of a stub, with genes for its values.
type answer struct {
	fault    model.NetFault
	code     gene.Gene   // the status, for HTTP without gRPC only
	status   *callStatus // status of a gRPC call; nil for other answers
	form     form
	document *Document // document of a body with the form structured; nil for other forms
	body     gene.Gene // nil for a form without genes
	format   lineFormat
	long     string    // the body, if it has the form long
	media    gene.Gene // the content type, for HTTP only
	headers  []header
	closes   bool          // see model.Answer.Close
	after    int           // see model.Answer.After
	latency  int           // see model.Answer.Latency
	record   recordType    // type of the records in a DNS answer; body has their texts
	reply    *reply        // reply of a database; body has its values; nil for other answers
	literal  *model.Answer // an answer from a file, which replaces all other fields; nil for other answers
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
	c.status = a.status.clone()
	c.headers = slices.Clone(a.headers)
	for i, h := range c.headers {
		c.headers[i].value = h.value.Clone()
	}
	return &c
}

const (
	faultChance = 0.2 // probability of a fault
	// databaseFault is the probability of a fault of a database. It is lower than faultChance, because a request to
	// the service often causes many queries, and all of them must succeed.
	databaseFault = 0.03
	usualStatus   = 0.6 // probability of status 200, if no declared status is drawn
	closesChance  = 0.2 // probability that a TCP host closes the connection after the answer
	maxAfter      = 64  // NetCut, NetStall and NetNoSpace have an effect after fewer bytes than this
)

// faults lists the faults of each protocol. A fault that is listed twice is drawn twice as often. Faults with which the
// host is silent are listed once, because tests with them take long.
var faults = map[model.Protocol][]model.NetFault{
	model.HTTP: {model.NetReset, model.NetReset, model.NetCut, model.NetTruncatedJSON, model.NetSlow, model.NetMute, model.NetStall},
	model.TCP:  {model.NetReset, model.NetReset, model.NetCut, model.NetSlow, model.NetMute, model.NetStall},
	model.UDP:  {model.NetRefuse, model.NetMute, model.NetSlow},
	model.DNS:  {model.NetNXDomain, model.NetTimeout, model.NetServFail},

	model.Redis:    databaseFaults,
	model.Postgres: databaseFaults,
	model.MySQL:    databaseFaults,
}

// databaseFaults are the faults of databases. NetMute and NetStall are missing: few services limit the time of a query, so
// each query to a silent database would take seconds.
var databaseFaults = []model.NetFault{model.NetReset, model.NetReset, model.NetCut, model.NetSlow}

// connectionFaults are the faults of a host to which the service cannot connect.
var connectionFaults = []model.NetFault{model.NetRefuse, model.NetTimeout, model.NetUnreachable}

// certificateFaults are further faults of a host to which the service connects by TLS.
var certificateFaults = []model.NetFault{model.NetWrongTLS, model.NetExpiredTLS, model.NetUntrustedTLS}

// statuses are the statuses that a search draws besides 200. Clients often treat them in different ways.
var statuses = []int{201, 202, 204, 301, 302, 304, 400, 401, 402, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504}

// shortLatency is how long a slow host waits, in milliseconds.
const shortLatency = 20

// addressesChance is the probability that an answer of an endpoint for which isReachability is true, such as a lookup
// of addresses, has no fault. Resources of the environment have useFaultChance instead.
const addressesChance = 0.5

// answer returns a new answer for a stub: a fault or content. The answer of an inward stub is never a fault, nor is one
// of a faultless sampler or of a stub for which makesExist is true.
func (sa sampler) answer(s *Stub) *answer {
	a := &answer{}
	chance := faultChance
	switch {
	case s.protocol.IsDatabase() && !s.isConnection():
		chance = databaseFault
	case s.isUse():
		chance = useFaultChance
	case s.isReachability():
		chance = 1 - addressesChance
	}
	if !s.inward && !sa.faultless && !s.makesExist() && len(s.faults()) > 0 && sa.Float64() < chance {
		sa.addFault(s, a)
		return a
	}
	sa.fill(s, a)
	return a
}

// maxWaits limits long waits of the service for a silent host. There are different kinds of silence. After the service
// has waited maxWaits times during one kind of silence of an endpoint, new answers of the endpoint do not have this
// kind of silence. Each wait takes as long as hundreds of calls, and further waits reveal nothing new.
const maxWaits = 2

// isTiring reports whether an answer has a kind of silence during which the service has already waited maxWaits times.
func (s *Stub) isTiring(a *answer) bool {
	return a.fault.IsSilent() && s.waited[s.silence(a.fault, a.after)] >= maxWaits
}

// addFault gives an answer a fault. For a fault with which the host still sends content, such as NetSlow, addFault also
// gives the answer content. It does not use a fault for which isTiring is true.
func (sa sampler) addFault(s *Stub, a *answer) {
	all := s.faults()
	a.fault = all[sa.IntN(len(all))]
	if (a.fault == model.NetCut || a.fault == model.NetStall) && sa.IntN(2) == 0 {
		a.after = sa.IntN(maxAfter) // after 0 bytes, the host has sent the headers of HTTP, and nothing by TCP
	}
	if s.isTiring(a) {
		a.fault, a.after = all[0], 0
	}
	switch a.fault {
	case model.NetNoSpace:
		if sa.IntN(2) == 0 {
			a.after = sa.IntN(maxAfter)
		}
	case model.NetCut, model.NetStall:
		sa.fill(s, a)
	case model.NetSlow:
		a.latency = shortLatency
		sa.fill(s, a)
	case model.NetTruncatedJSON:
		sa.fill(s, a)
	}
}

// fill draws the content of an answer. For HTTP it also draws the status and the headers, and for TCP whether the
// connection is closed after the answer.
func (sa sampler) fill(s *Stub, a *answer) {
	var schema *model.Schema
	a.status = nil
	switch s.protocol {
	case model.HTTP:
		if s.endpoint.grpc && (sa.faultless || s.makesExist() || sa.Float64() >= webAnswerChance) {
			sa.addCallAnswer(s, a)
			return
		}
		a.code, schema = drawStatus(sa.Rand, s.endpoint)
		sa.addHeaders(s.endpoint, a)
	case model.TCP:
		a.closes = sa.Float64() < closesChance
	case model.DNS:
		sa.addRecords(s.endpoint, a)
		return
	case model.Environment:
		sa.addValue(s.endpoint, a)
		return
	case model.Redis, model.Postgres, model.MySQL:
		sa.addReply(s, a)
		return
	}
	sa.addBody(s, a, schema)
}

// drawStatus draws a status: one that the host's spec declares, 200, or one of statuses. If it drew
// a declared status, it also returns the declared JSON schema of the body, nil if there is none.
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

// codeOf returns a status as a gene, so that the search can mutate it.
func codeOf(status int) gene.Gene {
	minimum, maximum := 200.0, 599.0
	g := gene.New(&model.Schema{Type: "integer", Min: &minimum, Max: &maximum})
	g.SetValue(float64(status))
	return g
}

// statusCode returns the status of HTTP, 0 if the answer has none.
func (a *answer) statusCode() int {
	if a.code == nil {
		return 0
	}
	n, _ := strconv.Atoi(gene.Text(a.code))
	return n
}

// neighbour returns a copy of an answer with one change: another status with its headers, other headers, other content,
// other separators, or the opposite value of a.closes. Sometimes neighbour returns a new answer instead. It always does
// so if the answer is literal or has a fault, or if a host of gRPC answers as a web server.
func (sa sampler) neighbour(s *Stub, a *answer) *answer {
	c := a.clone()
	switch {
	case a.literal != nil || a.fault != "" || s.endpoint.grpc && a.status == nil || sa.Float64() < faultChance:
		return sa.answer(s)
	case a.status != nil && sa.IntN(2) == 0:
		sa.addCallStatus(s, c)
	case a.status != nil:
		sa.addMessages(s, c)
	case s.protocol == model.HTTP && sa.IntN(2) == 0:
		var schema *model.Schema
		c.code, schema = drawStatus(sa.Rand, s.endpoint)
		sa.addHeaders(s.endpoint, c)
		if schema != nil {
			sa.addBody(s, c, schema)
		}
	case s.protocol == model.HTTP && sa.IntN(3) == 0:
		sa.addHeaders(s.endpoint, c)
	case s.protocol == model.TCP && sa.IntN(4) == 0:
		c.closes = !c.closes
	case c.form == lines && sa.IntN(2) == 0:
		c.format = sa.vocabulary.lineFormat(sa.Rand)
	default:
		sa.fill(s, c)
		c.code, c.headers = a.code, a.headers
	}
	return c
}

// model returns the answer as a model.Answer. e is the endpoint of the stub, and p is the protocol of the stub.
func (a *answer) model(e *endpoint, p model.Protocol) model.Answer {
	if a.literal != nil {
		return *a.literal
	}
	out := model.Answer{Fault: a.fault, Status: a.statusCode(), Close: a.closes, After: a.after, Latency: a.latency}
	if a.record.name != "" {
		out.Records = a.literalRecords()
		return out
	}
	if a.reply != nil && a.sendsBody() {
		return out.WithContent(a.writeReply(p))
	}
	if a.form == resourceValue && a.sendsBody() {
		return out.WithContent(a.resourceText(e))
	}
	if e.protocol == model.HTTP {
		out.Header = a.literalHeaders()
	}
	out = out.WithContent(a.content())
	if a.status != nil {
		a.addCall(&out)
	}
	return out
}

// hasLines reports whether an answer has the form lines and sends a body.
func (a *answer) hasLines() bool { return a.form == lines && a.body != nil && a.sendsBody() }

// sendsBody reports whether an answer can send at least a part of its body. An answer with a fault
// such as NetReset cannot. Neither can an error of gRPC, except in a stream.
func (a *answer) sendsBody() bool {
	if a.status != nil && !a.sendsMessages() {
		return false
	}
	switch a.fault {
	case "", model.NetCut, model.NetStall, model.NetSlow, model.NetTruncatedJSON:
		return true
	}
	return false
}
