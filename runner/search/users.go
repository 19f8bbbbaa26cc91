package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
)

const (
	// maxChanges is how many calls that may have ended a user are remembered.
	maxChanges = 1000
	// maxEndings is how often users are brought back.
	maxEndings = 20
	// maxWitnesses is how many operations are asked whether they still accept a user.
	maxWitnesses = 3
)

// userMonitor is what the answers of one copy of the service say of whether it still
// accepts its users, and of which call ended one. A nil one does not look.
type userMonitor struct {
	resets bool // before each test
	users  map[string]*userState
	// gates are the operations that are known to refuse callers: that another one
	// answers 2xx says nothing of a user.
	gates         map[model.OpID]bool
	public        map[model.OpID]bool // operations that answer anybody
	changes       []stateChange
	clock         int // answered calls so far
	topics        map[model.OpID]pathTopic
	loginTested   map[model.OpID]bool // operations on users after which users logged in anew once
	loginUntested []stateChange       // calls of operations that were not
	blocked       map[string]bool     // requests that are not sent any more, by requestKey
	endings       int
}

// userState is one user's.
type userState struct {
	accepted     map[model.OpID]acceptance // the last of each operation
	inconsistent map[model.OpID]bool       // that refused the user who was accepted otherwise
	refused      int                       // when the user was first refused since a gate's last acceptance, 0 for not
	refusedBy    model.OpID                // and by which operation
	refusers     map[model.OpID]bool       // all that refused the user since then
	gone         bool                      // and could not be brought back
	logsIn       bool
	// lockedBy is the call since which the log-in is refused, though what an earlier one gave
	// may still be accepted.
	lockedBy *stateChange
}

// acceptance is a call that was answered 2xx.
type acceptance struct {
	at      int
	request model.Request
}

// stateChange is a call that went well and may have changed something.
type stateChange struct {
	at         int
	op         model.OpID
	request    string
	aboutUsers bool // users or sessions, as its path says
}

// uncertain reports whether the call may well be innocent: all that is known of it is its
// time, or it only makes something. A credential that expires looks the same.
func (d stateChange) uncertain() bool {
	method, path, _ := strings.Cut(string(d.op), " ")
	makes := method == "POST" && !strings.Contains(path, "{") && !aboutOneself.MatchString(path)
	return !d.aboutUsers || makes
}

// aboutOneself matches a path that is about the caller or the caller's session.
var aboutOneself = regexp.MustCompile(`(?i)passw|session|token|log-?_?out|sign-?_?out|revoke|current|/me(/|$)|/self(/|$)`)

// aboutUsers matches a path that is about users, sessions or credentials.
var aboutUsers = regexp.MustCompile(`(?i)user|account|member|profile|passw|session|token|log-?_?out|sign-?_?out|revoke|auth|credential|client|key|admin|role|permission|/me(/|$)|/self(/|$)`)

// endsSession matches the path of a GET that ends a session.
var endsSession = regexp.MustCompile(`(?i)log-?_?out|sign-?_?out|revoke`)

func newUserMonitor(p model.Plan, resets bool) *userMonitor {
	s := &userMonitor{
		resets:      resets,
		users:       map[string]*userState{},
		gates:       map[model.OpID]bool{},
		public:      map[model.OpID]bool{},
		blocked:     map[string]bool{},
		loginTested: map[model.OpID]bool{},
		topics:      map[model.OpID]pathTopic{},
	}
	for _, u := range p.Users {
		s.users[u.Name] = &userState{
			accepted:     map[model.OpID]acceptance{},
			inconsistent: map[model.OpID]bool{},
			refusers:     map[model.OpID]bool{},
			logsIn:       u.Login != nil,
		}
	}
	for _, op := range p.Spec.Operations {
		if op.Secured {
			s.gates[op.ID] = true
		}
	}
	return s
}

