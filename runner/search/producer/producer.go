// Package producer finds out from answers which operations produce the values that other operations need. The terms
// are those of RESTler, a fuzzer of REST services: a producer is a place in the answers of an operation, and a
// consumer is an input of an operation.
//
// The analysis of the spec says which producers and consumers belong together by name. This package also finds pairs
// for which the spec gives no reason, such as the field "id" of one operation and the query parameter "flow" of
// another. It orders the producers of each consumer by how likely they are.
package producer

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/answer"
	"sonde/model/match"
	"sonde/model/pointer"
	"sonde/runner/search/pool"
)

// Place is a place in the successful answers of an operation: in the body if Header is "".
type Place struct {
	Op      model.OpID
	Pointer string // JSON pointer, model.WholeBody for the whole body
	Header  string
	// Pattern finds the value in the URL at the place, as in a link. It is "" for a whole value, and for the last
	// path segment of a header.
	Pattern string
}

// Bounds of what is read and kept.
const (
	maxPlaces  = 48       // places of one operation
	maxDepth   = 4        // objects and lists around a value
	maxText    = 256      // bytes of a value
	maxAnswers = 12       // answers of one operation that are read
	maxBody    = 1 << 20  // bytes of an answer that is read
	maxKept    = 64 << 10 // bytes of an answer that is kept
)

// Index holds the producers of a run. An Index must be used by one goroutine at a time.
type Index struct {
	ops       map[model.OpID]*operation
	urls      *answer.URLs
	producers []*producer  // producers in the order in which they were seen
	observed  []*operation // operations with a kept body, in the order of their first bodies
}

// operation is what the index has learned about an operation.
type operation struct {
	*model.Operation
	path      []string          // segments
	kinds     map[string]string // identity of the value at each declared place in the answer
	consumers []*Consumer
	places    map[Place]*producer
	ordered   []*producer // the producers in places, in the order in which they were seen
	times     []timePlace // places with a time, at most maxPlaces
	answers   int         // answers that were read
	last      any         // the body that was kept last, nil if there is none; see keep
}

// timePlace is a place with a time in RFC 3339, which identifies nothing.
type timePlace struct {
	at    Place
	value string // time that was last seen there
}

// producer is a place with a value that was seen there.
type producer struct {
	Place
	of    *operation
	path  []string // segments of the path of the operation or, for a value in a URL, of the URL's path before the value
	value string
	kind  string   // identity by package match, "" if the spec does not declare the place
	field string   // plain name of the field
	nouns []string // nouns of the objects around the field, and of path
	named bool     // the name of the field is usual for identifiers
	depth int      // objects around the field
}

// New returns an index without producers for the operations of an API.
func New(spec *model.Spec, m *match.Matcher) *Index {
	x := &Index{ops: make(map[model.OpID]*operation, len(spec.Operations)), urls: answer.NewURLs(spec)}
	for _, op := range spec.Operations {
		o := &operation{Operation: op, path: segments(op.Path), kinds: map[string]string{}, places: map[Place]*producer{}}
		for _, u := range m.UsesOf(op) {
			if u.Out && u.In == model.InResponse && !u.IsPart() {
				o.kinds[u.Pointer] = u.ID
			}
		}
		o.consumers = consumers(op, m.UsesOf(op))
		x.ops[op.ID] = o
	}
	return x
}

func segments(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}

// Observe reads a successful answer of an operation. It returns the places in the answer that can be producers. It
// reads only the first answers of each operation, and only answers that are not too long; for others it returns nil.
func (x *Index) Observe(op model.OpID, reply model.Reply) (all []Place) {
	o := x.ops[op]
	if o == nil || reply.Status/100 != 2 || o.answers >= maxAnswers || len(reply.Body) > maxBody {
		return nil
	}
	o.answers++
	all = x.addHeaders(all, o, reply)
	body, ok := answer.Read(o.Operation, reply)
	if !ok {
		return all
	}
	o.keep(x, body.Value, len(reply.Body))
	scalars(body.Value, "", 0, func(place, value string) bool {
		if place == "" {
			place = model.WholeBody
		}
		at := Place{Op: op, Pointer: place}
		if isTime(value) {
			o.addTime(at, value)
			return true
		}
		all = x.add(all, o, at, value)
		for _, v := range x.urls.InText(value) {
			at.Pattern = v.Pattern
			all = x.addURL(all, o, at, v)
		}
		return len(all) < maxPlaces
	})
	return all
}

// addHeaders adds the values of the URLs in the headers of an answer. If there are no such values, it adds the last
// segment of the Location, which may be an id.
func (x *Index) addHeaders(all []Place, o *operation, reply model.Reply) []Place {
	values := x.urls.InHeaders(reply.Header)
	for _, v := range values {
		all = x.addURL(all, o, Place{Op: o.ID, Header: v.Header, Pattern: v.Pattern}, v)
	}
	if locations := reply.Header["Location"]; len(locations) > 0 && len(values) == 0 {
		if id, ok := match.LastSegment(locations[0]); ok {
			all = x.add(all, o, Place{Op: o.ID, Header: "Location"}, id)
		}
	}
	return all
}

