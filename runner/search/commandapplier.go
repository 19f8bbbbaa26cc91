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

// commandApplier applies the commands of the user to the search.
type commandApplier struct {
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

func (a *commandApplier) apply(command model.Command) error {
	switch {
	case command.Change != nil:
		a.search.Tune(*command.Change)
		a.tuning = a.tuning.WithChange(*command.Change)
		return nil
	case command.Priority != nil:
		return a.applyPriority(*command.Priority)
	case command.Try != nil:
		return a.enqueueTemplate(*command.Try)
	case command.Stub != nil && a.plan.Net == nil:
		return errors.New("the service uses the real network, which has no stubs: search with --net")
	case command.Stub != nil:
		return a.hosts.inject(*command.Stub)
	}
	return nil
}

// applyPriority changes the weights of operations. It drops queued tests whose last operation now has the weight 0,
// except tests of a resumed run. It returns an error if every weight would be 0, because then the search could not
// sample any test.
func (a *commandApplier) applyPriority(p model.Priority) error {
	next := a.weights.WithPriority(p, a.plan.Spec.Operations)
	if !slices.ContainsFunc(a.plan.Spec.Operations, func(op *model.Operation) bool { return next.WeightOf(op.ID) > 0 }) {
		return fmt.Errorf("%s %q would leave nothing to search for: it was not applied", p.Kind, p.Label)
	}
	a.weights = next
	a.tests.SetWeights(next)
	a.updateWeights()
	a.search.DropQueued(func(t *trial) bool {
		ops := t.individual.Operations()
		return t.resumed == nil && next.WeightOf(ops[len(ops)-1]) == 0 // other operations create what the last one needs
	})
	return nil
}

// updateWeights gives each target the weight of its operation. Code targets get weight 0 if the driver no
// longer reports them.
func (a *commandApplier) updateWeights() {
	a.search.SetWeights(func(target string) float64 {
		if a.code.lostErr != nil && a.code.coverage.indexOfID(target) >= 0 {
			return 0
		}
		return a.weights.WeightOf(a.targets.operation(target))
	})
}

// enqueueTemplate queues a test of a template before all other tests. It returns an error if an operation of
// the template is not part of the run.
func (a *commandApplier) enqueueTemplate(t model.Template) error {
	for _, step := range t.Steps {
		if a.plan.Spec.Operation(step.Op) == nil {
			return fmt.Errorf("%q is not an operation of this run: the seq is not tried", step.Op)
		}
	}
	if len(t.Steps) > 0 {
		a.search.EnqueueFirst(&trial{individual: a.tests.FollowTemplate(a.chance, t)})
	}
	return nil
}
