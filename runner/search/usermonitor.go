package search

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
)

const (
	// maxChanges bounds the remembered calls that may have ended a user.
	maxChanges = 1000
	// maxEndings bounds how often users are restored.
	maxEndings = 20
	// maxAcceptedReads bounds the operations that are called to check whether a user is accepted, besides the
	// one that refused the user.
	maxAcceptedReads = 3
)

// userMonitor finds out from the answers of one copy of the service whether the service still accepts
// its users. A call has ended a user if the service does not accept the user after the call; the
// monitor finds this call, too. Times are numbers of answered calls. A nil monitor does nothing.
type userMonitor struct {
	resets bool // there is a reset before each test
	users  map[string]*userState
	// protected are the operations that need credentials: the spec says so, they answered 401, or they
	// refused an anonymous call. A 2xx answer of another operation says nothing about a user.
	protected     map[model.OpID]bool
	public        map[model.OpID]bool // operations that accept anonymous calls
	changes       []stateChange
	clock         int // number of answered calls
	topics        map[model.OpID]pathTopic
	loginTested   map[model.OpID]bool // operations on users that have had a call in loginUntested
	loginUntested []stateChange       // calls after which no log-in was tried yet
	blocked       map[string]bool     // requestKey of the requests that must not be sent again
	endings       int                 // number of ended users
	guard         *accountGuard
}

// userState is the state of one user.
type userState struct {
	accepted     map[model.OpID]acceptance // the last acceptance by each operation
	inconsistent map[model.OpID]bool       // operations that refuse the user although other operations accept the user
	refused      int                       // time of the first refusal since a protected operation accepted the user, 0 for none
	refusedBy    model.OpID                // the operation of the first refusal
	refusers     map[model.OpID]bool       // all operations that have refused the user since that acceptance
	unrestorable bool                      // the user was ended and could not be restored
	logsIn       bool                      // the plan has a log-in for the user
	// lockedBy is the call after which log-ins are refused, or nil. The service may still accept credentials from
	// an earlier log-in.
	lockedBy *stateChange
}

// acceptance is a call that was answered 2xx.
type acceptance struct {
	at      int
	request model.Request
}

// stateChange is a call that was answered 2xx or 3xx and may have changed something.
type stateChange struct {
	at         int
	op         model.OpID
	request    string
	aboutUsers bool // whether the path of the operation is about users or sessions
}

// uncertain reports whether another reason than this call may explain a refused user. This is so if the path of the
// call is not about users, or if the call only creates something. The user's credential may then have expired, which
// looks the same.
func (s stateChange) uncertain() bool {
	method, path, _ := strings.Cut(string(s.op), " ")
	makes := method == "POST" && !strings.Contains(path, "{") && !aboutOneself.MatchString(path)
	return !s.aboutUsers || makes
}

// aboutOneself matches a path that is about the caller or the caller's session.
var aboutOneself = regexp.MustCompile(`(?i)passw|session|token|log-?_?out|sign-?_?out|revoke|current|/me(/|$)|/self(/|$)`)

// aboutUsers matches a path that is about users, sessions or credentials.
var aboutUsers = regexp.MustCompile(`(?i)user|account|member|profile|passw|session|token|log-?_?out|sign-?_?out|revoke` +
	`|auth|credential|client|key|admin|role|permission|/me(/|$)|/self(/|$)`)

// endsSession matches the path of a GET that ends a session.
var endsSession = regexp.MustCompile(`(?i)log-?_?out|sign-?_?out|revoke`)

func newUserMonitor(p model.Plan, resets bool) *userMonitor {
	m := &userMonitor{
		resets:      resets,
		users:       map[string]*userState{},
		protected:   map[model.OpID]bool{},
		public:      map[model.OpID]bool{},
		blocked:     map[string]bool{},
		loginTested: map[model.OpID]bool{},
		topics:      map[model.OpID]pathTopic{},
		guard:       newAccountGuard(p, resets),
	}
	for _, u := range p.Users {
		m.users[u.Name] = &userState{
			accepted:     map[model.OpID]acceptance{},
			inconsistent: map[model.OpID]bool{},
			refusers:     map[model.OpID]bool{},
			logsIn:       u.Login != nil,
		}
	}
	for _, op := range p.Spec.Operations {
		if op.Secured {
			m.protected[op.ID] = true
		}
	}
	return m
}

