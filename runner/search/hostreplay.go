package search

import (
	"slices"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/search/mio"
)

// hostReplays is the tests that are to be played again with hosts that answer: what
// turned to a host that is not there, is next seen with one that is (the virtual
// network's paper, section 4.2).
type hostReplays struct {
	waiting []hostReplay
	planned map[hostContact]int
	sent    int // requests
}

// hostReplay is the part of a test that turned to a host.
type hostReplay struct {
	ind    *individual.Individual
	parent string
}

// hostContact is an operation and a host.
type hostContact struct {
	op   model.OpID
	host string
}

const (
	// firstHostReplays is how often an operation is played again when it is first seen to
	// turn to a host, and mostAnswered how often in all.
	firstHostReplays = 6
	maxHostReplays   = 40
	// hostReplayShare is how many of the calls are for that.
	hostReplayShare = 0.15
)

// observe keeps the parts of a test that turned to hosts.
func (a *hostReplays) observe(t *trial, contacts []model.Contact) {
	if t.individual == nil || t.resumed != nil {
		return
	}
	if a.planned == nil {
		a.planned = map[hostContact]int{}
	}
	for _, c := range contacts {
		if c.Kind == model.ContactLookup || c.Outcome == "connected" || c.Call < 0 || c.Call >= len(t.test.Calls) {
			continue
		}
		key := hostContact{t.test.Calls[c.Call].Op, c.Host}
		q := hostReplay{t.individual.KeepCalls(neededCalls(t.test, c.Call)), t.test.ID}
		if a.planned[key] == 0 {
			a.planned[key] = firstHostReplays
			a.waiting = append(a.waiting, slices.Repeat([]hostReplay{q}, firstHostReplays)...)
		} else if a.planned[key] < maxHostReplays && c.Stub < 0 {
			a.planned[key]++
			a.waiting = append(a.waiting, q)
		}
	}
}

// nextHostReplay is the next of these tests, nil where it is not time for one.
func (p *proposer) nextHostReplay() *mio.Candidate[*trial] {
	a := &p.hostReplays
	if len(a.waiting) == 0 || a.sent >= p.shareOfCalls(hostReplayShare) {
		return nil
	}
	q := a.waiting[0]
	a.waiting = a.waiting[1:]
	ind := p.tests.WithAllHosts(p.chance, q.ind)
	a.sent += ind.Len() + p.pool.resetCost
	birth := &model.TestLineage{Call: p.pool.budget.calls, Rule: model.FromMutation, Parent: q.parent, Change: ind.Change()}
	return &mio.Candidate[*trial]{Individual: &trial{individual: ind, birth: birth}, Rule: mio.Sampled}
}