// observe takes the answers to a test.
func (s *userMonitor) observe(t model.Test, results []client.CallResult) {
	if s == nil || len(s.users) == 0 {
		return
	}
	changed := false
	for i, r := range results {
		status := r.Exchange.Reply.Status
		if status == 0 {
			continue
		}
		s.clock++
		op, user := t.Calls[i].Op, s.users[t.Calls[i].User]
		switch {
		case status == 401:
			s.gates[op] = true
			if user != nil && !(s.resets && changed) { // else the next reset mends it
				user.refuse(op, s.clock)
			}
		case status/100 == 2 && user != nil:
			user.accept(op, s.gates[op], acceptance{at: s.clock, request: r.Exchange.Request})
		}
		changed = s.noteChange(op, r.Exchange) || changed
	}
}

func (f *userState) refuse(op model.OpID, clock int) {
	if _, ok := f.accepted[op]; !ok {
		return
	}
	f.refusers[op] = true
	if f.refused == 0 && !f.inconsistent[op] {
		f.refused, f.refusedBy = clock, op
	}
}

func (f *userState) accept(op model.OpID, gate bool, a acceptance) {
	f.accepted[op] = a
	if gate {
		f.refused, f.gone = 0, false
		clear(f.refusers)
	}
}

// noteChange remembers a call that may have changed something, and reports whether it is one.
func (s *userMonitor) noteChange(op model.OpID, x model.Exchange) bool {
	if k := x.Reply.Status / 100; k != 2 && k != 3 {
		return false
	}
	about := s.topicOf(op)
	safe := slices.Contains([]string{"GET", "HEAD", "OPTIONS"}, x.Request.Method)
	if safe && !about.session {
		return false
	}
	if len(s.changes) == maxChanges {
		s.changes = slices.Delete(s.changes, 0, maxChanges/2)
	}
	d := stateChange{at: s.clock, op: op, request: requestKey(x.Request), aboutUsers: about.users}
	s.changes = append(s.changes, d)
	if d.aboutUsers && !s.resets && !s.loginTested[op] {
		s.loginTested[op], s.loginUntested = true, append(s.loginUntested, d)
	}
	return true
}

// pathTopic is what an operation's path says that it is about.
type pathTopic struct{ users, session bool }

func (s *userMonitor) topicOf(op model.OpID) pathTopic {
	a, known := s.topics[op]
	if !known {
		a = pathTopic{users: aboutUsers.MatchString(string(op)), session: endsSession.MatchString(string(op))}
		s.topics[op] = a
	}
	return a
}