// observe notes facts from the answers to a test: users whom the service accepted and refused, operations that need
// credentials, and calls that may have changed something.
func (u *userMonitor) observe(t model.Test, results []client.CallResult) {
	if u == nil || len(u.users) == 0 {
		return
	}
	changed := false
	for i, r := range results {
		status := r.Exchange.Reply.Status
		if status == 0 {
			continue
		}
		u.clock++
		op, user := t.Calls[i].Op, u.users[t.Calls[i].User]
		switch {
		case status == 401:
			u.protected[op] = true
			if user != nil && !(u.resets && changed) { // otherwise the next reset undoes the change
				user.refuse(op, u.clock)
			}
		case status/100 == 2 && user != nil:
			user.accept(op, u.protected[op], acceptance{at: u.clock, request: r.Exchange.Request})
		}
		u.guard.observe(r.Exchange)
		changed = u.noteChange(op, r.Exchange) || changed
	}
}

func (u *userState) refuse(op model.OpID, clock int) {
	if _, ok := u.accepted[op]; !ok {
		return
	}
	u.refusers[op] = true
	if u.refused == 0 && !u.inconsistent[op] {
		u.refused, u.refusedBy = clock, op
	}
}

func (u *userState) accept(op model.OpID, protected bool, a acceptance) {
	u.accepted[op] = a
	if protected {
		u.refused, u.unrestorable = 0, false
		clear(u.refusers)
	}
}

// noteChange remembers a call if it may have changed something, and reports whether the call may have done so.
func (u *userMonitor) noteChange(op model.OpID, x model.Exchange) bool {
	if k := x.Reply.Status / 100; k != 2 && k != 3 {
		return false
	}
	topic := u.topicOf(op)
	safe := model.IsSafeMethod(x.Request.Method)
	if safe && !topic.session {
		return false
	}
	if len(u.changes) == maxChanges {
		u.changes = slices.Delete(u.changes, 0, maxChanges/2)
	}
	d := stateChange{at: u.clock, op: op, request: requestKey(x.Request), aboutUsers: topic.users}
	u.changes = append(u.changes, d)
	if d.aboutUsers && !u.resets && !u.loginTested[op] {
		u.loginTested[op], u.loginUntested = true, append(u.loginUntested, d)
	}
	return true
}

// pathTopic is what the path of an operation is about: users or sessions, or the end of a session.
type pathTopic struct{ users, session bool }

func (u *userMonitor) topicOf(op model.OpID) pathTopic {
	a, known := u.topics[op]
	if !known {
		a = pathTopic{users: aboutUsers.MatchString(string(op)), session: endsSession.MatchString(string(op))}
		u.topics[op] = a
	}
	return a
}

