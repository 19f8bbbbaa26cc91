package runner

import (
	"errors"
	"fmt"
	"slices"

	"sonde/model"
)

// steer does to the search what a person asked for, and says so; or says why
// not.
func (e *engine) steer(s model.Steer) {
	if err := e.do(s); err != nil {
		e.refuse(model.Note{Call: e.budget.calls, Text: err.Error()})
		return
	}
	steered := model.Steered{Call: e.budget.calls, Asked: e.asked, Steer: s, Tuning: e.plan.Tuning}
	e.book.marks = append(e.book.marks, steered)
	e.emit(steered)
	e.publish(model.Running)
}

// refuse says why a Steer does not take effect.
func (e *engine) refuse(n model.Note) {
	e.book.refused = append(e.book.refused, n)
	e.emit(n)
	e.publish(model.Running)
}

func (e *engine) do(s model.Steer) error {
	switch {
	case s.Turn != nil:
		e.search.Turn(*s.Turn)
		e.plan.Tuning = e.plan.Tuning.With(*s.Turn)
		return nil
	case s.Stress != nil:
		return e.stress(*s.Stress)
	case s.Try != nil:
		return e.try(*s.Try)
	case s.Stub != nil && e.plan.Net == nil:
		return errors.New("the service has the real network, of which no stub is: search with --net")
	case s.Stub != nil:
		return e.hosts.inject(*s.Stub)
	}
	return nil
}

// stress gives the operations new weights. Without any that matters there would
// be nothing to sample.
func (e *engine) stress(s model.Stress) error {
	next := e.weights.With(s, e.plan.Spec.Operations)
	if !slices.ContainsFunc(e.plan.Spec.Operations, func(op *model.Operation) bool { return next.Of(op.ID) > 0 }) {
		return fmt.Errorf("%s %q would leave nothing to search for: it stays as it is", s.Kind, s.Label)
	}
	e.weights = next
	e.tests.Weigh(next)
	e.weigh()
	return nil
}

// weigh tells the search how much each target matters: as much as its operation, and
// one in the source that nobody sees any more not at all.
func (e *engine) weigh() {
	e.search.Weigh(func(target string) float64 {
		if e.unseen != nil && e.source.place(target) >= 0 {
			return 0
		}
		return e.weights.Of(e.targets.operation(target))
	})
}

// try has a structure tried before all else.
func (e *engine) try(t model.Template) error {
	for _, s := range t.Steps {
		if e.plan.Spec.Operation(s.Op) == nil {
			return fmt.Errorf("%q is not an operation of this run: the seq is not tried", s.Op)
		}
	}
	if len(t.Steps) > 0 {
		e.search.Urge(&trial{individual: e.tests.Follow(e.chance, t)})
	}
	return nil
}
