package search

import (
	"math"

	"sonde/model"
)

// usageMeter tells how much of the budget is used up, in steps of a thousandth: what
// follows from time is then written down, and can be repeated.
type usageMeter struct {
	budget *budget
	replay *model.Replay
	script []model.Progress // of the run that is repeated, what is still to come
	used   float64
	byTime bool // the budget is one of time, or was in the run that is repeated
}

func newUsageMeter(b *budget, r *model.Replay) usageMeter {
	if r == nil {
		r = &model.Replay{}
	}
	return usageMeter{budget: b, replay: r, script: r.Used, byTime: b.limits.Time > 0 || len(r.Used) > 0}
}

// advance reports whether there is a new value, after so many tests were asked for.
func (p *usageMeter) advance(asked int) bool {
	now := p.current(asked)
	moved := now != p.used
	p.used = now
	return moved
}

func (p *usageMeter) current(asked int) float64 {
	if len(p.replay.Used) == 0 {
		return math.Floor(1000*p.budget.usedShare()) / 1000
	}
	now := p.used
	for len(p.script) > 0 && p.script[0].Asked <= asked {
		now, p.script = p.script[0].Used, p.script[1:]
	}
	return now
}

// ended reports whether a run that is repeated ended after so many tests.
func (p *usageMeter) ended(asked int) bool { return p.replay.Asked > 0 && asked >= p.replay.Asked }

// portion is the number of requests in the last share of the budget. Where that
// is one of time, it follows from how many have been sent before, which is the
// same when the run is repeated; and it is half of that, so that the time is not
// over before.
func (p *usageMeter) portion(share float64) int {
	if p.byTime {
		return int(share / (1 - share) / 2 * float64(p.budget.calls))
	}
	return min(int(share*float64(p.budget.limits.Calls)), p.budget.remaining())
}
