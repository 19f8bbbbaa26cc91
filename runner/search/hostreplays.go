package search

import (
	"maps"
	"slices"

	"sonde/model"
	"sonde/runner/network/hostmodel"
	"sonde/runner/search/individual"
	"sonde/runner/search/mio"
)

// hostReplays has tests that wait to be played again with other behaviour of a host or resource. A test that contacts
// a host which does not exist is played again with a stub for that host (the virtual network paper, section 4.2). A
// test that uses a resource of its environment, such as a port, is played again with each fault of the resource.
type hostReplays struct {
	waiting []hostReplay
	uses    []hostReplay        // replays with a fault of a resource, which come after all others
	counts  map[hostContact]int // replays that were added
	sent    int                 // requests sent for replays
}

// hostReplay has a call during which the service contacted a host, and the earlier calls that the call takes values
// from. parent is the ID of the whole test.
type hostReplay struct {
	individual *individual.Individual
	parent     string
	resource   string         // the resource of the environment that fails; "" for none
	fault      model.NetFault // the fault of the resource
	after      int            // the number of uses of the resource during earlier calls; later uses fail
}

// hostContact is a key of hostReplays.counts. It has an operation, and either a host or a fault of a resource of the
// environment. In the second case, host has the names of the fault and of the resource. If op is "", the key counts
// the operations that have a replay with the fault.
type hostContact struct {
	op   model.OpID
	host string
}

const (
	// firstHostReplays is the number of replays after an operation has contacted a host for the first time.
	firstHostReplays = 6
	// maxHostReplays bounds the replays for one operation and host.
	maxHostReplays = 40
	// hostReplayShare is the share of the requests so far that host replays may have used.
	hostReplayShare = 0.15
)

// observe adds replays for the calls of a test during which the service contacted a host or used a resource:
//   - firstHostReplays replays after the first contact of an operation with a host, and one after each further
//     contact that no stub answered, until there are maxHostReplays
//   - one replay for each fault of a resource when an operation first uses the resource
//   - one replay when an operation first uses a resource that has a value, such as the name of the machine
func (h *hostReplays) observe(t *trial, contacts []model.Contact, hosts *hostmodel.Hosts) {
	if t.individual == nil || t.resumed != nil {
		return
	}
	if h.counts == nil {
		h.counts = map[hostContact]int{}
	}
	var before usesBefore
	for _, c := range contacts {
		if c.Kind == model.ContactLookup || c.Outcome == "connected" || c.IsReal() || c.Call < 0 || c.Call >= len(t.test.Calls) {
			continue
		}
		key := hostContact{t.test.Calls[c.Call].Op, c.Host}
		q := hostReplay{individual: t.individual.KeepCalls(neededCalls(t.test, c.Call)), parent: t.test.ID}
		switch {
		case c.Kind == model.ContactUse && !model.ResourceHasValue(c.Host):
			q.resource = hosts.Resource(t.test, c)
			after := before.count(c, q.resource)
			if c.Call < maxPrefix { // what a file contains depends on all earlier calls
				q.individual, q.after = t.individual.KeepCalls(upTo(c.Call)), after
			}
			h.addFaults(key.op, q, hosts.Faults(q.resource))
		default:
			h.add(key, q, c)
		}
	}
}

// add adds the replays that follow from the contact c. key has the operation and the host of the contact. If the
// contact is the use of a resource that has a value, such as the name of the machine, add adds only one replay. Most
// services only log such a value.
func (h *hostReplays) add(key hostContact, q hostReplay, c model.Contact) {
	n := 0
	switch {
	case h.counts[key] == 0 && c.Kind == model.ContactUse:
		n = 1
	case h.counts[key] == 0:
		n = firstHostReplays
	case h.counts[key] < maxHostReplays && c.Stub < 0 && c.Kind != model.ContactUse:
		n = 1
	}
	h.counts[key] += n
	h.waiting = append(h.waiting, slices.Repeat([]hostReplay{q}, n)...)
}

// usesBefore counts the uses of the resources in a test. The zero value is ready for the first contact.
type usesBefore struct {
	call         int            // the call of the last contact
	before, uses map[string]int // resource → uses before this call; resource → uses so far
}

// count adds a contact with a resource, and returns how often the resource was used during earlier calls. It must be
// called for the contacts in the order of their calls.
func (u *usesBefore) count(c model.Contact, resource string) int {
	if u.uses == nil {
		u.uses = map[string]int{}
	}
	if c.Call != u.call {
		u.call, u.before = c.Call, maps.Clone(u.uses)
	}
	u.uses[resource] += c.Uses
	return u.before[resource]
}

// maxPrefix decides how many calls a replay has in which a resource of the environment fails. If the resource fails
// during one of the first maxPrefix calls, the replay has all calls up to the failing one. Otherwise it has only the
// calls that the failing call needs.
const maxPrefix = 6

// upTo returns the indexes of all calls from the first one to the given call.
func upTo(call int) (all []int) {
	for i := range call + 1 {
		all = append(all, i)
	}
	return all
}

// maxFaultReplays is the maximum number of operations that have a replay with the same fault of a resource.
const maxFaultReplays = 3

// addFaults adds a replay for each fault of q.resource. It skips a fault if the operation has had a replay with the
// same fault of this resource, or if maxFaultReplays operations have had such a replay.
func (h *hostReplays) addFaults(op model.OpID, q hostReplay, faults []model.NetFault) {
	for _, fault := range faults {
		all := hostContact{"", string(fault) + " " + q.resource}
		key := hostContact{op, all.host}
		if h.counts[key] == 0 && h.counts[all] < maxFaultReplays {
			q.fault = fault
			h.uses = append(h.uses, q)
			h.counts[key]++
			h.counts[all]++
		}
	}
}

// next removes the next replay from the queues and returns it. At least one of the queues must have a replay.
func (h *hostReplays) next() (q hostReplay) {
	if len(h.waiting) > 0 {
		q, h.waiting = h.waiting[0], h.waiting[1:]
	} else {
		q, h.uses = h.uses[0], h.uses[1:]
	}
	return q
}

// nextHostReplay returns the next host replay. It returns nil if no host replay is waiting, or if their share is used
// up.
func (p *proposer) nextHostReplay() *mio.Candidate[*trial] {
	a := &p.hostReplays
	if len(a.waiting)+len(a.uses) == 0 || a.sent >= p.shareOfCalls(hostReplayShare) {
		return nil
	}
	q := a.next()
	var ind *individual.Individual
	if q.resource == "" {
		ind = p.tests.WithAllHosts(p.chance, q.individual)
	} else {
		ind = p.tests.WithFault(p.chance, q.individual, q.resource, q.fault, q.after)
	}
	a.sent += ind.Len() + p.pool.resetCost
	lineage := &model.TestLineage{Call: p.pool.requestsSent(), Rule: model.FromMutation, Parent: q.parent, Change: ind.Change()}
	return &mio.Candidate[*trial]{Individual: &trial{individual: ind, lineage: lineage}, Rule: mio.Sampled}
}
