package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/target/client"
)

// Attempt is how the calling of a seq went, in the try that came furthest: the
// values that were sent, and the statuses that came.
type Attempt struct{ model.Test }

// FirstFailure returns the index of the first call that was not answered 2xx, or the
// number of calls where all were.
func (a Attempt) FirstFailure() int {
	for i, c := range a.Calls {
		if c.Status/100 != 2 {
			return i
		}
	}
	return len(a.Calls)
}

// Completed tells that the seq was run whole: every call but the last was answered
// 2xx, and the last at all.
func (a Attempt) Completed() bool {
	last := len(a.Calls) - 1
	return a.FirstFailure() >= last && a.Calls[last].Status > 0
}

// Succeeded tells that every call was answered 2xx.
func (a Attempt) Succeeded() bool { return a.FirstFailure() == len(a.Calls) }

// furtherThan reports whether more calls went well one after the other, or the
// next at least got an answer.
func (a Attempt) furtherThan(b Attempt) bool {
	x, y := a.FirstFailure(), b.FirstFailure()
	return x > y || x == y && x < len(a.Calls) && a.Calls[x].Status > 0 && b.Calls[x].Status == 0
}

// Invoker calls seqs, one after the other: INVOKE of the distiller paper's
// Algorithm 3. It is for one goroutine. Close it when it is no longer needed.
type Invoker struct {
	bed      *testbed
	template func(model.Seq) model.Template
	tries    int
	tests    *individual.Problem
	chance   *rand.Rand
	passed   map[string][]model.Call // what was sent of the seqs that succeeded
	stubs    []model.Stub            // of each test
	access   accessCheck
}

// NewInvoker checks the plan and that the service is there, or starts it. But for
// ready checks no request has left yet. The plan's limits hold for all seqs together; without any they are
// called without end. Template gives a seq its links: each operation is a step
// of one call. Hosts are those that may be called besides loopback.
func NewInvoker(ctx context.Context, p model.Plan, template func(model.Seq) model.Template, tries int, hosts ...string) (*Invoker, error) {
	c, err := newTestbed(ctx, p, hosts)
	if err != nil {
		return nil, err
	}
	if c.pool.starts() {
		if err := c.pool.start(ctx); err != nil {
			c.pool.stop()
			return nil, err
		}
	}
	c.pool.watchUsers()
	return &Invoker{
		bed:      c,
		template: template,
		tries:    tries,
		tests:    individual.New(model.Plan{Spec: p.Spec, Users: p.Users}),
		chance:   rand.New(rand.NewPCG(p.Seed, 0)),
		passed:   map[string][]model.Call{},
		access:   newAccessCheck(p),
	}, nil
}

// Close stops the service, if the invoker started it, and closes idle
// connections.
func (v *Invoker) Close() { v.bed.pool.stop() }

// Invoke calls a seq until it succeeds, with new values each time, and tells of
// the try that came furthest. Where the service is reset, every other try begins
// with the values of the shorter seq that succeeded, for those go well again.
//
// The error says why no more can be called: client.ErrBudget, the context's, a
// *sut.Failed, a *Denied or an *Unreachable. An attempt that comes with an error was
// not given all its tries; one that is Done when the budget ends comes without.
func (v *Invoker) Invoke(ctx context.Context, seq model.Seq) (Attempt, error) {
	a, err := v.attempt(ctx, v.template(seq), v.passed[seqKey(seq[:len(seq)-1])])
	if a.Succeeded() && v.bed.pool.resets {
		v.passed[seqKey(seq)] = a.Calls
	}
	return a, err
}

func seqKey(seq model.Seq) string { return fmt.Sprintf("%q", seq) }

// attempt plays tests of a template's structure until one succeeds. Where nobody
// answers the first call, more tries are in vain.
func (v *Invoker) attempt(ctx context.Context, t model.Template, well []model.Call) (Attempt, error) {
	var best Attempt
	for i := range v.tries {
		test := v.tests.FollowTemplate(v.chance, t).Test()
		test.Stubs = v.stubs
		if i%2 == 0 {
			startWith(test.Calls, well)
		}
		if i == 0 {
			best.Test = test
		}
		a, results, err := v.play(ctx, test)
		if a.furtherThan(best) {
			best = a
		}
		switch {
		case best.Succeeded() || best.Completed() && errors.Is(err, client.ErrBudget):
			return best, nil
		case err != nil:
			return best, err
		case len(results) > 0 && results[0].Exchange.Err != nil:
			return best, nil
		}
	}
	return best, nil
}

