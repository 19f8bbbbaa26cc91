package rest

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// The shares of calls that are not made by the test's own user. Where users are
// configured, all other calls are made by one of them, whatever the document says
// about security: many documents leave it out, or name a scheme that is not there.
const (
	strangerChance  = 0.1
	anonymousChance = 0.05
)

// lastByAnother lets another user, or an anonymous caller, make the last call of a
// small share of the tests.
func (p *Problem) lastByAnother(r *rand.Rand, ind *Individual) {
	last := &ind.calls[len(ind.calls)-1]
	last.user = p.otherUser(r, last.user)
}

// anyUser draws a user, each as likely as the others; "" where none is configured.
func (p *Problem) anyUser(r *rand.Rand) string {
	if len(p.users) == 0 {
		return ""
	}
	return p.users[r.IntN(len(p.users))]
}

// userFor draws a user for a test of an operation, more likely one whom it accepts.
func (p *Problem) userFor(r *rand.Rand, op model.OpID) string {
	if len(p.users) == 0 {
		return ""
	}
	w := newWheel(len(p.users), func(i int) float64 { return p.admissions.weight(op, p.users[i]) })
	return p.users[w.draw(r)]
}

// caller is who makes a call of a test: the test's user, unless the operation has
// only ever refused that user. Then it is drawn from all, so that one user's tests
// can be set up by another.
func (p *Problem) caller(r *rand.Rand, op model.OpID, user string) string {
	if len(p.users) == 0 || !p.admissions.refuses(op, user) {
		return user
	}
	w := newWheel(len(p.users)+1, func(i int) float64 {
		if i == len(p.users) {
			return p.anonymousWeight(op)
		}
		return p.admissions.weight(op, p.users[i])
	})
	if i := w.draw(r); i < len(p.users) {
		return p.users[i]
	}
	return ""
}

// anonymousWeight is that of an anonymous caller beside users: little, unless the
// operation refuses all of them.
func (p *Problem) anonymousWeight(op model.OpID) float64 {
	weight := p.admissions.weight(op, "")
	for _, u := range p.users {
		if !p.admissions.refuses(op, u) {
			return anonymousChance * weight
		}
	}
	return weight
}

// otherUser is the user given, except for a small share of the tests.
func (p *Problem) otherUser(r *rand.Rand, user string) string {
	if len(p.users) == 0 {
		return ""
	}
	x := r.Float64()
	switch {
	case x < anonymousChance:
		return ""
	case x < anonymousChance+strangerChance:
		return p.anyUser(r)
	}
	return user
}

// Dismiss lets a user make no more calls in new tests.
func (p *Problem) Dismiss(user string) {
	p.users = slices.DeleteFunc(slices.Clone(p.users), func(u string) bool { return u == user })
}

// asksAnonymous reports whether the search begins with an anonymous call of an
// operation: one that should be refused, as far as the document says.
func asksAnonymous(op *model.Operation) bool {
	return op.Secured || len(op.Schemes) > 0 || declares(op, "401")
}
