package rest

import "sonde/model"

// lessons are what the answers so far teach for the next sweeps.
type lessons struct {
	good map[model.OpID]map[string]call // that went well, by user
	once map[model.OpID]bool            // operations that use up what they act on
	// rounds is how often all variations of an operation were swept over.
	rounds map[model.OpID]float64
}

func newLessons() lessons {
	return lessons{map[model.OpID]map[string]call{}, map[model.OpID]bool{}, map[model.OpID]float64{}}
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
		l.good[c.op.ID] = map[string]call{}
	}
	l.good[c.op.ID][c.user], l.good[c.op.ID][anybody] = c, c
}

// proven returns a call of an operation that went well, by a user if there is any,
// else by anybody.
func (l *lessons) proven(op model.OpID, user string) (call, bool) {
	c, ok := l.good[op][user]
	if !ok {
		c, ok = l.good[op][anybody]
	}
	return c, ok
}

// turn is an operation's turn to be swept over.
type turn struct {
	op         model.OpID
	variations int  // of which there are so many
	whole      bool // not of its own calls, but of what it needs
}

// brokenTurn is how much of a round it is to begin one: also what breaks at once had
// its turn.
const brokenTurn = 0.2

// begin counts a sweep that is about to be played.
func (l *lessons) begin(t *turn) { l.rounds[t.op] += t.share(brokenTurn) }

// share is how much a part of a round counts. An operation has its turn less often
// where only what it needs can be varied.
func (t *turn) share(part float64) float64 {
	if t.whole {
		return 3 * part
	}
	return part
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
	if done > 0 && conflicts > 2*done {
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
