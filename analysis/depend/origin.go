package depend

import (
	"sonde/model"
	"sonde/model/resource"
)

// origins stores which earlier call of a sequence has the id of each resource.
type origins struct {
	*index
	made map[*resource.Resource]origin
	// followed has the links that the document declares from the earlier calls, by the inputs to which they lead.
	followed map[input]model.Link
	fields   fields
	target   *model.Operation // the operation whose optional fields are linked with allFields
	// chosen is a resource whose id the client chooses if no earlier call creates or lists the resource. It is nil
	// for none.
	chosen *resource.Resource
}

// fields selects which fields of the query and the body are linked.
type fields int

// The values of fields. With noFields, an id must come from an operation on the path. With requiredFields and
// allFields, it may come from any operation of the API.
const (
	noFields fields = iota
	requiredFields
	allFields // all fields of the target, and the required fields of other operations
)

// ties reports whether a field of an operation is linked. mandatory reports whether the field is required.
func (o *origins) ties(op *model.Operation, mandatory bool) bool {
	switch o.fields {
	case noFields:
		return false
	case requiredFields:
		return mandatory
	}
	return mandatory || op == o.target
}

// origin is a call that has the id of a resource, in its answer or in its path.
type origin struct {
	call  int
	names []string // the path parameters that are the id; nil if the id is in the answer
	// guess reports whether the call only uses the id and does not create the resource. The resource may then not
	// exist.
	guess bool
}

func (x *index) origins(which fields, target *model.Operation) *origins {
	return &origins{
		index:    x,
		made:     map[*resource.Resource]origin{},
		followed: map[input]model.Link{},
		fields:   which,
		target:   target,
	}
}

// reset removes all calls and prepares for another sequence.
func (o *origins) reset(which fields, target *model.Operation) {
	clear(o.made)
	clear(o.followed)
	o.fields, o.target, o.chosen = which, target, nil
}

// source returns the earlier call that has the id of a resource. It returns false if there is none.
func (o *origins) source(r *resource.Resource) (origin, bool) {
	a := o.aliases[r]
	if o.fields > noFields && a.named {
		if from, ok := o.made[a.of]; ok {
			return from, true
		}
	}
	from, ok := o.made[r]
	if !ok && o.fields > noFields && a.of != nil {
		from, ok = o.made[a.of]
	}
	return from, ok
}

// note stores which ids the answer of call i has. These are the id of the resource that the call created, or the ids
// of the resources that the call listed.
func (o *origins) note(op *model.Operation, i int) {
	for _, r := range o.makes[op] {
		o.made[r] = origin{call: i}
	}
	at := o.matcher.ResourceOf(op)
	if op.Method != "GET" || at.Param {
		return
	}
	for _, r := range at.Children {
		if from, ok := o.source(r); r.Param && (!ok || from.guess) {
			o.made[r] = origin{call: i, guess: true}
		}
	}
}

// creates reports whether an operation creates the resource of its own path, with an id that the client chooses.
func creates(op *model.Operation, r *resource.Resource) bool {
	for _, m := range r.Creators() {
		if m.Own && m.Op == op {
			return true
		}
	}
	return false
}
