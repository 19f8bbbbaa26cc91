package runner

import (
	"slices"

	"sonde/model"
	"sonde/runner/mio"
	"sonde/runner/rest"
)

// answering is the tests that are to be played again with hosts that answer: what
// turned to a host that is not there, is next seen with one that is (the virtual
// network's paper, section 4.2).
type answering struct {
	waiting []question
	asked   map[turned]int
	sent    int // requests
}

// question is the part of a test that turned to a host.
type question struct {
	ind    *rest.Individual
	parent string
}

// turned is an operation and a host.
type turned struct {
	op   model.OpID
	host string
}

const (
	// firstAnswered is how often an operation is played again when it is first seen to
	// turn to a host, and mostAnswered how often in all.
	firstAnswered = 6
	mostAnswered  = 40
	// answerShare is how many of the calls are for that.
	answerShare = 0.15
)

// turned keeps the parts of a test that turned to hosts.
func (a *answering) turned(t *trial, contacts []model.Contact) {
	if t.individual == nil || t.kept != nil {
		return
	}
	if a.asked == nil {
		a.asked = map[turned]int{}
	}
	for _, c := range contacts {
		if c.Kind == model.Lookup || c.Outcome == "connected" || c.Call < 0 || c.Call >= len(t.test.Calls) {
			continue
		}
		key := turned{t.test.Calls[c.Call].Op, c.Host}
		q := question{t.individual.Only(needed(t.test, c.Call)), t.test.ID}
		if a.asked[key] == 0 {
			a.asked[key] = firstAnswered
			a.waiting = append(a.waiting, slices.Repeat([]question{q}, firstAnswered)...)
		} else if a.asked[key] < mostAnswered && c.Stub < 0 {
			a.asked[key]++
			a.waiting = append(a.waiting, q)
		}
	}
}

// answer is the next of these tests, nil where it is not time for one.
func (e *engine) answer() *mio.Asked[*trial] {
	a := &e.answers
	if len(a.waiting) == 0 || a.sent >= e.part(answerShare) {
		return nil
	}
	q := a.waiting[0]
	a.waiting = a.waiting[1:]
	ind := e.tests.Answered(e.chance, q.ind)
	a.sent += ind.Len() + e.cost
	birth := &model.Birth{Call: e.budget.calls, Rule: model.ByMutation, Parent: q.parent, Change: ind.Change()}
	return &mio.Asked[*trial]{Individual: &trial{individual: ind, birth: birth}, Rule: mio.Sampled}
}
