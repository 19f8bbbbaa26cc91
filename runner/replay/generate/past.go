package generate

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/route"
	"sonde/runner/replay/shape"
)

type matched = route.MatchedOperation

// recordingIndex is a whole recording, indexed to find what each exchange needs.
type recordingIndex struct {
	rec    model.Recording
	spec   *model.Spec
	router *route.Router
	names  names
	keys   map[string]bool // names under which the spec has credentials sent
	all    []*recordedExchange
	// tellers are the locations in answers that had a text first, in order.
	tellers map[string][]valueOrigin
	// changed and given are the writes by the thing that they created or changed, or that they
	// were given.
	changed, given map[string][]*recordedExchange
	groups         map[string][]*recordedExchange
	// shared are the operations that were given one thing several times.
	shared map[model.OpID]bool
	// sure are the hosts of whose calls the causes are known for certain.
	sure map[string]bool
	// anyOrder are the kinds of outward calls that overlapped, by operation.
	anyOrder map[model.OpID]map[pair]bool
}

// valueOrigin is a location in an answer.
type valueOrigin struct {
	*recordedExchange
	leaf
	born bool // no earlier message had it
}

func newRecordingIndex(rec model.Recording, spec *model.Spec) *recordingIndex {
	p := &recordingIndex{
		rec:      rec,
		spec:     spec,
		router:   route.New(spec),
		names:    newNames(spec),
		keys:     keysOf(spec),
		tellers:  map[string][]valueOrigin{},
		changed:  map[string][]*recordedExchange{},
		given:    map[string][]*recordedExchange{},
		groups:   map[string][]*recordedExchange{},
		shared:   map[model.OpID]bool{},
		anyOrder: map[model.OpID]map[pair]bool{},
		sure:     map[string]bool{},
	}
	for _, x := range rec.Served {
		for _, o := range x.OutwardCalls {
			p.sure[o.Host] = p.sure[o.Host] || o.Attribution.Certain()
		}
	}
	life := 0
	for i, x := range rec.Served {
		if p.resets(x) {
			life++
		}
		s := p.newExchange(i, x)
		s.life = life
		p.all = append(p.all, s)
		p.learn(s)
	}
	return p
}

// keysOf returns the names under which a spec has credentials sent.
func keysOf(spec *model.Spec) map[string]bool {
	keys := map[string]bool{}
	for _, s := range spec.SecuritySchemes {
		if s.Key != "" {
			keys[strings.ToLower(s.Key)] = true
		}
	}
	return keys
}

// resets reports whether a request brings the service back to its first state.
func (p *recordingIndex) resets(x model.ServedRequest) bool {
	r := p.rec.Reset
	path, _, _ := strings.Cut(x.Request.URL, "?")
	return r != nil && r.Path != "" && r.Method == x.Request.Method && strings.HasSuffix(path, r.Path)
}

// learn adds an exchange, after all that began before.
func (p *recordingIndex) learn(s *recordedExchange) {
	if s.op == nil {
		return
	}
	p.groups[s.shape] = append(p.groups[s.shape], s)
	p.frees(s)
	if !s.went() {
		return
	}
	for _, l := range s.told {
		if text := l.text(); text != "" && len(text) <= longest && shape.JSONType(l.value) != "boolean" {
			p.tellers[text] = append(p.tellers[text], valueOrigin{recordedExchange: s, leaf: l, born: p.born(s, l)})
		}
	}
	if s.writes() {
		p.note(s)
	}
}

// note records which things a write is about.
func (p *recordingIndex) note(s *recordedExchange) {
	on := map[string]bool{}
	for _, key := range s.through {
		on[key] = true
	}
	if s.creates != "" {
		on[s.creates] = true
	}
	for key := range on {
		p.changed[key] = append(p.changed[key], s)
	}
	for _, key := range p.refers(s) {
		if on[key] {
			continue
		}
		p.shared[s.op.ID] = p.shared[s.op.ID] ||
			slices.ContainsFunc(p.given[key], func(o *recordedExchange) bool { return o.op == s.op && o.life == s.life })
		p.given[key] = append(p.given[key], s)
	}
}

// born reports whether an answer is the first to have a value that was not in the request.
func (p *recordingIndex) born(s *recordedExchange, l leaf) bool {
	if s.creates != "" && l.identity && url.PathEscape(l.text()) == lastOf(s.creates) && l.like(s.thing()) {
		return true
	}
	if slices.ContainsFunc(s.asked, func(a leaf) bool { return a.text() == l.text() && a.same(l) }) {
		return false
	}
	for _, t := range p.tellers[l.text()] {
		if t.life == s.life && t.same(l) {
			return false
		}
	}
	return true
}

// thing is the name that a creating call has for the id of what it created.
func (s *recordedExchange) thing() leaf {
	of := plain(match.Singular(strings.ToLower(match.ResourceName(s.op.Path))))
	all := leaf{kinds: []string{of + "id", "id"}}
	for _, l := range s.told {
		if l.in == model.InHeader {
			all.kinds = append(all.kinds, l.kinds...)
		}
	}
	return all
}

func lastOf(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// source returns where the value of a request came from: the newest call before it that was first
// to have such a value.
func (p *recordingIndex) source(s *recordedExchange, l leaf) (valueOrigin, bool) {
	text := l.text()
	if text == "" || len(text) > longest || l.in == model.InBody && !l.identity && !distinct(text) ||
		l.in == model.InHeader && !distinct(text) {
		return valueOrigin{}, false
	}
	for _, t := range slices.Backward(p.tellers[text]) {
		if t.born && t.life == s.life && t.recordedExchange.before(s) && p.gives(t) && t.same(l) &&
			(l.identity || t.identity || random(text)) {
			return t, true
		}
	}
	return valueOrigin{}, false
}

// gives reports whether a value exists because of the call that had it. A value that is only read
// existed before, unless it is generated for each request.
func (p *recordingIndex) gives(t valueOrigin) bool { return t.changes() || random(t.leaf.text()) }

// refers returns the things that a request names: those on its path, and those that calls created
// of which it has a value.
func (p *recordingIndex) refers(s *recordedExchange) []string {
	all := slices.Clone(s.through)
	for _, l := range s.asked {
		if t, ok := p.source(s, l); ok && t.creates != "" && !slices.Contains(all, t.creates) {
			all = append(all, t.creates)
		}
	}
	return all
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
