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
	script []model.Progress // of the run that is repeated, what is still to come
	used   float64
	timed  bool // the budget is one of time, or was in the run that is repeated
}

func newPacer(b *budget, r *model.Replay) pacer {
	if r == nil {
		r = &model.Replay{}
	}
	return pacer{budget: b, replay: r, script: r.Used, timed: b.limits.Time > 0 || len(r.Used) > 0}
}

// move reports whether there is a new value, after so many tests were asked for.
func (p *pacer) move(asked int) bool {
	now := p.now(asked)
	moved := now != p.used
	p.used = now
	return moved
}

func (p *pacer) now(asked int) float64 {
	if len(p.replay.Used) == 0 {
		return math.Floor(1000*p.budget.used()) / 1000
	}
	now := p.used
	for len(p.script) > 0 && p.script[0].Asked <= asked {
		now, p.script = p.script[0].Used, p.script[1:]
	}
	return now
}

// over reports whether a run that is repeated ended after so many tests.
func (p *pacer) over(asked int) bool { return p.replay.Asked > 0 && asked >= p.replay.Asked }
