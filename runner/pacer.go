package runner

import (
	"math"

	"sonde/model"
)

// pacer tells how much of the budget is used up, in steps of a thousandth: what
// follows from time is then written down, and can be repeated.
type pacer struct {
	budget *budget
	replay *model.Replay
	used   float64
	timed  bool // the budget is one of time, or was in the run that is repeated
}

func newPacer(b *budget, r *model.Replay) pacer {
	if r == nil {
		r = &model.Replay{}
	}
	return pacer{budget: b, replay: r, timed: b.limits.Time > 0 || len(r.Used) > 0}
}

// move tells whether there is a new value, after so many tests were asked for.
func (p *pacer) move(asked int) bool {
	now := math.Floor(1000*p.budget.used()) / 1000
	if len(p.replay.Used) > 0 {
		now = p.used
		for len(p.replay.Used) > 0 && p.replay.Used[0].Asked <= asked {
			now = p.replay.Used[0].Used
			p.replay.Used = p.replay.Used[1:]
		}
	}
	moved := now != p.used
	p.used = now
	return moved
}

// over tells whether a run that is repeated ended after so many tests.
func (p *pacer) over(asked int) bool { return p.replay.Asked > 0 && asked >= p.replay.Asked }
