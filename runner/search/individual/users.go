package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// The shares of calls that are not made by the test's own user. If users are configured, all other calls
// are made by one of them, whatever the spec says about security: many specs leave it out, or name a
// scheme that they do not define.
const (
	otherUserChance = 0.1
	anonymousChance = 0.05
)

// userPool chooses the users of calls according to how operations have answered them.
type userPool struct {
	names    []string
	admitted admissions
	replaced map[admission]bool // users who were tried in place of a refused one
}

func newUserPool(users []model.User) *userPool {
	u := &userPool{admitted: admissions{}, replaced: map[admission]bool{}}
	for _, user := range users {
		u.names = append(u.names, user.Name)
	}
	return u
}

// configured reports whether there are any users.
func (u *userPool) configured() bool { return len(u.names) > 0 }

// first returns the first user, or "" if none is configured.
func (u *userPool) first() string {
	if len(u.names) == 0 {
		return ""
	}
	return u.names[0]
}

// any draws a user, all equally likely. It returns "" if none is configured.
func (u *userPool) any(r *rand.Rand) string {
	if len(u.names) == 0 {
		return ""
	}
	return u.names[r.IntN(len(u.names))]
}

// forOperation draws a user for a test of an operation, preferring users whom the
// operation accepts.
func (u *userPool) forOperation(r *rand.Rand, op model.OpID) string {
	if len(u.names) == 0 {
		return ""
	}
	w := newWheel(len(u.names), func(i int) float64 { return u.admitted.weight(op, u.names[i]) })
	return u.names[w.draw(r)]
}

// caller returns the user of a call: the test's user, unless the operation has only ever refused that
// user. Then one of all users is drawn, so that the tests of one user can be set up by another.
func (u *userPool) caller(r *rand.Rand, op model.OpID, user string) string {
	if len(u.names) == 0 || !u.admitted.refuses(op, user) {
		return user
	}
	w := newWheel(len(u.names)+1, func(i int) float64 {
		if i == len(u.names) {
			return u.anonymousWeight(op)
		}
		return u.admitted.weight(op, u.names[i])
	})
	if i := w.draw(r); i < len(u.names) {
		return u.names[i]
	}
	return ""
}

// anonymousWeight returns the weight of an anonymous caller among users: small, unless the operation
// refuses all users.
func (u *userPool) anonymousWeight(op model.OpID) float64 {
	weight := u.admitted.weight(op, "")
	for _, name := range u.names {
		if !u.admitted.refuses(op, name) {
			return anonymousChance * weight
		}
	}
	return weight
}

// other returns the given user or, for a small share of the tests, another user or the
// anonymous caller.
func (u *userPool) other(r *rand.Rand, user string) string {
	if len(u.names) == 0 {
		return ""
	}
	x := r.Float64()
	switch {
	case x < anonymousChance:
		return ""
	case x < anonymousChance+otherUserChance:
		return u.any(r)
	}
	return user
}

// replacement returns the next user whom an operation has not answered yet, each user once. It returns
// "" if there is none, or if the operation has accepted a user.
func (u *userPool) replacement(op model.OpID) string {
	next := ""
	for _, name := range u.names {
		switch {
		case u.admitted.accepts(op, name):
			return ""
		case next == "" && !u.admitted.tried(op, name) && !u.replaced[admission{op, name}]:
			next = name
		}
	}
	if next != "" {
		u.replaced[admission{op, next}] = true
	}
	return next
}

// remove keeps a user out of new tests.
func (u *userPool) remove(user string) {
	u.names = slices.DeleteFunc(slices.Clone(u.names), func(name string) bool { return name == user })
}

// userOf returns the user who makes the test's calls, or any user if all calls are anonymous.
func (u *userPool) userOf(r *rand.Rand, ind *Individual) string {
	for _, c := range ind.calls {
		if c.user != "" {
			return c.user
		}
	}
	return u.any(r)
}

// changeLast lets another user, or the anonymous caller, make the last call of a
// small share of the tests.
func (u *userPool) changeLast(r *rand.Rand, ind *Individual) {
	last := &ind.calls[len(ind.calls)-1]
	last.user = u.other(r, last.user)
}

// change lets another user make the last call or all calls, or the anonymous caller
// the last one.
func (u *userPool) change(r *rand.Rand, ind *Individual) bool {
	if !u.configured() {
		return false
	}
	user, all := u.forOperation(r, ind.calls[len(ind.calls)-1].op.ID), r.IntN(2) == 0
	if r.Float64() < anonymousChance {
		user, all = "", false
	}
	changed := false
	for i := len(ind.calls) - 1; i >= 0 && (all || !changed); i-- {
		if c := &ind.calls[i]; c.user != user {
			c.user, changed = user, true
		}
	}
	return changed
}

// changeCaller lets another user, or the anonymous caller, make a call.
func (u *userPool) changeCaller(r *rand.Rand, ind *Individual, call int) bool {
	c := &ind.calls[call]
	user := u.forOperation(r, c.op.ID)
	if r.Float64() < anonymousChance {
		user = ""
	}
	if c.user == user {
		return false
	}
	c.user = user
	return true
}

// asksAnonymous reports whether the search begins with an anonymous call of an operation: one that should
// be refused according to the spec.
func asksAnonymous(op *model.Operation) bool {
	return op.Secured || len(op.Schemes) > 0 || declares(op, "401")
}
