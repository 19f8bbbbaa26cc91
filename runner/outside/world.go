// Package outside is what the hosts around a service may answer, as the search sees
// it: stubs whose answers are genes. Only what the service was seen to turn to is
// searched for (the virtual network's paper, section 4.2): a name that it looked up,
// a place that it called, a port on which it listens. It speaks with nobody.
package outside

import (
	"cmp"
	"math/rand/v2"
	"regexp"
	"slices"

	"sonde/model"
	"sonde/runner/gene"
)

// mostPlaces bounds how many places are searched: a service may make up names.
const mostPlaces = 64

// World is what a search knows of the hosts around the service. One goroutine owns
// it. The zero value knows nothing.
type World struct {
	// Shapes are of what the service reads, as far as its source tells.
	Shapes []*model.Schema
	// Headers are the names of those of HTTP that it reads.
	Headers []string
	// Readable are texts that its parsers read.
	Readable []string
	// Patterns are regular expressions by which it looks for something in texts.
	Patterns []string
	// Lengths are those of texts by which it decides.
	Lengths []int
	// Words and Parts are texts by which it takes others apart, into many and into two.
	Words, Parts []string
	// Constant draws a value that the service compares with, for a value of a name; ""
	// where there is none, as of a nil function.
	Constant func(r *rand.Rand, name string, g gene.Gene) string
	// Provided returns the answers that a host's own spec declares, by status; nil
	// where nobody gave one, as a nil function does.
	Provided func(host, method, path string) []model.Response

	places []*place // in the order in which they were seen
	told   map[string]bool
	ops    map[model.OpID][]*place
}

// place is what a stub stands for: a host and its protocol, of HTTP the method and
// path, too. The door of a host is the place where connections are opened: what it does
// holds for all that is behind it.
type place struct {
	host         string
	protocol     model.Protocol // "" of a door
	inward       bool
	method, path string
	kind         string // of what is looked up

	spoken   model.Protocol  // behind a door, "" while the service said nothing yet
	asks     []*model.Schema // of JSON that was sent there
	expected map[string][]Expected
	proven   []*Stub // that led somewhere
	answers  []model.Response
	waited   int  // how often the service waited there in vain, and long
	anywhere bool // it belongs to no call: the service listens since it was started
}

// See takes note of what the service did in a test whose calls are known.
func (w *World) See(test model.Test, contacts []model.Contact) {
	for _, c := range contacts {
		w.meet(test, c)
		p := w.place(c)
		if p == nil {
			continue
		}
		if c.Call >= 0 && c.Call < len(test.Calls) {
			w.tie(test.Calls[c.Call].Op, p)
		} else {
			p.anywhere = true
		}
	}
}

// tie notes that an operation turns to a place.
func (w *World) tie(op model.OpID, p *place) {
	if w.ops == nil {
		w.ops = map[model.OpID][]*place{}
	}
	if !slices.Contains(w.ops[op], p) {
		w.ops[op] = append(w.ops[op], p)
	}
}

// place is the one of a contact, nil where there is none or there are too many.
func (w *World) place(c model.Contact) *place {
	seen := placeOf(c)
	if !seen.canBe() || !w.hears(seen) {
		return nil
	}
	if seen.protocol == model.HTTP && !w.has(seen) && w.paths(seen) >= mostPaths {
		seen.path = ""
	}
	if !w.has(seen) && (len(w.places) >= mostPlaces || w.told[seen.host] && w.toldOf() >= mostTold) {
		return nil
	}
	p := w.known(seen)
	p.learn(c)
	return p
}

// canBe reports whether there can be a stub for a place: a service dials what it likes.
func (p place) canBe() bool {
	s := model.Stub{Host: p.host, Protocol: cmp.Or(p.protocol, model.TCP), Inward: p.inward, Answers: []model.Answer{{}}}
	return s.Check() == nil
}

// hears takes note of what is spoken behind a host's door, and reports whether that goes
// with what was known. What speaks HTTP does not speak anything else.
func (w *World) hears(seen place) bool {
	if seen.protocol != model.HTTP && seen.protocol != model.TCP || seen.inward {
		return true
	}
	door := w.known(place{host: seen.host})
	if door.spoken == model.HTTP && seen.protocol != model.HTTP {
		return false
	}
	door.spoken = seen.protocol
	if door.spoken == model.HTTP {
		w.places = slices.DeleteFunc(w.places, func(p *place) bool { return p.host == seen.host && p.protocol == model.TCP && !p.inward })
	}
	return true
}

// mostPaths is how many paths of a host are places of their own: of a service that
// asks for more, one stub answers all the others.
const mostPaths = 4

