package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// The probabilities that the last call of a new test is made by a random user, or is anonymous. Otherwise the
// test's user makes the call, even if the spec does not require credentials, because many specs leave security
// out.
const (
	otherUserChance = 0.1
	anonymousChance = 0.05
)

// userPool chooses the users of calls. It prefers users whom the operations have accepted.
type userPool struct {
	names    []string
	admitted admissions
	replaced map[admission]bool // users who were returned by replacement
	anyUser  float64            // see model.Sampling
}

func newUserPool(users []model.User, anyUser float64) *userPool {
	u := &userPool{admitted: admissions{}, replaced: map[admission]bool{}, anyUser: anyUser}
	for _, user := range users {
		u.names = append(u.names, user.Name)
	}
	return u
}

func (u *userPool) configured() bool { return len(u.names) > 0 }

// first returns the first user, or "" if none is configured.
func (u *userPool) first() string {
	if len(u.names) == 0 {
		return ""
	}
	return u.names[0]
}

// any returns a random user, "" if none is configured.
func (u *userPool) any(r *rand.Rand) string {
	if len(u.names) == 0 {
		return ""
	}
	return u.names[r.IntN(len(u.names))]
}

// drawsAny decides at random whether to choose a user without regard to the users whom operations have accepted.
func (u *userPool) drawsAny(r *rand.Rand) bool { return u.anyUser > 0 && r.Float64() < u.anyUser }

// forOperation returns a random user for a test of an operation, more likely one whom the operation accepts.
// It returns "" if no user is configured.
func (u *userPool) forOperation(r *rand.Rand, op model.OpID) string {
	if len(u.names) == 0 {
		return ""
	}
	if u.drawsAny(r) {
		return u.any(r)
	}
	w := newWheel(len(u.names), func(i int) float64 { return u.admitted.weight(op, u.names[i]) })
	return u.names[w.draw(r)]
}

// caller returns the user who calls an operation in a test of the given user. This is the given user, unless the
// operation has always refused that user. Otherwise it is a random user or, rarely, the anonymous caller, so that one
// user can prepare what another user tests. If drawsAny is true, refusals do not matter.
func (u *userPool) caller(r *rand.Rand, op model.OpID, user string) string {
	if len(u.names) == 0 || !u.admitted.refuses(op, user) || u.drawsAny(r) {
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

// anonymousWeight returns the weight of the anonymous caller compared with the users. It is small unless the
// operation has refused all users.
func (u *userPool) anonymousWeight(op model.OpID) float64 {
	weight := u.admitted.weight(op, "")
	for _, name := range u.names {
		if !u.admitted.refuses(op, name) {
			return anonymousChance * weight
		}
	}
	return weight
}

// other returns the given user or, with a small probability, a random user or the anonymous caller. It
// returns "" if no user is configured.
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

// replacement returns the next user whom an operation has not answered yet. It returns each user at most once for an
// operation. It returns "" in these cases: no user is left, the operation has accepted a user, or users are always
// chosen at random (anyUser is 1).
func (u *userPool) replacement(op model.OpID) string {
	next := ""
	if u.anyUser == 1 {
		return ""
	}
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

// userOf returns the user of the first call that is not anonymous, or a random user if all calls are anonymous.
func (u *userPool) userOf(r *rand.Rand, ind *Individual) string {
	for _, c := range ind.calls {
		if c.user != "" {
			return c.user
		}
	}
	return u.any(r)
}

// changeLast changes the user of a test's last call with a small probability; see other.
func (u *userPool) changeLast(r *rand.Rand, ind *Individual) {
	last := &ind.calls[len(ind.calls)-1]
	last.user = u.other(r, last.user)
}

// change gives all calls the same random user, or gives this user to the last call that has another user. Rarely, it
// makes the last call with a user anonymous instead. It changes nothing if no user is configured, or if drawsAny is
// true. It reports whether it changed a call.
func (u *userPool) change(r *rand.Rand, ind *Individual) bool {
	if !u.configured() || u.drawsAny(r) {
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

// changeCaller changes the user of a call, or makes the call anonymous. It reports whether it did.
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

// asksAnonymous reports whether the search begins with an anonymous call of an operation, because the spec
// declares security or the status 401 for the operation.
func asksAnonymous(op *model.Operation) bool {
	return op.Secured || len(op.Schemes) > 0 || declares(op, "401")
}
