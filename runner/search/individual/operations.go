package individual

import (
	"math/rand/v2"

	"sonde/model"
)

// operationSet holds the operations of a spec, and draws operations by their weights.
type operationSet struct {
	all     []*chromosome
	byID    map[model.OpID]*chromosome
	last    map[model.OpID]bool // see Problem.KeepForLast
	others  map[model.OpID]bool // see Problem.BeginWithPart
	weights model.Weights
	wheel   wheel // draws from all
}

// newOperationSet returns a set of operations. If uniform is true, calls may have values that are drawn uniformly.
func newOperationSet(ops []*model.Operation, uniform bool, sizes model.Sizes) *operationSet {
	s := &operationSet{byID: map[model.OpID]*chromosome{}}
	for _, op := range ops {
		c := newChromosome(op, false, sizes)
		if uniform {
			c.uniform = newChromosome(op, true, sizes)
		}
		s.all = append(s.all, c)
		s.byID[op.ID] = c
	}
	return s
}

// setWeights sets how often each operation is drawn, relative to the others.
func (s *operationSet) setWeights(weights model.Weights) {
	s.weights = weights
	s.wheel = newWheel(len(s.all), func(i int) float64 { return s.weightOf(s.all[i].op.ID) })
}

// handicap returns n for an operation with which another island begins, else 0. The caller adds it to a number by which
// operations are ordered, so that this operation comes later.
func (s *operationSet) handicap(id model.OpID, n int) int {
	if s.others[id] {
		return n
	}
	return 0
}

// draw returns a random operation, by the weights of the operations.
func (s *operationSet) draw(r *rand.Rand) *chromosome { return s.all[s.wheel.draw(r)] }

// weightOf returns the weight of an operation, 0 if it is kept for the last tests.
func (s *operationSet) weightOf(op model.OpID) float64 {
	if s.last[op] {
		return 0
	}
	return s.weights.WeightOf(op)
}

// muted reports whether an operation is kept for the last tests, or is called only if other operations need it.
func (s *operationSet) muted(op model.OpID) bool { return s.weightOf(op) <= 0 }

// mutedByUser reports whether the user has muted an operation.
func (s *operationSet) mutedByUser(op model.OpID) bool { return s.weights.WeightOf(op) <= 0 }

// has reports whether all operations of a template are in the set. It returns false if one of them is kept for the last tests,
// or if the template has no steps.
func (s *operationSet) has(t model.Template) bool {
	for _, step := range t.Steps {
		if s.byID[step.Op] == nil || s.last[step.Op] {
			return false
		}
	}
	return len(t.Steps) > 0
}
