package match

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// inPath makes a path parameter the key of the entity that it names, or else of the entity at its
// position in the path.
func (q *qualifier) inPath(op *model.Operation, u *ValueUse, i *identity) {
	if u.Out || u.In != model.InPath {
		return
	}
	q.reference(op, u, i)
	r := q.placeOf(op, u.Name)
	if r != nil && i.entity == nil {
		e := q.about(r)
		*i = identity{entity: e, attr: e.note(q.paramKey(r, u.Name), *u), why: "path parameter of " + r.Path}
	}
	if i.entity != nil {
		if inRun := r != nil && r.Parent != nil && r.Parent.Param; !inRun && !slices.Contains(selectors, i.attr) {
			i.entity.tells(i.attr)
		}
		i.refers = !q.free(op, u)
	}
}

// selectors are parameters that choose a part of a thing, not one of its kind.
var selectors = []string{"field", "fields", "filter", "format", "property", "attribute", "query"}

// free reports whether the client can make up a path parameter: it identifies what the operation
// creates, is one of the values that the document lists, or is a number to compute with.
func (q *qualifier) free(op *model.Operation, u *ValueUse) bool {
	return q.chooses(op, u.Name) || chosen(u.schema) || kindOf(*u) == truth || q.computes(op, u)
}

// computes reports whether a parameter is a bare number in the only operation of
// its place, which only reads: GET /triangle/{a}/{b}/{c}.
func (q *qualifier) computes(op *model.Operation, u *ValueUse) bool {
	if u.Type != "integer" && u.Type != "number" || op.Method != "GET" || tail(u.Name) != "" {
		return false
	}
	r := q.at[op]
	for r.Param {
		r = r.Parent
	}
	for place := range r.Subtree() {
		if slices.ContainsFunc(place.Operations, func(o *model.Operation) bool { return o != op }) {
			return false
		}
	}
	return true
}

// chooses reports whether an operation creates what the parameter identifies, so that the client
// chooses the value: PUT /coupons/{code}.
func (q *qualifier) chooses(op *model.Operation, param string) bool {
	r := q.at[op]
	makers := r.Creators()
	return q.placeOf(op, param) == r && len(makers) > 0 && makers[0] == resource.Creator{Op: op, Own: true}
}

// placeOf returns the resource whose segment has an operation's parameter, or nil. In the tree the
// parameter may have another name.
func (q *qualifier) placeOf(op *model.Operation, name string) *resource.Resource {
	if q.holders[op] == nil {
		q.holders[op] = holders(q.at[op], op.Path)
	}
	return q.holders[op][name]
}

// holders returns the resource of each parameter of a path that leads to r. Of two parameters with
// the same name the last one is used.
func holders(r *resource.Resource, path string) map[string]*resource.Resource {
	at := map[string]*resource.Resource{}
	for _, segment := range slices.Backward(resource.Segments(path)) {
		for _, name := range resource.ParamNames(segment) {
			if at[name] == nil {
				at[name] = r
			}
		}
		r = r.Parent
	}
	return at
}

// paramKey returns the attribute of a resource's entity for a parameter.
func (q *qualifier) paramKey(r *resource.Resource, name string) string {
	e := q.about(r)
	own := e.own(name)
	if a := e.attrs[plain(own)]; a != nil {
		return a.name
	}
	if parts := words(own); len(parts) == 1 && !slices.Contains(identities, parts[0]) &&
		Singular(parts[0]) != strings.ReplaceAll(e.name, "-", "") {
		return own
	}
	if !e.keyed() {
		return own
	}
	return e.keyName()
}

// bounds are words before an attribute's name that ask for a part of its
// values.
var bounds = []string{"min", "max", "from", "to", "since", "until", "before", "after", "by"}

// filter makes a query parameter, or a body of one value, an attribute of an entity of the
// operation's messages, if one has an attribute of that name.
func (q *qualifier) filter(op *model.Operation, u *ValueUse, i *identity) {
	if u.Out || i.entity != nil || u.Pointer != "" || u.In != model.InQuery && u.In != model.InBody {
		return
	}
	for _, name := range unbound(u.Name) {
		for _, e := range q.topics(op) {
			if attr := attrKey(e.own(name), *u); e.has(attr, *u) {
				*i = identity{entity: e, attr: attr, why: u.Name + " of " + article(e.name)}
				return
			}
		}
	}
	e := q.about(q.at[op])
	*i = identity{entity: e, attr: e.note(u.Name, *u), why: fmt.Sprintf("%s parameter of %s", u.In, q.at[op].Path)}
}

// unbound returns a parameter's name without a bound such as "min" before it; a date is a time.
func unbound(name string) []string {
	list, parts := []string{name}, words(name)
	last := len(parts) - 1
	if last < 1 {
		return list
	}
	if other := map[string]string{"date": "time", "time": "date"}[parts[last]]; other != "" {
		list = append(list, strings.Join(parts[:last], "-")+"-"+other)
	}
	if slices.Contains(bounds, parts[0]) {
		list = append(list, strings.Join(parts[1:], "-"))
	}
	return list
}
