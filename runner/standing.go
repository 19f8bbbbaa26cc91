package runner

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/client"
)

const (
	// mostDeeds is how many calls that may have ended a user are remembered.
	mostDeeds = 1000
	// mostEnds is how often users are brought back.
	mostEnds = 20
	// mostWitnesses is how many operations are asked whether they still accept a user.
	mostWitnesses = 3
)

// standing is what the answers of one copy of the service say of whether it still
// accepts its users, and of which call ended one. A nil one does not look.
type standing struct {
	resets bool // before each test
	users  map[string]*footing
	// gates are the operations that are known to refuse callers: that another one
	// answers 2xx says nothing of a user.
	gates  map[model.OpID]bool
	public map[model.OpID]bool // operations that answer anybody
	deeds  []deed
	clock  int // answered calls so far
	abouts map[model.OpID]about
	tried  map[model.OpID]bool // operations on users after which users logged in anew once
	untry  []deed              // calls of operations that were not
	barred map[string]bool     // requests that are not sent any more, by requestKey
	ends   int
}

// footing is one user's.
type footing struct {
	accepted map[model.OpID]acceptance // the last of each operation
	moody    map[model.OpID]bool       // that refused the user who was accepted otherwise
	refused  int                       // when the user was first refused since a gate's last acceptance, 0 for not
	at       model.OpID                // and by which operation
	refusers map[model.OpID]bool       // all that refused the user since then
	gone     bool                      // and could not be brought back
	logsIn   bool
	// lockedBy is the call since which the log-in is refused, though what an earlier one gave
	// may still be accepted.
	lockedBy *deed
}

// acceptance is a call that was answered 2xx.
type acceptance struct {
	at      int
	request model.Request
}

// deed is a call that went well and may have changed something.
type deed struct {
	at      int
	op      model.OpID
	request string
	touches bool // users or sessions, as its path says
}

// plain reports whether the call may well be innocent: all that is known of it is its
// time, or it only makes something. A credential that expires looks the same.
func (d deed) plain() bool {
	method, path, _ := strings.Cut(string(d.op), " ")
	makes := method == "POST" && !strings.Contains(path, "{") && !aboutOneself.MatchString(path)
	return !d.touches || makes
}

// aboutOneself matches a path that is about the caller or the caller's session.
var aboutOneself = regexp.MustCompile(`(?i)passw|session|token|log-?_?out|sign-?_?out|revoke|current|/me(/|$)|/self(/|$)`)

// aboutUsers matches a path that is about users, sessions or credentials.
var aboutUsers = regexp.MustCompile(`(?i)user|account|member|profile|passw|session|token|log-?_?out|sign-?_?out|revoke|auth|credential|client|key|admin|role|permission|/me(/|$)|/self(/|$)`)

// endsSession matches the path of a GET that ends a session.
var endsSession = regexp.MustCompile(`(?i)log-?_?out|sign-?_?out|revoke`)

func newStanding(p model.Plan, resets bool) *standing {
	s := &standing{resets: resets, users: map[string]*footing{}, gates: map[model.OpID]bool{}, public: map[model.OpID]bool{}, barred: map[string]bool{}, tried: map[model.OpID]bool{}, abouts: map[model.OpID]about{}}
	for _, u := range p.Users {
		s.users[u.Name] = &footing{accepted: map[model.OpID]acceptance{}, moody: map[model.OpID]bool{}, refusers: map[model.OpID]bool{}, logsIn: u.Login != nil}
	}
	for _, op := range p.Spec.Operations {
		if op.Secured {
			s.gates[op.ID] = true
		}
	}
	return s
}

// see takes the answers to a test.
func (s *standing) see(t model.Test, results []client.Result) {
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
		changed = s.note(op, r.Exchange) || changed
	}
}

func (f *footing) refuse(op model.OpID, clock int) {
	if _, ok := f.accepted[op]; !ok {
		return
	}
	f.refusers[op] = true
	if f.refused == 0 && !f.moody[op] {
		f.refused, f.at = clock, op
	}
}

func (f *footing) accept(op model.OpID, gate bool, a acceptance) {
	f.accepted[op] = a
	if gate {
		f.refused, f.gone = 0, false
		clear(f.refusers)
	}
}

