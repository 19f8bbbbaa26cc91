package search

import (
	"slices"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/search/mio"
)

// hostReplays has the tests that are to be played again with hosts that answer. A test that contacts a
// host which does not exist is played again with a stub for that host (the virtual network paper,
// section 4.2). A test that uses a resource of its environment, such as a port, is played again with each fault of the
// resource.
type hostReplays struct {
	waiting []hostReplay
	counts  map[hostContact]int // replays that were added
	sent    int                 // requests sent for replays
}

// hostReplay has a call during which the service contacted a host, and the earlier calls that the call takes values
// from. parent is the ID of the whole test.
type hostReplay struct {
	individual *individual.Individual
	parent     string
	resource   string         // the resource of the environment that fails; "" for none
	fault      model.NetFault // its fault
}

// hostContact is an operation and a host, or a resource of the environment.
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

// observe adds replays for the calls of a test during which the service contacted hosts: firstHostReplays after the
// first contact of an operation with a host, and one after each further contact that no stub answered. After the first use of
// a resource of the environment that only works or fails, it adds a replay for each fault. resource returns the resource
// that stubs have for a contact.
func (h *hostReplays) observe(t *trial, contacts []model.Contact, resource func(model.Contact) string) {
	if t.individual == nil || t.resumed != nil {
		return
	}
	if h.counts == nil {
		h.counts = map[hostContact]int{}
	}
	for _, c := range contacts {
		if c.Kind == model.ContactLookup || c.Outcome == "connected" || c.IsReal() || c.Call < 0 || c.Call >= len(t.test.Calls) {
			continue
		}
		key := hostContact{t.test.Calls[c.Call].Op, c.Host}
		q := hostReplay{individual: t.individual.KeepCalls(neededCalls(t.test, c.Call)), parent: t.test.ID}
		switch {
		case c.Kind == model.ContactUse && !model.ResourceHasValue(c.Host):
			key.host = resource(c)
			h.addFaults(key, q)
		case h.counts[key] == 0:
			h.counts[key] = firstHostReplays
			h.waiting = append(h.waiting, slices.Repeat([]hostReplay{q}, firstHostReplays)...)
		case h.counts[key] < maxHostReplays && c.Stub < 0:
			h.counts[key]++
			h.waiting = append(h.waiting, q)
		}
	}
}

// addFaults adds a replay for each fault of a resource of the environment, unless there were replays for it before.
func (h *hostReplays) addFaults(key hostContact, q hostReplay) {
	for _, fault := range model.ResourceFaults(key.host)[h.counts[key]:] {
		q.resource, q.fault = key.host, fault
		h.waiting = append(h.waiting, q)
		h.counts[key]++
	}
}

// nextHostReplay returns the next host replay. It returns nil if none is waiting or their share is used up.
func (p *proposer) nextHostReplay() *mio.Candidate[*trial] {
	a := &p.hostReplays
	if len(a.waiting) == 0 || a.sent >= p.shareOfCalls(hostReplayShare) {
		return nil
	}
	q := a.waiting[0]
	a.waiting = a.waiting[1:]
	var ind *individual.Individual
	if q.resource == "" {
		ind = p.tests.WithAllHosts(p.chance, q.individual)
	} else {
		ind = p.tests.WithFault(p.chance, q.individual, q.resource, q.fault)
	}
	a.sent += ind.Len() + p.pool.resetCost
	lineage := &model.TestLineage{Call: p.pool.requestsSent(), Rule: model.FromMutation, Parent: q.parent, Change: ind.Change()}
	return &mio.Candidate[*trial]{Individual: &trial{individual: ind, lineage: lineage}, Rule: mio.Sampled}
}
