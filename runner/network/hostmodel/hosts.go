// Package hostmodel models what the hosts around a service may answer, as stubs whose answers
// are genes. A search samples and mutates them. The stubs are only for what the service was seen
// to use (the virtual network paper, section 4.2; see docs/network.md): names that it looked up,
// endpoints that it called, and ports on which it listens. The package does no I/O.
package hostmodel

import (
	"math/rand/v2"

	"sonde/model"
)

// Hosts has what a search knows about the hosts around the service. It is not safe for
// concurrent use. The zero value has no hosts.
type Hosts struct {
	// Vocabulary has what the source of the service reveals about the texts that the service reads.
	Vocabulary Vocabulary
	// DeclaredResponses returns the responses that a host's OpenAPI spec declares for an
	// operation. It returns nil if the host has no spec. The function may be nil.
	DeclaredResponses func(host, method, path string) []model.Response

	endpoints endpointSet
}

// ObserveContacts records the contacts of the service in a test.
func (h *Hosts) ObserveContacts(test model.Test, contacts []model.Contact) {
	for _, c := range contacts {
		h.endpoints.recordNaming(test, c)
		e := h.endpoints.ofContact(c, h.DeclaredResponses)
		if e == nil {
			continue
		}
		if c.Call >= 0 && c.Call < len(test.Calls) {
			h.endpoints.link(test.Calls[c.Call].Op, e)
		} else {
			e.always = true
		}
	}
}

// NamedByTest reports whether a test named the host before the service first used it: in a call, or
// in the answer of a stub.
func (h *Hosts) NamedByTest(host string) bool { return h.endpoints.named[host] }

// Populated reports whether any endpoint is known.
func (h *Hosts) Populated() bool { return len(h.endpoints.all) > 0 }

// UsedBy reports whether a test with these operations uses any known endpoint.
func (h *Hosts) UsedBy(ops []model.OpID) bool {
	return h.Populated() && len(h.endpoints.usedBy(ops)) > 0
}

// SampleStubs returns stubs for a new test. Chance decides which of the endpoints that the test
// uses have a stub.
func (h *Hosts) SampleStubs(r *rand.Rand, ops []model.OpID) []*Stub {
	var all []*Stub
	for _, e := range h.endpoints.usedBy(ops) {
		if e.isStubbed(r) {
			all = append(all, h.sample(r, e).limitMute(ops))
		}
	}
	return inOrder(all)
}

// SampleReachable returns stubs for a test in which all names can be resolved and no connection
// is refused.
func (h *Hosts) SampleReachable(r *rand.Rand, ops []model.OpID) []*Stub {
	var all []*Stub
	for _, e := range h.endpoints.usedBy(ops) {
		if !e.isConnection() && !(e.protocol == model.DNS && e.resolves()) {
			all = append(all, h.sample(r, e).limitMute(ops))
		}
	}
	return inOrder(all)
}
