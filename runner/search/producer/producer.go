// Package producer finds out from answers which operations produce the values that other operations need. The terms are those
// of RESTler, a fuzzer of REST services: a producer is a place in the answers of an operation, and a consumer is an input of an
// operation. The analysis of the document says which of them belong together by name; this package also finds pairs for which
// the document gives no reason, such as the field "id" of one operation and the query parameter "flow" of another, and orders
// the producers of each consumer by how likely they are.
package producer

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
	"sonde/runner/search/pool"
)

// Place is a place in the successful answers of an operation: of the body if Header is "".
type Place struct {
	Op      model.OpID
	Pointer string // JSON pointer, model.WholeBody for the whole body
	Header  string
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
	producers []*producer  // in the order in which they were seen
	observed  []*operation // operations of which an answer was read, in that order
}

// operation is what the index knows about an operation.
type operation struct {
	path      []string          // segments
	kinds     map[string]string // identity of the value at each declared place in the answer
	consumers []*Consumer
	places    map[Place]*producer
	answers   int // answers that were read
	last      any // the body of the last of them, nil if none was JSON and short
}

// producer is a place with a value that was seen there.
type producer struct {
	Place
	of    *operation
	value string
	kind  string   // identity by package match, "" if the document does not declare the place
	field string   // plain name of the field
	nouns []string // nouns of the objects around the field, and of the operation's path
	named bool     // the name of the field is usual for identifiers
	depth int      // objects around the field
}

// New returns an index without producers for the operations of an API.
func New(ops []*model.Operation, m *match.Matcher) *Index {
	x := &Index{ops: make(map[model.OpID]*operation, len(ops))}
	for _, op := range ops {
		o := &operation{path: segments(op.Path), kinds: map[string]string{}, places: map[Place]*producer{}}
		for _, u := range m.UsesOf(op) {
			if u.Out && u.In == model.InResponse {
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

// Observe reads a successful answer of an operation, and returns the places that it has and that can be producers. It reads
// only the first answers of each operation, and then returns nil.
func (x *Index) Observe(op model.OpID, reply model.Reply) (all []Place) {
	o := x.ops[op]
	if o == nil || reply.Status/100 != 2 || o.answers >= maxAnswers || len(reply.Body) > maxBody {
		return nil
	}
	o.answers++
	if locations := reply.Header["Location"]; len(locations) > 0 {
		if id, ok := match.LastSegment(locations[0]); ok {
			all = x.add(all, o, Place{Op: op, Header: "Location"}, id)
		}
	}
	d := json.NewDecoder(bytes.NewReader(reply.Body))
	d.UseNumber()
	var body any
	if len(reply.Body) == 0 || d.Decode(&body) != nil {
		return all
	}
	o.keep(x, body, len(reply.Body))
	scalars(body, "", 0, func(place, value string) bool {
		if place == "" {
			place = model.WholeBody
		}
		all = x.add(all, o, Place{Op: op, Pointer: place}, value)
		return len(all) < maxPlaces
	})
	return all
}

// keep keeps the body of an answer, unless it is null or long, or is an empty list and an earlier one was not.
func (o *operation) keep(x *Index, body any, bytes int) {
	if list, ok := body.([]any); body == nil || bytes > maxKept || ok && len(list) == 0 && o.last != nil {
		return
	}
	if o.last == nil {
		x.observed = append(x.observed, o)
	}
	o.last = body
}

// scalars calls each with the pointer of each text and number in a JSON value, and of the first element of each list, until
// each returns false. It reports whether each always returned true.
func scalars(v any, at string, depth int, each func(place, value string) bool) bool {
	if depth > maxDepth {
		return true
	}
	switch v := v.(type) {
	case string:
		return !canIdentify(v) || each(at, v)
	case json.Number:
		return each(at, v.String())
	case []any:
		return len(v) == 0 || scalars(v[0], at+"/0", depth+1, each)
	case map[string]any:
		for _, name := range sortedNames(v) {
			if !pool.IsSecretName(name) && !scalars(v[name], at+"/"+pointer.Escape(name), depth+1, each) {
				return false
			}
		}
	}
	return true
}

func sortedNames(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }

// canIdentify reports whether a text may identify something: it is short, is one line, and is no time.
func canIdentify(text string) bool {
	if text == "" || len(text) > maxText || strings.ContainsAny(text, "\n\r\t") {
		return false
	}
	_, err := time.Parse(time.RFC3339, text)
	return err != nil
}

// add adds a place to the producers, or gives it its newest value.
func (x *Index) add(all []Place, o *operation, at Place, value string) []Place {
	p := o.places[at]
	if p == nil {
		if len(o.places) >= maxPlaces {
			return all
		}
		p = o.newProducer(at)
		o.places[at] = p
		x.producers = append(x.producers, p)
	}
	p.value = value
	return append(all, at)
}

func (o *operation) newProducer(at Place) *producer {
	p := &producer{Place: at, of: o, kind: o.kinds[at.Pointer]}
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
	for _, s := range slices.Backward(o.path) {
		if s[0] != '{' {
			p.nouns = append(p.nouns, match.EntityName(s))
		}
	}
	p.named = match.EndsInIDWord(p.field)
	p.field = match.EntityName(p.field)
	return p
}
