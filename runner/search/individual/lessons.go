package individual

import (
	"slices"

	"sonde/model"
)

// lessons hold what earlier answers show that is useful for the next sweeps.
type lessons struct {
	succeeded map[model.OpID]map[string]success // by user; see anyUser
	// consuming are the operations that can act only once on the same thing, such as
	// ordering a cart.
	consuming map[model.OpID]bool
	// rounds is how often all variations of an operation were swept.
	rounds map[model.OpID]float64
}

func newLessons() lessons {
	return lessons{
		succeeded: map[model.OpID]map[string]success{},
		consuming: map[model.OpID]bool{},
		rounds:    map[model.OpID]float64{},
	}
}

// success is a call that succeeded, in its test.
type success struct {
	in *Individual
	at int
}

func (s success) call() call { return s.in.calls[s.at] }

// before returns the calls that the successful call was linked to, directly or not, by
// operation.
func (s success) before() map[model.OpID]call {
	all := map[model.OpID]call{}
	for _, i := range s.in.sources(s.at) {
		all[s.in.calls[i].op.ID] = s.in.calls[i]
	}
	return all
}

// sources returns the calls that a call is linked to, directly or not.
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

// anyUser is the key of the last user whose call succeeded.
const anyUser = "\x00"

// recordSuccess lets later sweeps begin with a call that succeeded. A call with a
// violation does not count.
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

// lastSuccess returns a call of an operation that succeeded, by the user if there is
// one, else by any user.
func (l *lessons) lastSuccess(op model.OpID, user string) (success, bool) {
	s, ok := l.succeeded[op][user]
	if !ok {
		s, ok = l.succeeded[op][anyUser]
	}
	return s, ok
}

// leadingTo returns the calls before the one by which an operation succeeded.
func (l *lessons) leadingTo(op model.OpID, user string) map[model.OpID]call {
	if s, ok := l.lastSuccess(op, user); ok {
		return s.before()
	}
	return map[model.OpID]call{}
}

// sweepPlan is what a sweep goes over, for counting its share of a round.
type sweepPlan struct {
	op         model.OpID
	variations int  // how many there are
	ofNeeded   bool // the varied calls are not those of op, but of an operation that it needs
	steps      int  // of the template of op
}

// startedShare is the share of a round that counts when a sweep begins, so that also an
// operation whose sweeps end at once gives way to others.
const startedShare = 0.2

// beginSweep counts a sweep that is about to be played.
func (l *lessons) beginSweep(s *sweepPlan) { l.rounds[s.op] += s.share(startedShare) }

// share returns how much a part of a round counts. An operation is swept less often
// where only what it needs can be varied, and more often the more it needs: what lies at
// the end of a long chain can be reached in more ways.
func (s *sweepPlan) share(part float64) float64 {
	if s.ofNeeded {
		part *= 3
	}
	return part / float64(s.steps)
}

// recordSweep records the statuses of a sweep. An operation that succeeded once and then
// met conflicts is from now on called on something new each time. It returns how often
// all variations of the operation were swept.
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
