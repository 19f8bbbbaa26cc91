package search

import (
	"math"

	"sonde/model"
)

// usageMeter measures the used share of the budget in steps of a thousandth. A run records each step with the number
// of tests asked for and the number of requests. A run that repeats another run takes the steps from the record of
// that run, not from the clock. Decisions that depended on time are therefore the same.
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
	m := usageMeter{budget: b, replay: r, pending: r.Used, byTime: b.limits.Time > 0 || len(r.Used) > 0}
	if len(r.Used) > 0 {
		b.limits.Time = 0
	}
	return m
}

// advance updates the used share and reports whether it has changed. asked is the number of tests asked for.
func (u *usageMeter) advance(asked int) bool {
	before := u.used
	u.used = u.stepShare(asked)
	return u.used != before
}

func (u *usageMeter) stepShare(asked int) float64 {
	if len(u.replay.Used) == 0 {
		return math.Floor(1000*u.budget.usedShare()) / 1000
	}
	for len(u.pending) > 0 && u.isDue(u.pending[0], asked) {
		u.takeStep()
	}
	return u.used
}

// isDue reports whether this run has come as far as a step of the repeated run: first the numbers of tests asked for
// are compared, then the numbers of requests.
func (u *usageMeter) isDue(step model.Progress, asked int) bool {
	return step.Asked < asked || step.Asked == asked && step.Call <= u.budget.calls
}

// takeStep takes the next step of the repeated run. The time is up when that run had used its whole budget.
func (u *usageMeter) takeStep() {
	u.used, u.pending = u.pending[0].Used, u.pending[1:]
	u.budget.timeIsUp = u.used >= 1
}

// finish takes the remaining steps of the repeated run. Steps remain if the time of the repeated run ended during a
// test. The repeated run did not judge that test, and the present run does not ask for it.
func (u *usageMeter) finish() {
	for len(u.pending) > 0 {
		u.takeStep()
	}
}

// ended reports whether this run repeats another run and has asked for as many tests as that run.
func (u *usageMeter) ended(asked int) bool { return u.replay.Asked > 0 && asked >= u.replay.Asked }

// portion returns the number of requests in a share of the budget, at most those that remain.
//
// If the budget is limited by time, portion estimates the number. It assumes that the requests so far have used the
// whole budget except this share. The estimate does not depend on the clock, so that a repeated run gets the same
// number. portion halves the estimate, so that the remaining time is most likely enough.
func (u *usageMeter) portion(share float64) int {
	if u.byTime {
		return int(share / (1 - share) / 2 * float64(u.budget.calls))
	}
	return min(int(share*float64(u.budget.limits.Calls)), u.budget.remaining())
}
