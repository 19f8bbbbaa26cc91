package search

import (
	"math"

	"sonde/model"
)

// usageMeter measures the used share of the budget in steps of a thousandth. A run records each step with the
// number of tests asked for. A run that repeats another takes the steps from the other's record, so that
// decisions which depended on time are the same.
type usageMeter struct {
	budget  *budget
	replay  *model.ReplayedRun
	pending []model.Progress // the steps of the repeated run that are still to come
	used    float64
	byTime  bool // the budget is limited by time, or was in the repeated run
}

func newUsageMeter(b *budget, r *model.ReplayedRun) usageMeter {
	if r == nil {
		r = &model.ReplayedRun{}
	}
	return usageMeter{budget: b, replay: r, pending: r.Used, byTime: b.limits.Time > 0 || len(r.Used) > 0}
}

// advance updates the used share and reports whether it has changed. asked is the number of tests asked for.
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

// ended reports whether the run repeats one that ended after this number of tests or fewer.
func (u *usageMeter) ended(asked int) bool { return u.replay.Asked > 0 && asked >= u.replay.Asked }

// portion returns the number of requests in a share of the budget that is used last. If the budget is
// limited by time, it estimates the number from the requests that were sent so far. The estimate does
// not depend on the clock, so a run that is repeated gets the same one. It is halved, so that the
// remaining time is most likely enough.
func (u *usageMeter) portion(share float64) int {
	if u.byTime {
		return int(share / (1 - share) / 2 * float64(u.budget.calls))
	}
	return min(int(share*float64(u.budget.limits.Calls)), u.budget.remaining())
}