// paths is how many paths of a host are known.
func (w *World) paths(of place) (n int) {
	for _, p := range w.places {
		if p.protocol == model.HTTP && p.host == of.host && p.method == of.method && p.path != "" {
			n++
		}
	}
	return n
}

// wide reports whether a place is all paths of its host that are none of their own.
func (p *place) wide() bool { return p.protocol == model.HTTP && p.path == "" }

// known is a place, which is one of the world's from now on.
func (w *World) known(seen place) *place {
	for _, p := range w.places {
		if p.is(seen) {
			return p
		}
	}
	if w.Provided != nil && seen.protocol == model.HTTP && seen.method != "" {
		seen.answers = w.Provided(seen.host, seen.method, seen.path)
	}
	w.places = append(w.places, &seen)
	return &seen
}

func (w *World) has(seen place) bool {
	return slices.ContainsFunc(w.places, func(p *place) bool { return p.is(seen) })
}

// placeOf is where a contact was. Who speaks HTTP to a host that was thought to speak
// something else is known by its first line.
func placeOf(c model.Contact) place {
	p := place{host: c.Host, protocol: c.Protocol, inward: c.Inward}
	request := c.Request
	if m := requestLine.FindSubmatch(c.Said); m != nil && c.Protocol == model.TCP {
		p.protocol, request.Method, request.URL = model.HTTP, string(m[1]), string(m[2])
	}
	switch {
	case c.Kind == model.Lookup:
		p.kind = string(c.Said)
	case c.Inward, c.Kind == model.Listen:
		p.inward = true
	case c.Kind == model.Dial && c.Protocol == model.TCP:
		p.protocol = ""
	case p.protocol == model.HTTP:
		p.method, p.path = request.Method, general(request.URL)
	}
	return p
}

var requestLine = regexp.MustCompile(`^([A-Z]+) (\S+) HTTP/1\.[01]\r?\n`)

func (p *place) is(other place) bool {
	return p.host == other.host && p.inward == other.inward && p.protocol == other.protocol && p.method == other.method && p.path == other.path && p.kind == other.kind
}

// isDoor reports whether a place is that where connections to a host are opened, of which
// it is known what is spoken behind it.
func (p *place) isDoor() bool { return p.protocol == "" && p.spoken != "" }

// longWait is a wait that is worth to be avoided, in milliseconds.
const longWait = 100

// mostAsks is how many shapes of what is sent to a place are kept.
const mostAsks = 4

// learn keeps the shape of what was sent to a place.
func (p *place) learn(c model.Contact) {
	if c.Outcome == string(model.NetMute) && c.Took > longWait {
		p.waited++
	}
	if s := shapeOf(c.Request.Body); s != nil && len(p.asks) < mostAsks {
		p.asks = append(p.asks, s)
	}
}

// of are the places to which a test's operations turn, as far as it was seen.
func (w *World) of(ops []model.OpID) []*place {
	var all []*place
	for _, p := range w.places {
		tied := func(op model.OpID) bool { return slices.Contains(w.ops[op], p) }
		if p.anywhere || slices.ContainsFunc(ops, tied) {
			all = append(all, p)
		}
	}
	return all
}

// absentChance is how often a host to which a test turns is not there. It is less
// often so for a name that is looked up, which else has an address.
const absentChance = 0.1

// Sample returns stubs for a new test: for each place to which its operations turn.
func (w *World) Sample(r *rand.Rand, ops []model.OpID) []*Stub {
	var all []*Stub
	for _, p := range w.of(ops) {
		if p.wanted(r) {
			all = append(all, w.sample(r, p).brief(ops))
		}
	}
	return inOrder(all)
}

// Answer returns stubs for a test in which all hosts are there: no name is unknown, no
// door is closed.
func (w *World) Answer(r *rand.Rand, ops []model.OpID) []*Stub {
	var all []*Stub
	for _, p := range w.of(ops) {
		if !p.isDoor() && !(p.protocol == model.DNS && p.resolves()) {
			all = append(all, w.sample(r, p).brief(ops))
		}
	}
	return inOrder(all)
}

// nameChance is how often something else than its address is said of a name, and a
// connection does not come about to a host of which it is known what it speaks.
const nameChance = 0.1

func (p *place) wanted(r *rand.Rand) bool {
	if p.protocol == model.DNS && p.resolves() || p.isDoor() {
		return r.Float64() < nameChance
	}
	return r.Float64() >= absentChance
}

// resolves reports whether the place is a name of which the address is asked for.
func (p *place) resolves() bool {
	switch p.kind {
	case "host", "ip4", "ip6", "ip", "":
		return true
	}
	return false
}
