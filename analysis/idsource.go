package analysis

import (
	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// IDSource says that tests take an id that one operation needs from the answer
// of another, because that one creates or lists such things. The graph can't
// replace it: it doesn't distinguish who creates an id from who only repeats
// it, and it has no edge where the document doesn't say that the answer has the
// id.
type IDSource struct {
	From, To model.OpID
	Value    string // the id's identity, as the graph has it
}

// IDSources returns the sources of all ids, each once.
func (a *Analysis) IDSources() []IDSource { return a.sources() }

// findSources collects the open links of all templates.
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
			s := IDSource{From: from, To: to, Value: identity(a.Matcher().UsesOf(ops[to]), l)}
			if l.IsOpen() && from != to && !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// identity returns the identity of the value that a link sets. Where the
// matcher does not read so deep, it is the name.
func identity(uses []match.ValueUse, l model.Link) string {
	for _, u := range uses {
		if !u.Out && u.In == l.In && (u.Name == l.Name || u.Pointer == l.Name) {
			return u.ID
		}
	}
	return pointer.LastToken(l.Name)
}
