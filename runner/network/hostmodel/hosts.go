// Package hostmodel models what the hosts around a service may answer, as stubs whose answers
// are genes. A search samples and mutates these genes. There are stubs only for what the service
// was seen to use (the virtual network paper, section 4.2; see docs/network.md): names that the
// service looked up, endpoints that it called, ports on which it listens, and resources of its
// environment. The package does no I/O.
package hostmodel

import (
	"math/rand/v2"
	"slices"

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
	// Faultless means that new stubs refuse no connections and that their answers have no faults.
	Faultless bool

	endpoints endpointSet
}

// ObserveContacts records the contacts of the service in a test. It ignores contacts with real hosts, and uses of the
// environment outside of calls.
func (h *Hosts) ObserveContacts(test model.Test, contacts []model.Contact) {
	for _, c := range contacts {
		if c.IsReal() || c.Protocol == model.Environment && c.Call < 0 {
			continue // for the environment: the stubs of a test have no effect before its first call
		}
		if c.Protocol.IsDatabase() && definition.Match(c.Data) {
			h.Vocabulary.learnTables(string(c.Data))
		}
		if c.Protocol == model.Environment {
			c.Host = h.Resource(test, c)
		} else {
			h.endpoints.recordNaming(test, c)
		}
		e := h.endpoints.ofContact(c, h.DeclaredResponses)
		if e == nil {
			continue
		}
		e.learnSilence(c, answerOf(test, c))
		if c.Call >= 0 && c.Call < len(test.Calls) {
			h.endpoints.link(test.Calls[c.Call].Op, e)
		} else {
			e.always = true
		}
	}
	h.endpoints.recordReconnects(contacts)
}

// answerOf returns the answer that a stub of the test gave to a contact. The answer is empty if no stub of the test
// answered.
func answerOf(test model.Test, c model.Contact) model.Answer {
	if c.Stub < 0 || c.Stub >= len(test.Stubs) {
		return model.Answer{}
	}
	all := test.Stubs[c.Stub].AllAnswers()
	if c.Answer < 0 || c.Answer >= len(all) {
		return model.Answer{}
	}
	return all[c.Answer]
}

// NamedByTest reports whether a test named the host before the service first used it: in a call, or
// in the answer of a stub.
func (h *Hosts) NamedByTest(host string) bool { return h.endpoints.named[host] }

// Populated reports whether the service was seen to use the network, or to compare the value of a resource of its
// environment.
func (h *Hosts) Populated() bool { return slices.ContainsFunc(h.endpoints.all, (*endpoint).matters) }

// UsedBy reports whether a test with these operations uses any known endpoint.
func (h *Hosts) UsedBy(ops []model.OpID) bool { return len(h.endpoints.usedBy(ops)) > 0 }

// HasValues reports whether these operations were seen to use the network, or a resource of the environment whose value
// the service compares.
func (h *Hosts) HasValues(ops []model.OpID) bool {
	return slices.ContainsFunc(h.endpoints.usedBy(ops), (*endpoint).matters)
}

// SampleStubs returns stubs for a new test. Chance decides which of the endpoints that the test
// uses have a stub.
func (h *Hosts) SampleStubs(r *rand.Rand, ops []model.OpID) []*Stub {
	var all []*Stub
	others, uses := splitUses(h.endpoints.usedBy(ops))
	for _, e := range others {
		if h.endpoints.isStubbed(r, e) {
			all = append(all, h.sampler(r).sample(e).limitSilence(ops))
		}
	}
	if len(uses) > 0 && !h.Faultless && r.Float64() < nameChance {
		all = append(all, h.sampler(r).sample(uses[r.IntN(len(uses))]))
	}
	return inOrder(all)
}

// SampleReachable returns stubs for a test in which all names can be resolved and no connection
// is refused.
func (h *Hosts) SampleReachable(r *rand.Rand, ops []model.OpID) []*Stub {
	var all []*Stub
	for _, e := range h.endpoints.usedBy(ops) {
		if !e.isReachability() {
			all = append(all, h.sampler(r).sample(e).limitSilence(ops))
		}
	}
	return inOrder(all)
}

// AddAnswering adds a stub for each endpoint that the operations use and that has no stub yet. It skips inward
// endpoints, and endpoints for which isReachability reports true. A new stub answers without faults: it is a copy of
// a stub that answered without faults in a successful test, or has an answer of drawFaultless. AddAnswering removes
// the stubs that guess the protocol of their host. It reports whether it added any stub.
func (h *Hosts) AddAnswering(r *rand.Rand, stubs []*Stub, ops []model.OpID) (all []*Stub, added bool) {
	all = slices.DeleteFunc(stubs, (*Stub).Guesses)
	for _, e := range h.endpoints.usedBy(ops) {
		if e.isReachability() || e.inward || e.hasEnough(all) {
			continue
		}
		all, added = append(all, h.sampler(r).answering(e)), true
	}
	return inOrder(all), added
}
