package search

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"
)

// scope is the operations that a stress is for.
type scope struct {
	kind  scopeKind
	label string
	ops   []model.OpID
}

// scopeKind is what the operations of a scope have in common.
type scopeKind int

const (
	byOperation scopeKind = iota
	byTag
	byGroup
)

// scopes are what an operation belongs to: itself, then those of its tags and
// value-sharing groups that have others, too.
func scopes(study *screen.Study, op model.OpID) []scope {
	all := []scope{{kind: byOperation, label: string(op), ops: []model.OpID{op}}}
	if study == nil {
		return all
	}
	add := func(s scope) {
		if len(s.ops) > 1 {
			all = append(all, s)
		}
	}
	if known := study.Spec.Operation(op); known != nil {
		for _, tag := range known.Tags {
			add(scope{kind: byTag, label: "tag " + tag, ops: ids(study.Spec.Tagged(tag))})
		}
	}
	if g, ok := study.GroupOf[op]; ok {
		add(scope{kind: byGroup, label: fmt.Sprintf("group %d", g+1), ops: study.Groups[g].Operations})
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

// nearest is the scope that is most like one that was chosen at another
// operation: the same, else one of its kind, else the operation itself.
func nearest(all []scope, chosen scope) int {
	if i := slices.IndexFunc(all, func(s scope) bool { return s.kind != byOperation && s.label == chosen.label }); i >= 0 {
		return i
	}
	return max(0, slices.IndexFunc(all, func(s scope) bool { return s.kind == chosen.kind }))
}

// scope is what a stress would be for now.
func (m Model) scope() (scope, bool) {
	op, ok := m.operation()
	if !ok {
		return scope{}, false
	}
	all := scopes(m.study, op)
	return all[nearest(all, m.chosen)], true
}

// widen goes on to what else the operation under the cursor belongs to.
func (m *Model) widen() {
	if op, ok := m.operation(); ok {
		all := scopes(m.study, op)
		m.chosen = all[(nearest(all, m.chosen)+1)%len(all)]
	}
}

// stress asks the run to stress what the cursor is on.
func (m *Model) stress(kind model.StressKind) {
	if s, ok := m.scope(); ok && m.watch.steerable() {
		m.watch.steer(model.Steer{Stress: &model.Stress{Kind: kind, Ops: s.ops, Label: s.label}})
	}
}

// plainAll asks the run to take back all that was said of operations.
func (m *Model) plainAll() {
	if m.watch.steerable() {
		m.watch.steer(model.Steer{Stress: &model.Stress{Kind: model.Plain, Label: "all"}})
	}
}

// stressedAny reports whether any of some operations has another weight than
// others.
func (m Model) stressedAny(ops []model.OpID) bool {
	return slices.ContainsFunc(ops, func(op model.OpID) bool { return m.watch.snap.Weights.Of(op) != 1 })
}

// weight is the sign of an operation that matters more or less than others.
func (m Model) weight(op model.OpID) string {
	if w := m.watch.snap.Weights.Of(op); w != 1 {
		return fmt.Sprintf("×%g", w)
	}
	return ""
}

// scopeTitle says which operations a stress is for, where that is more than one.
func (m Model) scopeTitle() string {
	s, ok := m.scope()
	if !ok || s.kind == byOperation || !m.watch.steerable() {
		return ""
	}
	return pane.Clean(s.label)
}
