package search

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// scope is a set of operations whose weight is changed together.
type scope struct {
	kind  scopeKind
	label string
	ops   []model.OpID
}

// scopeKind is the property that the operations of a scope have in common.
type scopeKind int

const (
	byOperation scopeKind = iota
	byTag
	byGroup
)

// scopes returns the scopes of an operation. The first one has only the operation. The other ones are its tags and
// its value-sharing group, if they have other operations, too.
func scopes(analyzed *screen.AnalyzedSpec, op model.OpID) []scope {
	all := []scope{{kind: byOperation, label: string(op), ops: []model.OpID{op}}}
	if analyzed == nil {
		return all
	}
	add := func(s scope) {
		if len(s.ops) > 1 {
			all = append(all, s)
		}
	}
	if known := analyzed.Spec.Operation(op); known != nil {
		for _, tag := range known.Tags {
			add(scope{kind: byTag, label: "tag " + tag, ops: ids(analyzed.Spec.OperationsByTag(tag))})
		}
	}
	if g, ok := analyzed.GroupOf[op]; ok {
		add(scope{kind: byGroup, label: fmt.Sprintf("group %d", g+1), ops: analyzed.Groups[g].Operations})
	}
	return all
}

func ids(ops []*model.Operation) []model.OpID {
	out := make([]model.OpID, len(ops))
	for i, op := range ops {
		out[i] = op.ID
	}
	return out
}

// nearest returns the index of the scope that is most similar to chosen, the scope that the user chose on another
// operation. It is the first of these that exists: the same scope, a scope of the same kind, the scope that has only
// the operation.
func nearest(all []scope, chosen scope) int {
	if i := slices.IndexFunc(all, func(s scope) bool { return s.kind != byOperation && s.label == chosen.label }); i >= 0 {
		return i
	}
	return max(0, slices.IndexFunc(all, func(s scope) bool { return s.kind == chosen.kind }))
}

// at returns the scope of an operation that is most similar to s.
func (s scope) at(analyzed *screen.AnalyzedSpec, op model.OpID) scope {
	all := scopes(analyzed, op)
	return all[nearest(all, s)]
}

// next returns the scope after s.at(analyzed, op) in the scopes of an operation. After the last scope comes the
// first.
func (s scope) next(analyzed *screen.AnalyzedSpec, op model.OpID) scope {
	all := scopes(analyzed, op)
	return all[(nearest(all, s)+1)%len(all)]
}
