package search

import (
	"math"

	"sonde/model"
)

// usageMeter measures the used budget in steps of a thousandth. Decisions that depend on time are
// made at these steps, which are recorded, so that the run can be repeated.
type usageMeter struct {
	budget *budget
	replay *model.ReplayedRun
	script []model.Progress // of the repeated run: what is still to come
	used   float64
	byTime bool // the budget is limited by time, or was in the repeated run
}

func newUsageMeter(b *budget, r *model.ReplayedRun) usageMeter {
	if r == nil {
		r = &model.ReplayedRun{}
	}
	return usageMeter{budget: b, replay: r, script: r.Used, byTime: b.limits.Time > 0 || len(r.Used) > 0}
}

// advance reports whether the value changed, given the number of tests asked for.
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

// ended reports whether the repeated run ended after this number of tests.
func (p *usageMeter) ended(asked int) bool { return p.replay.Asked > 0 && asked >= p.replay.Asked }

// portion returns the number of requests in the last share of the budget. If the budget is limited
// by time, the number is estimated from the requests sent so far, so that it is the same when the
// run is repeated, and halved, so that the time does not end before.
func (p *usageMeter) portion(share float64) int {
	if p.byTime {
		return int(share / (1 - share) / 2 * float64(p.budget.calls))
	}
	return min(int(share*float64(p.budget.limits.Calls)), p.budget.remaining())
}
