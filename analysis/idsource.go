package analysis

import (
	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// IDSource is an operation that creates or lists resources, and another operation that needs the id of such
// a resource. Tests take the id from the answer of the first one. The dependency graph does not have this
// information: it does not distinguish operations that create an id from operations that only repeat it,
// and it has no edge if the document does not declare the id in an answer.
type IDSource struct {
	From, To model.OpID
	Value    string // the identity of the id, as in the dependency graph
}

// IDSources returns the sources of all ids, without duplicates.
func (a *Analysis) IDSources() []IDSource { return a.sources() }

// findSources collects the sources of the open links of all templates.
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

// identity returns the identity of the value that a link sets, or the name of the value if the matcher does
// not have it. isID is false if the value is an attribute, for example because the user has corrected it.
func identity(uses []match.ValueUse, l model.Link) (id string, isID bool) {
	for _, u := range uses {
		if !u.Out && u.In == l.In && (u.Name == l.Name || u.Pointer == l.Name) {
			return u.ID, u.Kind != match.KindAttribute
		}
	}
	return pointer.LastToken(l.Name), true
}