// loginCandidates are the users who should log in anew to find out whether one of the last calls
// keeps them out, in order.
func (s *userMonitor) loginCandidates() []string {
	if s == nil || len(s.loginUntested) == 0 {
		return nil
	}
	var all []string
	for name, f := range s.users {
		if f.logsIn && f.lockedBy == nil && !f.gone {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// lock notes that a user can't log in any more since the last calls of operations on users.
func (s *userMonitor) lock(user string) model.EndedUser {
	d := s.loginUntested[len(s.loginUntested)-1]
	s.users[user].lockedBy = &d
	s.blocked[d.request] = true
	return model.EndedUser{User: user, EndedBy: d.op, Request: d.request, Likely: len(s.loginUntested) > 1 || d.uncertain(), LockedOut: true}
}

// suspects are the users who may have been ended, in order.
func (s *userMonitor) suspects() []string {
	if s == nil {
		return nil
	}
	var all []string
	for name, f := range s.users {
		if f.refused > 0 && !f.gone {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// witnesses are requests that the user was accepted with, of operations that only read:
// the newest of those that are known to refuse others first, and that of the operation
// that now refuses the user last.
func (s *userMonitor) witnesses(user string) []model.Request {
	f := s.users[user]
	reads := func(op model.OpID) bool { return f.accepted[op].request.Method == "GET" }
	ops := slices.DeleteFunc(slices.Collect(maps.Keys(f.accepted)), func(op model.OpID) bool {
		return op == f.refusedBy || f.inconsistent[op] || s.public[op] || !reads(op)
	})
	slices.SortFunc(ops, func(a, b model.OpID) int {
		return cmp.Or(-cmp.Compare(boolToInt(s.gates[a]), boolToInt(s.gates[b])), -cmp.Compare(f.accepted[a].at, f.accepted[b].at))
	})
	ops = ops[:min(len(ops), maxWitnesses)]
	if reads(f.refusedBy) {
		ops = append(ops, f.refusedBy)
	}
	var all []model.Request
	for _, op := range ops {
		all = append(all, f.accepted[op].request)
	}
	return all
}

// refusedBySeveral reports whether more than one operation refuses the user.
func (s *userMonitor) refusedBySeveral(user string) bool { return len(s.users[user].refusers) > 1 }

// noteAnonymous notes the status of an operation that was called anonymously.
func (s *userMonitor) noteAnonymous(op model.OpID, status int) {
	s.gates[op] = s.gates[op] || isForbidden(status)
	s.public[op] = status/100 == 2
}

// acquit takes back that a user is suspected: only one operation refuses the user.
func (s *userMonitor) acquit(user string) {
	f := s.users[user]
	f.inconsistent[f.refusedBy], f.refused = true, 0
	clear(f.refusers)
}

// markEnded notes that a user was ended, and whether the user is back; loggedOut reports
// whether it is the log-in that fails, which may have been so for longer.
func (s *userMonitor) markEnded(user string, back, loggedOut bool) model.EndedUser {
	f := s.users[user]
	s.endings++
	end := model.EndedUser{User: user, Back: back && s.endings <= maxEndings}
	d, ok := s.culprit(f, loggedOut)
	if f.lockedBy != nil {
		d, ok = *f.lockedBy, true
	}
	if ok {
		end.EndedBy, end.Request, end.Likely = d.op, d.request, d.uncertain()
		s.blocked[d.request] = true
	}
	f.gone = !end.Back
	if end.Back {
		f.refused = 0
		clear(f.refusers)
	}
	return end
}

// culprit is the last call that touched users between the last acceptance by a gate and
// the first refusal, or the last that changed anything.
func (s *userMonitor) culprit(f *userState, loggedOut bool) (stateChange, bool) {
	from := 0
	for op, a := range f.accepted {
		if s.gates[op] {
			from = max(from, a.at)
		}
	}
	var last stateChange
	for _, d := range slices.Backward(s.changes) {
		between := d.at >= from && d.at < f.refused
		switch {
		case d.at >= f.refused || s.blocked[d.request]:
		case d.aboutUsers && (between || loggedOut):
			return d, true
		case between && last.op == "":
			last = d
		}
	}
	return last, last.op != ""
}

// blocks reports whether a request is not sent any more.
func (s *userMonitor) blocks(r model.Request) bool {
	return s != nil && len(s.blocked) > 0 && s.blocked[requestKey(r)]
}

// requestKey is a request's method and path.
func requestKey(r model.Request) string {
	path, _, _ := strings.Cut(r.URL, "?")
	return r.Method + " " + path
}

// watchUsers lets the crew find out when a call ends a user, and bring the user back.
func (c *workerPool) watchUsers() {
	for _, w := range c.workers {
		w.users = newUserMonitor(c.plan, c.resets)
	}
}

// restore looks after users whom the last test may have ended, and returns those whom
// it has.
func (c *worker) restore(timed context.Context) (all []model.EndedUser) {
	all = c.tryLogIns(timed)
	for _, user := range c.users.suspects() {
		c.setUp(func() error {
			end, err := c.restoreUser(timed, user)
			switch {
			case err != nil && timed.Err() == nil && !errors.Is(err, client.ErrBudget):
				c.users.acquit(user) // nothing is known, and asking again may be in vain
			case err == nil && end.User != "":
				all = append(all, end)
			}
			return err
		})
		c.tracker.ignoreActivity()
	}
	return all
}

// tryLogIns lets users log in anew after the first call of each operation on users that
// went well, and returns those who can't. A service may accept what it gave before, so that
// nothing else shows it; but tests log in anew.
func (c *worker) tryLogIns(timed context.Context) (all []model.EndedUser) {
	for _, user := range c.users.loginCandidates() {
		c.setUp(func() error {
			err := c.service.Client().TryLogIn(timed, user)
			if _, refused := errors.AsType[*client.LoginError](err); refused {
				all = append(all, c.users.lock(user))
				return nil
			}
			return err
		})
	}
	if c.users != nil {
		c.users.loginUntested = nil
	}
	return all
}

// restoreUser finds out whether the service still accepts a user, and tries to bring
// the user back. The zero Ended is of a user who was not ended.
func (c *worker) restoreUser(ctx context.Context, user string) (end model.EndedUser, err error) {
	made, accepted, loggedOut, err := c.tryUser(ctx, user)
	switch {
	case err != nil:
		return end, err
	case accepted && !made:
		c.users.acquit(user)
		return end, nil
	case !accepted && c.service.CanReset():
		if err := c.service.Reset(ctx); err != nil {
			return end, err
		}
		c.service.Client().NoteReset()
		c.unchangedTests = 0
		_, accepted, _, err = c.tryUser(ctx, user)
		if err != nil {
			return end, err
		}
	}
	return c.users.markEnded(user, accepted, loggedOut), nil
}

// tryUser makes the user, logs in anew and finds out whether the user is accepted.
func (c *worker) tryUser(ctx context.Context, user string) (made, accepted, loggedOut bool, err error) {
	made, err = c.service.Client().RestoreUser(ctx, user)
	if _, refused := errors.AsType[*client.LoginError](err); refused {
		return made, false, true, nil
	}
	if err != nil {
		return false, false, false, err
	}
	accepted, err = c.accepts(ctx, user)
	return made, accepted, false, err
}

// accepts reports whether the service accepts a user by operations that refuse others.
func (c *worker) accepts(ctx context.Context, user string) (bool, error) {
	for _, r := range c.users.witnesses(user) {
		x := c.service.Client().SendAs(ctx, user, r)
		switch {
		case x.Err != nil:
			return false, x.Err
		case x.Reply.Status == 401:
			return false, nil
		case c.users.gates[r.Op]:
			return true, nil
		}
		x = c.service.Client().Send(ctx, r)
		if x.Err != nil {
			return false, x.Err
		}
		c.users.noteAnonymous(r.Op, x.Reply.Status)
		if c.users.gates[r.Op] {
			return true, nil
		}
	}
	return !c.users.refusedBySeveral(user), nil
}

// noteEnded keeps who was ended by what, and reports whether that is new.
func (j *judge) noteEnded(end model.EndedUser) bool {
	if slices.Contains(j.ended, end) {
		return false
	}
	j.ended = slices.DeleteFunc(j.ended, func(e model.EndedUser) bool { return e.LockedOut && e.User == end.User })
	j.ended = append(j.ended, end)
	return true
}

// locksOut says which user a test keeps from logging in, "" if none: tests that are played
// after it fail.
func (j *judge) locksOut(t model.Test) string {
	for _, end := range j.ended {
		if end.LockedOut && slices.ContainsFunc(t.Calls, func(call model.Call) bool { return call.Op == end.EndedBy && call.Status/100 == 2 }) {
			return fmt.Sprintf("%s keeps the user %q from logging in", end.EndedBy, end.User)
		}
	}
	return ""
}

// endsUser reports whether a test calls an operation that ended a user: such a request may
// not be sent any more.
func (j *judge) endsUser(t model.Test) bool {
	return slices.ContainsFunc(j.ended, func(end model.EndedUser) bool {
		return slices.ContainsFunc(t.Calls, func(call model.Call) bool { return call.Op == end.EndedBy })
	})
}

// hasUsersLeft reports whether some user is not gone.
func (j *judge) hasUsersLeft() bool {
	return slices.ContainsFunc(j.plan.Users, func(u model.User) bool { return !j.lostUser(u.Name) })
}

// lostUser reports whether a user was ended and could not be brought back.
func (j *judge) lostUser(user string) bool {
	return slices.ContainsFunc(j.ended, func(end model.EndedUser) bool { return end.User == user && !end.Back && !end.LockedOut })
}
