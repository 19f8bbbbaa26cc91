package search

import (
	"math"

	"sonde/model"
)

// usageMeter measures the used budget in steps of a thousandth. Decisions that depend on time are
// made at these steps, which are recorded, so that the run can be repeated.
type usageMeter struct {
	budget  *budget
	replay  *model.ReplayedRun
	pending []model.Progress // of the repeated run: what is still to come
	used    float64
	byTime  bool // the budget is limited by time, or was in the repeated run
}

func newUsageMeter(b *budget, r *model.ReplayedRun) usageMeter {
	if r == nil {
		r = &model.ReplayedRun{}
	}
	return usageMeter{budget: b, replay: r, pending: r.Used, byTime: b.limits.Time > 0 || len(r.Used) > 0}
}

// advance reports whether the value changed, given the number of tests asked for.
func (u *usageMeter) advance(asked int) bool {
	now := u.stepShare(asked)
	moved := now != u.used
	u.used = now
	return moved
}

func (u *usageMeter) stepShare(asked int) float64 {
	if len(u.replay.Used) == 0 {
		return math.Floor(1000*u.budget.usedShare()) / 1000
	}
	now := u.used
	for len(u.pending) > 0 && u.pending[0].Asked <= asked {
		now, u.pending = u.pending[0].Used, u.pending[1:]
	}
	return now
}

// ended reports whether the repeated run ended after this number of tests.
func (u *usageMeter) ended(asked int) bool { return u.replay.Asked > 0 && asked >= u.replay.Asked }

// portion returns the number of requests in the last share of the budget. If the budget is limited
// by time, the number is estimated from the requests sent so far, so that it is the same when the
// run is repeated, and halved, so that the time does not end before.
func (u *usageMeter) portion(share float64) int {
	if u.byTime {
		return int(share / (1 - share) / 2 * float64(u.budget.calls))
	}
	return min(int(share*float64(u.budget.limits.Calls)), u.budget.remaining())
}
