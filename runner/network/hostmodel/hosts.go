// Package hostmodel models what the hosts around a service may answer, for the search:
// stubs whose answers are genes. It covers only what the service was seen to use (the
// virtual network's paper, section 4.2): names that it looked up, endpoints that it
// called, and ports on which it listens. It does no I/O.
package hostmodel

import (
	"math/rand/v2"

	"sonde/model"
)

// Hosts is what a search knows of the hosts around the service. It is for one goroutine.
// The zero value knows no host.
type Hosts struct {
	// Vocabulary holds what the service's source reveals about texts that it reads.
	Vocabulary Vocabulary
	// DeclaredResponses returns the answers that a host's own spec declares, by status. It
	// returns nil where the host has no spec, as a nil function does.
	DeclaredResponses func(host, method, path string) []model.Response

	endpoints endpointSet
}

// ObserveContacts records what the service did in a test whose calls are known.
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

// NamedByTest reports whether the service had a host's name from its test, from a caller
// or from another host, when it first used the host.
func (h *Hosts) NamedByTest(host string) bool { return h.endpoints.named[host] }

// Populated reports whether the service was seen to use any host.
func (h *Hosts) Populated() bool { return len(h.endpoints.all) > 0 }

// UsedBy reports whether a test's operations use any host.
func (h *Hosts) UsedBy(ops []model.OpID) bool {
	return h.Populated() && len(h.endpoints.usedBy(ops)) > 0
}

// SampleStubs returns stubs for a new test: for most of the endpoints that its operations use.
func (h *Hosts) SampleStubs(r *rand.Rand, ops []model.OpID) []*Stub {
	var all []*Stub
	for _, e := range h.endpoints.usedBy(ops) {
		if e.wanted(r) {
			all = append(all, h.sample(r, e).limitMute(ops))
		}
	}
	return inOrder(all)
}

// SampleReachable returns stubs for a test in which all hosts are reachable: no name is
// unknown, and no connection is refused.
func (h *Hosts) SampleReachable(r *rand.Rand, ops []model.OpID) []*Stub {
	var all []*Stub
	for _, e := range h.endpoints.usedBy(ops) {
		if !e.isConnection() && !(e.protocol == model.DNS && e.resolves()) {
			all = append(all, h.sample(r, e).limitMute(ops))
		}
	}
	return inOrder(all)
}
