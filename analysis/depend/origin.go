package depend

import (
	"sonde/model"
	"sonde/model/resource"
)

// origins stores, for each resource, which call of a sequence so far has the resource's id.
type origins struct {
	*index
	made map[*resource.Resource]origin
	// followed has the links that the document declares from the calls so far, by their target.
	followed map[input]model.Link
	fields   fields
	target   model.OpID // the operation whose optional fields allFields links
	// chosen is a resource whose id the client chooses if no call so far creates or lists the resource. It is nil for none.
	chosen *resource.Resource
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

// ties reports whether a field of an operation is linked. mandatory reports whether the operation requires the field.
func (o *origins) ties(op *model.Operation, mandatory bool) bool {
	switch o.fields {
	case noFields:
		return false
	case requiredFields:
		return mandatory
	}
	return mandatory || op.ID == o.target
}

// origin is a call that has the id of a resource, in its answer or in its path.
type origin struct {
	call  int
	names []string // the path parameters that are the id; nil if the id is in the answer
	// guess is true if the call did not create the resource, so that the resource may not exist.
	guess bool
}

func (x *index) origins(which fields, target model.OpID) *origins {
	return &origins{
		index:    x,
		made:     map[*resource.Resource]origin{},
		followed: map[input]model.Link{},
		fields:   which,
		target:   target,
	}
}

// source returns the call that has the id of a resource. It returns false if there is none.
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

// note stores which ids the answer of call i has: the id of the resource that the call created, or the
// ids of the resources that it listed.
func (o *origins) note(op *model.Operation, i int) {
	for _, r := range o.makes[op.ID] {
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

// creates reports whether an operation creates the resource of its own path.
func creates(op *model.Operation, r *resource.Resource) bool {
	for _, m := range r.Creators() {
		if m.Own && m.Op == op {
			return true
		}
	}
	return false
}
