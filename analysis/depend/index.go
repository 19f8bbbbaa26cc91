package depend

import (
	"iter"
	"slices"
	"sync"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// index has the facts about an API from which templates are made. Package match has decided which inputs and outputs
// are the same value. A complete index is safe for concurrent use.
type index struct {
	matcher *match.Matcher
	places  map[*model.Operation][]place
	order   map[*resource.Resource]int
	// makes has, for each operation, the resources that it creates with an id that the service chooses. The
	// operation's answer has this id.
	makes map[*model.Operation][]*resource.Resource
	// gives has, for each identity of a value, the resources whose creation returns the value.
	gives   map[string][]*resource.Resource
	aliases map[*resource.Resource]alias
	needs   map[*model.Operation][]need
	emitted emittedValues
	// linksFrom has the links that the document declares, by the operation from which they lead. linksTo has the
	// declared links to required inputs, by the operation to which they lead.
	linksFrom, linksTo map[*model.Operation][]declaredLink
	// nearby caches the results of the method creatable. For the keys see among.
	nearby map[any]nearby[*resource.Resource]
}

// place is a resource on an operation's path whose segment has parameters. names are the names of these parameters.
type place struct {
	at    *resource.Resource
	names []string
}

func newIndex(m *match.Matcher, ops []*model.Operation) *index {
	x := &index{
		matcher:   m,
		places:    make(map[*model.Operation][]place, len(ops)),
		order:     map[*resource.Resource]int{},
		makes:     map[*model.Operation][]*resource.Resource{},
		gives:     map[string][]*resource.Resource{},
		aliases:   map[*resource.Resource]alias{},
		needs:     map[*model.Operation][]need{},
		emitted:   emittedValues{matcher: m, ops: ops, known: map[emittedValue]bool{}},
		linksFrom: map[*model.Operation][]declaredLink{},
		linksTo:   map[*model.Operation][]declaredLink{},
		nearby:    map[any]nearby[*resource.Resource]{},
	}
	for r := range x.matcher.Tree.Subtree() {
		x.add(r)
	}
	keys := x.keys(ops)
	for r, u := range keys {
		x.aliases[r] = x.alias(r, u)
	}
	for _, op := range ops {
		if list := x.needed(op, keys); list != nil {
			x.needs[op] = list
		}
	}
	x.addDeclaredLinks(ops)
	return x
}

// emittedValue is a value in the body of an answer: its identity, name and basic type.
type emittedValue struct{ id, name, basic string }

// emittedValues answers which values the bodies of answers have, except attributes. The answers of a large document
// have very many values, but callers ask for few of them. A value is therefore searched for only when a caller first
// asks for it. emittedValues is safe for concurrent use.
type emittedValues struct {
	matcher *match.Matcher
	ops     []*model.Operation

	mu    sync.Mutex
	known map[emittedValue]bool
}

// has reports whether the body of any answer has a value. Attributes do not count.
func (e *emittedValues) has(v emittedValue) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	found, ok := e.known[v]
	if !ok {
		found = slices.ContainsFunc(e.ops, func(op *model.Operation) bool { return emits(e.matcher.UsesOf(op), v) })
		e.known[v] = found
	}
	return found
}

// emits reports whether one of the uses is in the body of an answer, has the value, and is of a kind that links
// operations.
func emits(uses []match.ValueUse, v emittedValue) bool {
	for i := range uses {
		if u := &uses[i]; u.In == model.InResponse && u.ID == v.id && u.Name == v.name && basicType(u.Type) == v.basic && u.Kind.Links() {
			return true
		}
	}
	return false
}

// basicType returns "text" or "number" for the type of a value, "" for other types.
func basicType(typ string) string {
	switch typ {
	case "string":
		return "text"
	case "integer", "number":
		return "number"
	}
	return ""
}

// isOther reports whether a field of a body and a value of type typ are different values, although they have the same
// identity. This is so under two conditions:
//   - One of them is a text, and the other is a number.
//   - Some answer has a value with the field's identity, name and type.
//
// For example, a "key_id" that is a text is not the number of another key. isOther returns false for parameters and
// headers, because these are always sent as texts.
func (x *index) isOther(field *match.ValueUse, typ string) bool {
	own, other := basicType(field.Type), basicType(typ)
	return field.In == model.InBody && own != other && own != "" && other != "" && x.emitted.has(emittedValue{field.ID, field.Name, own})
}