// addURL adds a place where a URL has the value v of a parameter. It leaves out secrets.
func (x *Index) addURL(all []Place, o *operation, at Place, v answer.URLValue) []Place {
	if pool.IsSecretName(v.Name) {
		return all
	}
	isNew := o.places[at] == nil
	all = x.add(all, o, at, v.Value)
	if p := o.places[at]; p != nil && isNew {
		p.inURL(x.ops[v.Op.ID], v)
	}
	return all
}

// inURL sets the fields of a producer whose value v is a parameter in a URL. to is the operation to which the URL leads;
// it has the parameter.
func (p *producer) inURL(to *operation, v answer.URLValue) {
	p.field, p.named, p.depth, p.nouns, p.path = match.EntityName(v.Name), true, 0, nil, to.path
	for _, c := range to.consumers {
		if c.In == v.In && c.Name == v.Name {
			p.kind = c.Kind
			if c.In == model.InPath {
				p.path = c.collection
			}
		}
	}
	p.addNouns()
}

// addNouns adds the nouns of the path to which the value belongs.
func (p *producer) addNouns() {
	for _, s := range slices.Backward(p.path) {
		if s[0] != '{' {
			p.nouns = append(p.nouns, match.EntityName(s))
		}
	}
}

// keep keeps the body of an answer as the last one of the operation. It does not keep null, or a body longer than
// maxKept. It keeps an empty list only if no other body is kept.
func (o *operation) keep(x *Index, body any, bytes int) {
	if list, ok := body.([]any); body == nil || bytes > maxKept || ok && len(list) == 0 && o.last != nil {
		return
	}
	if o.last == nil {
		x.observed = append(x.observed, o)
	}
	o.last = body
}

// addTime adds a place with a time. If the place is known already, addTime updates its value.
func (o *operation) addTime(at Place, value string) {
	i := slices.IndexFunc(o.times, func(t timePlace) bool { return t.at == at })
	switch {
	case i >= 0:
		o.times[i].value = value
	case len(o.times) < maxPlaces:
		o.times = append(o.times, timePlace{at, value})
	}
}

// scalars calls yield for the numbers and for the short texts of one line in a JSON value, with their pointers, until
// yield returns false. It leaves out secrets. Of a list it takes the first element. It reports whether yield always
// returned true.
func scalars(v any, at string, depth int, yield func(place, value string) bool) bool {
	if depth > maxDepth {
		return true
	}
	switch v := v.(type) {
	case string:
		return !isShortLine(v) || yield(at, v)
	case json.Number:
		return yield(at, v.String())
	case []any:
		return len(v) == 0 || scalars(v[0], at+"/0", depth+1, yield)
	case map[string]any:
		for _, name := range sortedNames(v) {
			if !pool.IsSecretName(name) && !scalars(v[name], at+"/"+pointer.Escape(name), depth+1, yield) {
				return false
			}
		}
	}
	return true
}

// Where returns the places in the answers of an operation whose newest value is accepted. It also returns places with
// times, although such a place is no producer.
func (x *Index) Where(op model.OpID, accepts func(value string) bool) (all []Place) {
	o := x.ops[op]
	if o == nil {
		return nil
	}
	for _, p := range o.ordered {
		if accepts(p.value) {
			all = append(all, p.Place)
		}
	}
	for _, t := range o.times {
		if accepts(t.value) {
			all = append(all, t.at)
		}
	}
	return all
}

func sortedNames(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }

// isShortLine reports whether a text is not empty, has at most maxText bytes, and is one line.
func isShortLine(text string) bool {
	return text != "" && len(text) <= maxText && !strings.ContainsAny(text, "\n\r\t")
}

func isTime(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

// add adds a place to the producers, unless the operation has maxPlaces. If the place is known already, add updates its
// value.
func (x *Index) add(all []Place, o *operation, at Place, value string) []Place {
	p := o.places[at]
	if p == nil {
		if len(o.places) >= maxPlaces {
			return all
		}
		p = o.newProducer(at)
		o.places[at] = p
		o.ordered = append(o.ordered, p)
		x.producers = append(x.producers, p)
	}
	p.value = value
	return append(all, at)
}

func (o *operation) newProducer(at Place) *producer {
	p := &producer{Place: at, of: o, path: o.path, kind: o.kinds[at.Pointer]}
	for _, token := range strings.Split(strings.TrimPrefix(at.Pointer, "/"), "/") {
		if _, err := strconv.Atoi(token); err == nil {
			continue
		}
		if p.field != "" {
			p.nouns = append(p.nouns, match.EntityName(p.field))
			p.depth++
		}
		p.field = pointer.Unescape(token)
	}
	if at.Header != "" || at.Pointer == model.WholeBody {
		p.field = "id"
	}
	p.addNouns()
	p.named = match.EndsInIDWord(p.field)
	p.field = match.EntityName(p.field)
	return p
}