// note remembers a call that may have changed something, and reports whether it is one.
func (s *standing) note(op model.OpID, x model.Exchange) bool {
	if k := x.Reply.Status / 100; k != 2 && k != 3 {
		return false
	}
	about := s.aboutOf(op)
	safe := slices.Contains([]string{"GET", "HEAD", "OPTIONS"}, x.Request.Method)
	if safe && !about.session {
		return false
	}
	if len(s.deeds) == mostDeeds {
		s.deeds = slices.Delete(s.deeds, 0, mostDeeds/2)
	}
	d := deed{at: s.clock, op: op, request: requestKey(x.Request), touches: about.users}
	s.deeds = append(s.deeds, d)
	if d.touches && !s.resets && !s.tried[op] {
		s.tried[op], s.untry = true, append(s.untry, d)
	}
	return true
}

// about is what an operation's path says that it is about.
type about struct{ users, session bool }

func (s *standing) aboutOf(op model.OpID) about {
	a, known := s.abouts[op]
	if !known {
		a = about{users: aboutUsers.MatchString(string(op)), session: endsSession.MatchString(string(op))}
		s.abouts[op] = a
	}
	return a
}

// toTry are the users who should log in anew to find out whether one of the last calls
// keeps them out, in order.
func (s *standing) toTry() []string {
	if s == nil || len(s.untry) == 0 {
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
func (s *standing) lock(user string) model.Ended {
	d := s.untry[len(s.untry)-1]
	s.users[user].lockedBy = &d
	s.barred[d.request] = true
	return model.Ended{User: user, By: d.op, Request: d.request, Likely: len(s.untry) > 1 || d.plain(), LockedOut: true}
}

// suspects are the users who may have been ended, in order.
func (s *standing) suspects() []string {
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
func (s *standing) witnesses(user string) []model.Request {
	f := s.users[user]
	reads := func(op model.OpID) bool { return f.accepted[op].request.Method == "GET" }
	ops := slices.DeleteFunc(slices.Collect(maps.Keys(f.accepted)), func(op model.OpID) bool {
		return op == f.at || f.moody[op] || s.public[op] || !reads(op)
	})
	slices.SortFunc(ops, func(a, b model.OpID) int {
		return cmp.Or(-cmp.Compare(one(s.gates[a]), one(s.gates[b])), -cmp.Compare(f.accepted[a].at, f.accepted[b].at))
	})
	ops = ops[:min(len(ops), mostWitnesses)]
	if reads(f.at) {
		ops = append(ops, f.at)
	}
	var all []model.Request
	for _, op := range ops {
		all = append(all, f.accepted[op].request)
	}
	return all
}

// several reports whether more than one operation refuses the user.
func (s *standing) several(user string) bool { return len(s.users[user].refusers) > 1 }

// open notes the status of an operation that was called anonymously.
func (s *standing) open(op model.OpID, status int) {
	s.gates[op] = s.gates[op] || forbidden(status)
	s.public[op] = status/100 == 2
}

// clear takes back that a user is suspected: only one operation refuses the user.
func (s *standing) clear(user string) {
	f := s.users[user]
	f.moody[f.at], f.refused = true, 0
	clear(f.refusers)
}

// end notes that a user was ended, and whether the user is back; loggedOut reports
// whether it is the log-in that fails, which may have been so for longer.
func (s *standing) end(user string, back, loggedOut bool) model.Ended {
	f := s.users[user]
	s.ends++
	end := model.Ended{User: user, Back: back && s.ends <= mostEnds}
	d, ok := s.culprit(f, loggedOut)
	if f.lockedBy != nil {
		d, ok = *f.lockedBy, true
	}
	if ok {
		end.By, end.Request, end.Likely = d.op, d.request, d.plain()
		s.barred[d.request] = true
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
func (s *standing) culprit(f *footing, loggedOut bool) (deed, bool) {
	from := 0
	for op, a := range f.accepted {
		if s.gates[op] {
			from = max(from, a.at)
		}
	}
	var last deed
	for _, d := range slices.Backward(s.deeds) {
		between := d.at >= from && d.at < f.refused
		switch {
		case d.at >= f.refused || s.barred[d.request]:
		case d.touches && (between || loggedOut):
			return d, true
		case between && last.op == "":
			last = d
		}
	}
	return last, last.op != ""
}

// bars reports whether a request is not sent any more.
func (s *standing) bars(r model.Request) bool {
	return s != nil && len(s.barred) > 0 && s.barred[requestKey(r)]
}

// requestKey is a request's method and path.
func requestKey(r model.Request) string {
	path, _, _ := strings.Cut(r.URL, "?")
	return r.Method + " " + path
}
