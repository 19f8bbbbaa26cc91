package runner

import (
	"context"
	"errors"
	"math"

	"sonde/model"
	"sonde/runner/client"
)

// ErrSteps is the error of a step that does not follow the one before.
var ErrSteps = errors.New("the service was called or started anew meanwhile: begin with the first call again")

// Step plays one call of a test, by its index: the first on the service in its first state,
// each other on the service as the call before it left it, with what links carry from the
// answers so far. Hosts begin their scripts anew with each. What is sent is the Test of
// what it returns; errors are those of Send, and ErrSteps.
func (h *Hand) Step(ctx context.Context, t model.Test, at int) (Sent, error) {
	if at == 0 {
		h.steps = nil
	}
	if at != len(h.steps) || at >= len(t.Calls) {
		return Sent{}, ErrSteps
	}
	one := h.step(t, at)
	var p played
	if at == 0 {
		h.sent = nil
		p = h.crew.play(ctx, one, math.MaxInt)
	} else {
		p = h.crew.goOn(ctx, one)
	}
	s, err := h.told(one, p)
	if len(p.results) > 0 {
		h.steps = append(h.steps, answer{one.Calls[0], p.results[0].Exchange.Reply})
	}
	return s, err
}

// step is a test of one call, which has what links bring to it.
func (h *Hand) step(t model.Test, at int) model.Test {
	call := t.Calls[at]
	for _, l := range t.Links {
		if l.To == at && l.From < at {
			call, _ = client.Fill(h.crew.plan.Spec, l, h.steps[l.From].call, h.steps[l.From].reply, call)
		}
	}
	return model.Test{ID: t.ID, Origin: t.Origin, Calls: []model.Call{call}, Stubs: t.Stubs}
}
