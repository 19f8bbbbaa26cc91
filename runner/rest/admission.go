package rest

import "sonde/model"

// admissions count how often each operation accepted each user, and refused them
// by 401 or 403. The anonymous caller is the user "".
type admissions map[admission]tally

type admission struct {
	op   model.OpID
	user string
}

type tally struct{ accepted, refused int }

// leastWeight is that of a user whom an operation always refuses: it may accept the
// user in another state.
const leastWeight = 0.05

// Admit takes the status by which an operation answered a user. Any status but 401
// and 403 says that the user may call it.
func (a admissions) Admit(op model.OpID, user string, status int) {
	key := admission{op, user}
	t := a[key]
	switch {
	case status <= 0:
		return
	case status == 401 || status == 403:
		t.refused++
	default:
		t.accepted++
	}
	a[key] = t
}

// weight is how likely a user is drawn for an operation relative to others: 1 where
// nothing is known, and never 0.
func (a admissions) weight(op model.OpID, user string) float64 {
	t := a[admission{op, user}]
	return max(leastWeight, float64(t.accepted+1)/float64(t.accepted+t.refused+1))
}

// refuses reports whether an operation has refused a user each time.
func (a admissions) refuses(op model.OpID, user string) bool {
	t := a[admission{op, user}]
	return t.refused > 0 && t.accepted == 0
}

// tried reports whether an operation has answered a user.
func (a admissions) tried(op model.OpID, user string) bool {
	return a[admission{op, user}] != tally{}
}

// ByNextUser returns a test whose call was refused with that call made by the next
// user whom its operation has not answered yet. It returns nil where there is none,
// and where the operation has accepted a user. The other calls keep their user, whose
// test may only need to be set up by another.
func (p *Problem) ByNextUser(ind *Individual, call int) *Individual {
	op := ind.calls[call].op.ID
	if ind.calls[call].user == "" {
		return nil
	}
	next := ""
	for _, u := range p.users {
		key := admission{op, u}
		switch {
		case p.admissions[key].accepted > 0:
			return nil
		case next == "" && !p.admissions.tried(op, u) && !p.stoodIn[key]:
			next = u
		}
	}
	if next == "" {
		return nil
	}
	p.stoodIn[admission{op, next}] = true
	c := ind.clone()
	c.calls[call].user, c.change = next, changedUser
	return c
}
