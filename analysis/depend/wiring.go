package depend

import (
	"sonde/model"
	"sonde/model/resource"
)

// wiring links the calls of a sequence. It stores, for each resource, which earlier call has the
// resource's id.
type wiring struct {
	*index
	made map[*resource.Resource]origin
	// followed has the links that the document declares from the calls so far, by their target.
	followed map[input]model.Link
	fields   fields
	target   model.OpID // the operation whose optional fields allFields links
}

// fields selects the fields of query and body that are linked.
type fields int

// The values of fields. With requiredFields or allFields, the source of an id may be anywhere in the API,
// not only on the path.
const (
	noFields fields = iota
	requiredFields
	allFields // all fields of the target, and the required fields of other operations
)

// ties reports whether the wiring links the field n of an operation.
func (w *wiring) ties(op *model.Operation, n need) bool {
	return !n.optional || w.fields == allFields && op.ID == w.target
}

// origin is a call that has the id of a resource, in its answer or in its path.
type origin struct {
	call  int
	names []string // the path parameters that are the id; nil if the id is in the answer
	// guess is true if the call did not create the resource, so that the resource may not exist.
	guess bool
}

func (x *index) wiring(f fields, target model.OpID) *wiring {
	return &wiring{
		index:    x,
		made:     map[*resource.Resource]origin{},
		followed: map[input]model.Link{},
		fields:   f,
		target:   target,
	}
}

// call returns the links to call i, which calls op. Links that the document declares take precedence.
func (w *wiring) call(op *model.Operation, i int) []model.Link {
	links := w.declared(op, i)
	for _, p := range w.places[op.ID] {
		o, ok := w.source(p.at)
		if !ok {
			w.made[p.at] = origin{call: i, names: p.names, guess: !creates(op, p.at)}
			continue
		}
		for k, name := range p.names {
			links = o.tie(links, k, model.Link{To: i, In: model.InPath, Name: name})
		}
	}
	if w.fields > noFields {
		links = w.tieFields(links, op, i)
	}
	w.note(op, i)
	w.noteDeclared(op, i)
	return links
}

// tieFields appends the links to fields of query and body.
func (w *wiring) tieFields(links []model.Link, op *model.Operation, i int) []model.Link {
	for _, n := range w.needs[op.ID] {
		if o, ok := w.source(n.of); ok && w.ties(op, n) {
			links = o.tie(links, 0, model.Link{To: i, In: n.in, Name: n.link})
		}
	}
	return links
}

// tie appends the link l for the k-th part of an id. It returns links unchanged if they already have a
// link to the same input, if the id has no such part, or if the call of o is not before the link's
// target.
func (o origin) tie(links []model.Link, k int, l model.Link) []model.Link {
	if o.call >= l.To {
		return links
	}
	for _, old := range links {
		if old.In == l.In && old.Name == l.Name {
			return links
		}
	}
	if o.names != nil {
		if k >= len(o.names) {
			return links
		}
		l.Param = o.names[k]
	}
	l.From = o.call
	return append(links, l)
}

// source returns the call that has the id of a resource. It returns false if there is none.
func (w *wiring) source(r *resource.Resource) (origin, bool) {
	a := w.aliases[r]
	if w.fields > noFields && a.named {
		if o, ok := w.made[a.of]; ok {
			return o, true
		}
	}
	o, ok := w.made[r]
	if !ok && w.fields > noFields && a.of != nil {
		o, ok = w.made[a.of]
	}
	return o, ok
}

// note stores which ids the answer of call i has: the id of the resource that the call created, or the
// ids of the resources that it listed.
func (w *wiring) note(op *model.Operation, i int) {
	for _, r := range w.makes[op.ID] {
		w.made[r] = origin{call: i}
	}
	at := w.matcher.ResourceOf(op)
	if op.Method != "GET" || at.Param {
		return
	}
	for _, r := range at.Children {
		if o, ok := w.source(r); r.Param && (!ok || o.guess) {
			w.made[r] = origin{call: i, guess: true}
		}
	}
}

// creates reports whether an operation creates the resource of its own path.
func creates(op *model.Operation, r *resource.Resource) bool {
	for _, m := range r.Creators() {
		if m.Own && m.Op == op {
			return true
		}
	}
	return false
}
