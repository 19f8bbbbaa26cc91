package rest

import (
	"slices"

	"sonde/model"
)

// lessons are what the answers so far teach for the next sweeps.
type lessons struct {
	good map[model.OpID]map[string]proof // that went well, by user
	once map[model.OpID]bool             // operations that use up what they act on
	// rounds is how often all variations of an operation were swept over.
	rounds map[model.OpID]float64
}

func newLessons() lessons {
	return lessons{good: map[model.OpID]map[string]proof{}, once: map[model.OpID]bool{}, rounds: map[model.OpID]float64{}}
}

// proof is a call that went well.
type proof struct {
	in *Individual
	at int
}

func (p proof) call() call { return p.in.calls[p.at] }

// before are the calls that what went well was linked to, and those that they
// were, by operation.
func (p proof) before() map[model.OpID]call {
	all := map[model.OpID]call{}
	for _, i := range p.in.needs(p.at) {
		all[p.in.calls[i].op.ID] = p.in.calls[i]
	}
	return all
}

// needs are the calls that one is linked to, and those that they are.
func (ind *Individual) needs(at int) []int {
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

// anybody stands for the last user whose call went well.
const anybody = "\x00"

// Prove lets later sweeps begin with a call that went well.
func (l *lessons) Prove(ind *Individual, i int) {
	c := ind.calls[i]
	if c.flaw.in != "" {
		return
	}
	if l.good[c.op.ID] == nil {
		l.good[c.op.ID] = map[string]proof{}
	}
	l.good[c.op.ID][c.user], l.good[c.op.ID][anybody] = proof{ind, i}, proof{ind, i}
}

// proven returns a call of an operation that went well, by a user if there is any,
// else by anybody.
func (l *lessons) proven(op model.OpID, user string) (proof, bool) {
	p, ok := l.good[op][user]
	if !ok {
		p, ok = l.good[op][anybody]
	}
	return p, ok
}

// led are the calls by which one of an operation went well.
func (l *lessons) led(op model.OpID, user string) map[model.OpID]call {
	if p, ok := l.proven(op, user); ok {
		return p.before()
	}
	return map[model.OpID]call{}
}

// turn is an operation's turn to be swept over.
type turn struct {
	op         model.OpID
	variations int  // of which there are so many
	whole      bool // not of its own calls, but of what it needs
	steps      int  // of its template
}

// brokenTurn is how much of a round it is to begin one: also what breaks at once had
// its turn.
const brokenTurn = 0.2

// begin counts a sweep that is about to be played.
func (l *lessons) begin(t *turn) { l.rounds[t.op] += t.share(brokenTurn) }

// share is how much a part of a round counts. An operation has its turn less often
// where only what it needs can be varied, and more often the more it needs: what
// lies behind a long chain can be met in more ways.
func (t *turn) share(part float64) float64 {
	if t.whole {
		part *= 3
	}
	return part / float64(t.steps)
}

// Swept takes the statuses of a sweep. What could be done once and then met with a
// conflict is to be done to something new each time. It returns how often all
// variations of the operation were swept over.
func (l *lessons) Swept(ind *Individual, statuses []int) float64 {
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
		l.once[ind.target] = true
	}
	l.rounds[ind.turn.op] += ind.turn.share(float64(calls) / float64(max(1, ind.turn.variations)))
	return l.rounds[ind.turn.op]
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