// add adds a resource. Its parents must be added first.
func (x *index) add(r *resource.Resource) {
	x.order[r] = len(x.order)
	for _, op := range r.Operations {
		x.places[op] = slices.DeleteFunc(places(r, resource.Steps(op.Path)), func(p place) bool { return x.isChosen(op, p) })
	}
	for _, m := range r.Creators() {
		if !m.Own {
			x.makes[m.Op] = append(x.makes[m.Op], r)
		}
	}
	if !creatable(r) {
		return
	}
	for u := range x.revealed(r.Creators()[0].Op) {
		x.gives[u.ID] = append(x.gives[u.ID], r)
	}
}

// isChosen reports whether a correction of the user says that the client chooses the parameter of a place. No
// operation then needs to create the resource of this place.
func (x *index) isChosen(op *model.Operation, p place) bool {
	uses := x.matcher.UsesOf(op)
	for i := range uses {
		u := &uses[i]
		if !u.Out && u.In == model.InPath && u.Name == p.names[0] && u.Kind == match.KindAttribute &&
			len(x.matcher.CorrectionsOf(op, *u)) > 0 {
			return true
		}
	}
	return false
}

// creatable reports whether an operation creates a resource. If the resource has a single operation, and this
// operation would create an element with an id that the client chooses, the operation counts as an action, and
// creatable returns false.
func creatable(r *resource.Resource) bool {
	makers := r.Creators()
	return len(makers) > 0 && (len(r.Operations) > 1 || !makers[0].Own)
}

// demands iterates over the references that an operation requires.
func (x *index) demands(op *model.Operation) iter.Seq[*match.ValueUse] {
	return usesThat(x.matcher.UsesOf(op), func(u *match.ValueUse) bool { return !u.Out && u.Required && u.IsReference })
}

// countDemands returns the number of references that an operation requires.
func (x *index) countDemands(op *model.Operation) (n int) {
	for range x.demands(op) {
		n++
	}
	return n
}

// revealed iterates over the outputs of an operation whose values the operation does not require as inputs.
func (x *index) revealed(op *model.Operation) iter.Seq[*match.ValueUse] {
	known := map[string]bool{}
	for u := range x.demands(op) {
		known[u.ID] = true
	}
	return usesThat(x.matcher.UsesOf(op), func(u *match.ValueUse) bool { return u.Out && !known[u.ID] })
}

// chosen iterates over the inputs of an operation whose values the client can choose.
func (x *index) chosen(op *model.Operation) iter.Seq[*match.ValueUse] {
	return usesThat(x.matcher.UsesOf(op), func(u *match.ValueUse) bool { return !u.Out && !u.IsReference })
}

// usesThat iterates over the uses for which keep returns true.
func usesThat(uses []match.ValueUse, keep func(*match.ValueUse) bool) iter.Seq[*match.ValueUse] {
	return func(yield func(*match.ValueUse) bool) {
		for i := range uses {
			if keep(&uses[i]) && !yield(&uses[i]) {
				return
			}
		}
	}
}

// places returns the resources on the path to r whose segments have parameters. segments are the segments of the
// path.
func places(r *resource.Resource, segments []string) []place {
	var list []place
	for i := len(segments) - 1; i >= 0; i-- {
		if n := resource.ParamNames(segments[i]); n != nil {
			list = append(list, place{at: r, names: n})
		}
		r = r.Parent
	}
	slices.Reverse(list)
	return list
}

// keys returns, for each resource with an id, the value that identifies its elements.
func (x *index) keys(ops []*model.Operation) map[*resource.Resource]*match.ValueUse {
	keys := map[*resource.Resource]*match.ValueUse{}
	for _, op := range ops {
		uses := x.matcher.UsesOf(op)
		for i := range uses {
			u := &uses[i]
			p, ok := x.placeOf(op, u)
			if !ok || p.names[0] != u.Name || !p.at.Param {
				continue
			}
			if known := keys[p.at]; known == nil || known.ID == "" {
				keys[p.at] = u
			}
		}
	}
	return keys
}

// placeOf returns the place of a path parameter. It returns false for other values.
func (x *index) placeOf(op *model.Operation, u *match.ValueUse) (place, bool) {
	if u.Out || u.In != model.InPath {
		return place{}, false
	}
	for _, p := range x.places[op] {
		if slices.Contains(p.names, u.Name) {
			return p, true
		}
	}
	return place{}, false
}