// loginCandidates returns the users who should log in again, sorted. This new log-in shows whether a call in
// loginUntested has locked the user out.
func (u *userMonitor) loginCandidates() []string {
	if u == nil || len(u.loginUntested) == 0 {
		return nil
	}
	var all []string
	for name, f := range u.users {
		if f.logsIn && f.lockedBy == nil && !f.unrestorable {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// lock notes that a user can no longer log in after the calls in loginUntested. It returns the user as ended
// by the newest of these calls.
func (u *userMonitor) lock(user string) model.EndedUser {
	d := u.loginUntested[len(u.loginUntested)-1]
	u.users[user].lockedBy = &d
	u.blocked[d.request] = true
	return model.EndedUser{
		User:      user,
		EndedBy:   d.op,
		Request:   d.request,
		Likely:    len(u.loginUntested) > 1 || d.uncertain(),
		LockedOut: true,
	}
}

// suspectedUsers returns the users who may have been ended, sorted.
func (u *userMonitor) suspectedUsers() []string {
	if u == nil {
		return nil
	}
	var all []string
	for name, f := range u.users {
		if f.refused > 0 && !f.unrestorable {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// acceptedReads returns some GET requests that the service accepted from a user before. Requests of protected
// operations come first, and newer requests before older ones. If the operation that now refuses the user is a
// GET, its last accepted request comes at the end.
func (u *userMonitor) acceptedReads(user string) []model.Request {
	f := u.users[user]
	reads := func(op model.OpID) bool { return f.accepted[op].request.Method == "GET" }
	ops := slices.DeleteFunc(slices.Collect(maps.Keys(f.accepted)), func(op model.OpID) bool {
		return op == f.refusedBy || f.inconsistent[op] || u.public[op] || !reads(op)
	})
	slices.SortFunc(ops, func(a, b model.OpID) int {
		return cmp.Or(
			-cmp.Compare(boolToInt(u.protected[a]), boolToInt(u.protected[b])),
			-cmp.Compare(f.accepted[a].at, f.accepted[b].at),
		)
	})
	ops = ops[:min(len(ops), maxAcceptedReads)]
	if reads(f.refusedBy) {
		ops = append(ops, f.refusedBy)
	}
	var all []model.Request
	for _, op := range ops {
		all = append(all, f.accepted[op].request)
	}
	return all
}

func (u *userMonitor) refusedBySeveral(user string) bool { return len(u.users[user].refusers) > 1 }

// noteAnonymous notes the status of an anonymous call of an operation.
func (u *userMonitor) noteAnonymous(op model.OpID, status int) {
	u.protected[op] = u.protected[op] || isForbidden(status)
	u.public[op] = status/100 == 2
}

// clearSuspicion notes that a user was not ended, because the operation that refused the user had another reason.
func (u *userMonitor) clearSuspicion(user string) {
	f := u.users[user]
	f.inconsistent[f.refusedBy], f.refused = true, 0
	clear(f.refusers)
}

// markEnded notes that a call ended a user. It returns the user, with the most likely call. back is true if the
// service accepts the user again; after maxEndings ended users, back is ignored and the user counts as lost.
// loggedOut is true if the log-in fails; then the call that ended the user may be older than the last acceptance.
func (u *userMonitor) markEnded(user string, back, loggedOut bool) model.EndedUser {
	f := u.users[user]
	u.endings++
	end := model.EndedUser{User: user, Back: back && u.endings <= maxEndings}
	d, ok := u.likelyCause(f, loggedOut)
	if f.lockedBy != nil {
		d, ok = *f.lockedBy, true
	}
	if ok {
		end.EndedBy, end.Request, end.Likely = d.op, d.request, d.uncertain()
		u.blocked[d.request] = true
	}
	f.unrestorable = !end.Back
	if end.Back {
		f.refused = 0
		clear(f.refusers)
	}
	return end
}

// likelyCause returns the call that most likely ended a user. It looks at the calls after the last acceptance by a
// protected operation and before the first refusal. The cause is the last of these calls that is about users, or else
// the last that may have changed anything. If loggedOut is true, a call about users may also be older than the
// acceptance. likelyCause returns false if there is no such call.
func (u *userMonitor) likelyCause(f *userState, loggedOut bool) (stateChange, bool) {
	from := 0
	for op, a := range f.accepted {
		if u.protected[op] {
			from = max(from, a.at)
		}
	}
	var last stateChange
	for _, d := range slices.Backward(u.changes) {
		between := d.at >= from && d.at < f.refused
		switch {
		case d.at >= f.refused || u.blocked[d.request]:
		case d.aboutUsers && (between || loggedOut):
			return d, true
		case between && last.op == "":
			last = d
		}
	}
	return last, last.op != ""
}

// errEndsUser is the error of a request that is not sent again.
var errEndsUser = fmt.Errorf("%w any more, because it removed or logged out a user", client.ErrBlocked)

// blocks returns why a request must not be sent, or nil.
func (u *userMonitor) blocks(r model.Request) error {
	switch {
	case u == nil:
		return nil
	case len(u.blocked) > 0 && u.blocked[requestKey(r)]:
		return errEndsUser
	case u.guard.blocks(r):
		return errGuarded
	}
	return nil
}

// requestKey returns a request's method and path.
func requestKey(r model.Request) string {
	path, _, _ := strings.Cut(r.URL, "?")
	return r.Method + " " + path
}
