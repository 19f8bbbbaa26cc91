package search

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/search/mio"
)

// controls applies a person's commands to the search.
type controls struct {
	plan    model.Plan
	search  *mio.Search[*trial]
	tests   *individual.Problem
	chance  *rand.Rand
	targets *targetIndex
	code    *codeTracker
	hosts   *hostRegistry
	weights model.Weights
	tuning  model.Tuning
}

func (s *controls) apply(c model.Command) error {
	switch {
	case c.Change != nil:
		s.search.Tune(*c.Change)
		s.tuning = s.tuning.WithChange(*c.Change)
		return nil
	case c.Priority != nil:
		return s.stress(*c.Priority)
	case c.Try != nil:
		return s.enqueueTemplate(*c.Try)
	case c.Stub != nil && s.plan.Net == nil:
		return errors.New("the service uses the real network, which has no stubs: search with --net")
	case c.Stub != nil:
		return s.hosts.inject(*c.Stub)
	}
	return nil
}

// stress changes the weights of operations. It returns an error if every weight would be 0, for
// then nothing would be left to sample.
func (s *controls) stress(by model.Priority) error {
	next := s.weights.WithPriority(by, s.plan.Spec.Operations)
	if !slices.ContainsFunc(s.plan.Spec.Operations, func(op *model.Operation) bool { return next.WeightOf(op.ID) > 0 }) {
		return fmt.Errorf("%s %q would leave nothing to search for: it stays as it is", by.Kind, by.Label)
	}
	s.weights = next
	s.tests.SetWeights(next)
	s.updateWeights()
	return nil
}

// updateWeights gives each target the weight of its operation, and weight 0 to code targets that
// are no longer reported.
func (s *controls) updateWeights() {
	s.search.SetWeights(func(target string) float64 {
		if s.code.lostErr != nil && s.code.coverage.target(target) >= 0 {
			return 0
		}
		return s.weights.WeightOf(s.targets.operation(target))
	})
}

// enqueueTemplate queues a test of a template before all others.
func (s *controls) enqueueTemplate(t model.Template) error {
	for _, step := range t.Steps {
		if s.plan.Spec.Operation(step.Op) == nil {
			return fmt.Errorf("%q is not an operation of this run: the seq is not tried", step.Op)
		}
	}
	if len(t.Steps) > 0 {
		s.search.EnqueueFirst(&trial{individual: s.tests.FollowTemplate(s.chance, t)})
	}
	return nil
}