// startWith lets calls begin as some did that went well, and go on with their user.
func startWith(calls, well []model.Call) {
	for i, c := range well {
		calls[i], calls[i].Status = c, 0
		if last := &calls[len(calls)-1]; c.User != "" && last.User != "" {
			last.User = c.User
		}
	}
}

// play plays a test, with what to assert of its answers. A test of which all
// that was sent went well, but which was not sent whole, was cut short by the
// budget.
func (v *Invoker) play(ctx context.Context, t model.Test) (Attempt, []client.CallResult, error) {
	p := v.bed.pool.play(ctx, t, math.MaxInt)
	a := Attempt{p.test}
	if p.late != nil {
		v.bed.judge.faults.record(*p.late)
	}
	if len(p.results) == 0 {
		return a, nil, p.err
	}
	a.Origin = model.Distilled
	a.Checks = v.bed.judge.checks(p)
	a.Stubs = usedStubs(a.Stubs, p.contacts)
	v.bed.judge.record(p)
	if err := v.denied(p); err != nil && p.err == nil {
		p.err = err
	}
	for _, c := range p.test.Calls[:len(p.results)] {
		v.tests.RecordStatus(c.Op, c.User, c.Status)
	}
	if sent := len(p.results); p.err == nil && a.FirstFailure() == sent && sent < len(a.Calls) {
		p.err = client.ErrBudget
	}
	return a, p.results, p.err
}

// denied returns the error of a service that refuses nearly all of the first calls, or
// whose last user a call has ended.
func (v *Invoker) denied(p played) error {
	for _, end := range p.ended {
		v.bed.judge.noteEnded(end)
		if !end.Back && !v.bed.judge.hasUsersLeft() && v.bed.plan.OnDenied != model.ContinueWhenDenied {
			return &DeniedError{model.AccessDenied{Users: v.access.users, Ended: &end}}
		}
	}
	if d := v.access.observe(p.test); d != nil {
		return &DeniedError{*d}
	}
	return nil
}

// UsedShare returns the share of the budget that is gone, 0 to 1.
func (v *Invoker) UsedShare() float64 { return v.bed.pool.budget.usedShare() }

// Summary tells what the calls came to so far.
func (v *Invoker) Summary() model.Summary { return v.bed.summary() }

// Faults returns the faults that were found, in order of discovery.
func (v *Invoker) Faults() []model.Fault { return v.bed.judge.faults.faults }

// DefaultTries is how often it is usual to try to get a seq through.
const DefaultTries = 50

// IncompleteError is the error of a seq that was not run whole in any try.
type IncompleteError struct {
	Op     model.OpID // the call that went wrong in the try that came furthest
	Answer string     // what came: a status, with the service's words
	Tries  int
}

func (u *IncompleteError) Error() string {
	return fmt.Sprintf("%s answered %s, and no try of %d went better", u.Op, u.Answer, u.Tries)
}

// FillTemplate gives a seq of the template's structure its values: it plays it with
// new values until every call answers 2xx, and returns the test that came
// furthest. The error is an *Unfinished where a call before the last did not
// go well; else it says why no more can be called, as Invoke's does. Stubs are what
// the hosts around the service answer; the test has those that did.
func (v *Invoker) FillTemplate(ctx context.Context, t model.Template, stubs ...model.Stub) (model.Test, error) {
	v.stubs = stubs
	a, err := v.attempt(ctx, t, nil)
	switch {
	case err != nil || a.Completed():
		return a.Test, err
	case a.Calls[0].Status == 0:
		return a.Test, &UnreachableError{fmt.Errorf("%q gave no answer to %s", v.bed.plan.BaseURL, t.Steps[0].Op)}
	}
	last := a.Calls[a.FirstFailure()]
	return a.Test, &IncompleteError{Op: last.Op, Answer: v.answer(last), Tries: v.tries}
}

// answer says what came of a call, in the service's words where it never went
// well.
func (v *Invoker) answer(c model.Call) string {
	switch f := v.bed.judge.stats.reasons[c.Op]; {
	case c.Status == 0:
		return "nothing"
	case f != nil && !f.done && f.main() != nil && f.main().status == c.Status:
		return f.main().String()
	}
	return fmt.Sprint(c.Status)
}
