package analysis

import (
	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// IDSource says that tests take the id of a resource from the answer of the operation From, which creates or lists
// the resource, and pass the id to the operation To.
//
// The dependency graph does not have this information. It does not distinguish operations that create an id from
// operations that only repeat it. It also lacks an edge if the document does not declare the id in an answer.
type IDSource struct {
	From, To model.OpID
	Value    string // the identity of the id, as in the dependency graph
}

// IDSources returns the sources of all ids, without duplicates.
func (a *Analysis) IDSources() []IDSource { return a.sources() }

// findSources collects the sources from the templates of tests. Each open link that passes an id to another operation
// is a source.
func (a *Analysis) findSources() []IDSource {
	var out []IDSource
	seen := map[IDSource]bool{}
	ops := make(map[model.OpID]*model.Operation, len(a.Spec.Operations))
	for _, op := range a.Spec.Operations {
		ops[op.ID] = op
	}
	for _, t := range a.Templates() {
		for _, l := range t.Links {
			from, to := t.Steps[l.From].Op, t.Steps[l.To].Op
			id, isID := identity(a.Matcher().UsesOf(ops[to]), l)
			s := IDSource{From: from, To: to, Value: id}
			if isID && l.IsOpen() && from != to && !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// identity returns the identity of the value that a link sets. If the matcher does not have the value, it returns the
// value's name. isID is false if the value is an attribute, for example because the user corrected its kind.
func identity(uses []match.ValueUse, l model.Link) (id string, isID bool) {
	for _, u := range uses {
		if !u.Out && u.In == l.In && (u.Name == l.Name || u.Pointer == l.Name) {
			return u.ID, u.Kind != match.KindAttribute
		}
	}
	return pointer.LastToken(l.Name), true
}
