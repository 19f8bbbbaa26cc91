package rest

import "sonde/model"

// lessons are what the answers so far teach for the next sweeps.
type lessons struct {
	good  map[model.OpID]map[string]call // that went well, by user
	once  map[model.OpID]bool            // operations that use up what they act on
	swept map[model.OpID]int             // calls of the sweeps over an operation
}

func newLessons() lessons {
	return lessons{map[model.OpID]map[string]call{}, map[model.OpID]bool{}, map[model.OpID]int{}}
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

// Swept takes the statuses of a sweep. What could be done once and then met with a
// conflict is to be done to something new each time.
func (l *lessons) Swept(ind *Individual, statuses []int) {
	done, conflicts := 0, 0
	for i, status := range statuses {
		switch {
		case ind.calls[i].op.ID != ind.target:
		case status/100 == 2:
			done++
		case status == 409:
			conflicts++
		}
	}
	if done > 0 && conflicts > 2*done {
		l.once[ind.target] = true
	}
}

// note counts the calls of a sweep for the operation whose turn it was. It has
// its turn less often where only what it needs could be varied.
func (l *lessons) note(op model.OpID, s *sweeping) {
	n := len(s.ind.calls)
	if s.of.Target() != op {
		n *= 3
	}
	l.swept[op] += n
}
