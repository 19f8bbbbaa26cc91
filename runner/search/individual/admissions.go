package individual

import "sonde/model"

// admissions counts how often each operation accepted each user, and how often it refused the user
// with 401 or 403. The anonymous caller is the user "".
type admissions map[admission]tally

// admission is an operation and a user who calls it.
type admission struct {
	op   model.OpID
	user string
}

type tally struct{ accepted, refused int }

// minUserWeight is the minimum weight of a user, however often an operation has refused the user. It is not zero
// because the operation may accept the user in another state of the service.
const minUserWeight = 0.05

// record counts the status with which an operation answered a user. Any status but 401
// and 403 means that the user may call the operation.
func (a admissions) record(op model.OpID, user string, status int) {
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

// weight returns the weight with which a user is drawn for an operation. It is 1 if the operation has
// not answered the user yet, and never 0.
func (a admissions) weight(op model.OpID, user string) float64 {
	t := a[admission{op, user}]
	return max(minUserWeight, float64(t.accepted+1)/float64(t.accepted+t.refused+1))
}

// accepts reports whether an operation has accepted a user.
func (a admissions) accepts(op model.OpID, user string) bool {
	return a[admission{op, user}].accepted > 0
}

// refuses reports whether an operation has refused a user every time.
func (a admissions) refuses(op model.OpID, user string) bool {
	t := a[admission{op, user}]
	return t.refused > 0 && t.accepted == 0
}

// tried reports whether an operation has answered a user at least once.
func (a admissions) tried(op model.OpID, user string) bool {
	return a[admission{op, user}] != tally{}
}
