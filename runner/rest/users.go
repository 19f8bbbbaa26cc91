package rest

import (
	"math/rand/v2"

	"sonde/model"
)

// lastByAnother lets now and then another user, or nobody, make the last call.
func (p *Problem) lastByAnother(r *rand.Rand, ind *Individual) {
	if last := &ind.calls[len(ind.calls)-1]; p.asks(last.op) {
		last.user = p.otherUser(r, last.user)
	}
}

// asks tells whether an operation wants to know who calls, or may.
func (p *Problem) asks(op *model.Operation) bool {
	return op.Secured || len(op.Schemes) > 0 || p.guarded
}

func (p *Problem) anyUser(r *rand.Rand) string {
	if len(p.users) == 0 {
		return ""
	}
	return p.users[r.IntN(len(p.users))]
}

// The chances that a secured call is not made by the test's own user.
const (
	strangerChance = 0.1
	nobodyChance   = 0.05
)

func (p *Problem) otherUser(r *rand.Rand, user string) string {
	x := r.Float64()
	switch {
	case x < nobodyChance:
		return ""
	case x < nobodyChance+strangerChance:
		return p.anyUser(r)
	}
	return user
}
