package search

import (
	"context"
	"errors"
	"fmt"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/target/client"
)

// refusalMemory records whether a host has refused a connection of the service since the last start of the service.
// After a refusal, a gRPC client lets all calls fail at once for a second, and for longer after each further refusal.
// The calls then also fail in tests in which the host exists. Without restarts, a search might waste a thousand calls
// and report these failures as faults. A nil refusalMemory does nothing.
type refusalMemory struct {
	refused bool
	left    int // how often the service may still be restarted
}

// maxRefusalRestarts is how often a copy of the service is restarted because it remembers refused connections.
const maxRefusalRestarts = 100

// newRefusalMemory returns the memory for a service that uses gRPC clients in a virtual network and that can be
// restarted. It returns nil for other services.
func newRefusalMemory(p model.Plan, m *probedata.Manifest) *refusalMemory {
	if p.Net == nil || p.Service == nil || m == nil || len(m.Calls) == 0 {
		return nil
	}
	return &refusalMemory{left: maxRefusalRestarts}
}

// observe records whether a connection of the service to a host failed in a test.
func (m *refusalMemory) observe(contacts []model.Contact) {
	if m == nil {
		return
	}
	for _, c := range contacts {
		failed := c.Kind == model.ContactDial && c.Protocol == model.TCP && c.Outcome != connected
		m.refused = m.refused || failed && !c.Inward && !c.IsReal()
	}
}

// matters reports whether the service may remember a refused connection.
func (m *refusalMemory) matters() bool { return m != nil && m.left > 0 && m.refused }

// clearRefusals restarts the service if the service may remember a refused connection.
func (w *worker) clearRefusals(timed context.Context) error {
	if !w.refusals.matters() {
		return nil
	}
	w.refusals.refused, w.refusals.left = false, w.refusals.left-1
	if err := w.network.beginStart(); err != nil {
		return err
	}
	err := w.setUp(func() error { return w.service.Restart(timed) })
	w.tracker.ignoreActivity()
	switch {
	case err == nil:
		w.service.Client().NoteReset()
		w.unchangedTests = 0
		return nil
	case timed.Err() != nil || errors.Is(err, client.ErrBudget):
		return client.ErrBudget
	}
	return &UnreachableError{fmt.Errorf("after call %d: %w", w.lastTest.at, err)}
}
