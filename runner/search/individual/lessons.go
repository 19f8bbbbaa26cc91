package individual

import (
	"slices"

	"sonde/model"
)

// lessons has facts from earlier answers that determine the next sweeps.
type lessons struct {
	succeeded map[model.OpID]map[string]success // operation → user → last successful call; see anyUser
	// consuming are the operations that succeed only once on the same resource, such as ordering a cart.
	consuming map[model.OpID]bool
	// rounds is how often all variations of an operation were swept. A partial sweep counts as a fraction.
	rounds map[model.OpID]float64
}

func newLessons() lessons {
	return lessons{
		succeeded: map[model.OpID]map[string]success{},
		consuming: map[model.OpID]bool{},
		rounds:    map[model.OpID]float64{},
	}
}

// success is a successful call of an individual. at is the index of the call.
type success struct {
	in *Individual
	at int
}

func (s success) call() call { return s.in.calls[s.at] }

// before returns the calls from which the successful call took values, directly or through other calls. The keys are
// the operations of these calls.
func (s success) before() map[model.OpID]call {
	all := map[model.OpID]call{}
	for _, i := range s.in.sources(s.at) {
		all[s.in.calls[i].op.ID] = s.in.calls[i]
	}
	return all
}

// sources returns the indexes of the calls from which a call takes values, directly or through other calls.
func (ind *Individual) sources(at int) []int {
	var all []int
	for next := []int{at}; len(next) > 0; next = next[1:] {
		for _, l := range ind.links {
			if l.To == next[0] && !slices.Contains(all, l.From) {
				all, next = append(all, l.From), append(next, l.From)
			}
		}
	}
	return all
}

// anyUser is the key of an operation's last success, whoever made the call.
const anyUser = "\x00"

// recordSuccess keeps a call that succeeded, so that later sweeps can begin with its values. It ignores a call
// with a violation.
func (l *lessons) recordSuccess(ind *Individual, i int) {
	c := ind.calls[i]
	if c.violation.in != "" {
		return
	}
	byUser := l.succeeded[c.op.ID]
	if byUser == nil {
		byUser = map[string]success{}
		l.succeeded[c.op.ID] = byUser
	}
	byUser[c.user], byUser[anyUser] = success{ind, i}, success{ind, i}
}

// lastSuccess returns the last successful call of an operation by a user, or else by any user. It returns
// false if no call of the operation succeeded.
func (l *lessons) lastSuccess(op model.OpID, user string) (success, bool) {
	s, ok := l.succeeded[op][user]
	if !ok {
		s, ok = l.succeeded[op][anyUser]
	}
	return s, ok
}

// hasSucceeded reports whether a call of an operation succeeded.
func (l *lessons) hasSucceeded(op model.OpID) bool { return len(l.succeeded[op]) > 0 }

// callsBefore returns the calls from which the last successful call of an operation took values. The keys are the
// operations of these calls.
func (l *lessons) callsBefore(op model.OpID, user string) map[model.OpID]call {
	if s, ok := l.lastSuccess(op, user); ok {
		return s.before()
	}
	return map[model.OpID]call{}
}

// sweepPlan says what a sweep varies. It is used to compute the sweep's share of a round.
type sweepPlan struct {
	op         model.OpID
	variations int        // number of all variations; a sweep tries some of them
	ofNeeded   bool       // the sweep varies calls of an operation that op needs, instead of calls of op
	steps      int        // number of steps of the template of op
	kinds      []edgeKind // edge case of each call of a negative test, zero for calls before the target; nil for other sweeps
	proven     bool       // the target of a negative test succeeded before
}

// startedShare is the share of a round that is counted when a sweep begins. Because of it, an operation whose
// sweeps always end early is not swept all the time.
const startedShare = 0.2

// beginSweep counts a sweep that is about to be played.
func (l *lessons) beginSweep(s *sweepPlan) { l.rounds[s.op] += s.share(startedShare) }

// share returns how much a part of a round counts. The more it counts, the less often op is swept. It counts three
// times if the sweep varies an operation that op needs. It counts less for a template with more steps, because an
// operation with many steps before it can be called in more ways.
func (s *sweepPlan) share(part float64) float64 {
	if s.ofNeeded {
		part *= 3
	}
	return part / float64(s.steps)
}

// recordSweep records the statuses of a sweep, and returns how often all variations of the sweep's
// operation were swept. It marks the varied operation as consuming if it answered 409 at least three
// times, and more than twice as often as 2xx.
func (l *lessons) recordSweep(ind *Individual, statuses []int) float64 {
	calls, done, conflicts := 0, 0, 0
	for i, status := range statuses {
		if ind.calls[i].op.ID != ind.target {
			continue
		}
		calls++
		done += one(status/100 == 2)
		conflicts += one(status == 409)
	}
	if conflicts > 2*max(1, done) {
		l.consuming[ind.target] = true
	}
	s := ind.sweep
	l.rounds[s.op] += s.share(float64(calls) / float64(max(1, s.variations)))
	return l.rounds[s.op]
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
