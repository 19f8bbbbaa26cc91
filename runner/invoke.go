package runner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/rest"
)

// Attempt is how the calling of a seq went, in the try that came furthest: the
// values that were sent, and the statuses that came.
type Attempt struct{ model.Test }

// Failed returns the index of the first call that was not answered 2xx, or the
// number of calls where all were.
func (a Attempt) Failed() int {
	for i, c := range a.Calls {
		if c.Status/100 != 2 {
			return i
		}
	}
	return len(a.Calls)
}

// Done tells that the seq was run whole: every call but the last was answered
// 2xx, and the last at all.
func (a Attempt) Done() bool {
	last := len(a.Calls) - 1
	return a.Failed() >= last && a.Calls[last].Status > 0
}

// Success tells that every call was answered 2xx.
func (a Attempt) Success() bool { return a.Failed() == len(a.Calls) }

// furtherThan reports whether more calls went well one after the other, or the
// next at least got an answer.
func (a Attempt) furtherThan(b Attempt) bool {
	x, y := a.Failed(), b.Failed()
	return x > y || x == y && x < len(a.Calls) && a.Calls[x].Status > 0 && b.Calls[x].Status == 0
}

// Invoker calls seqs, one after the other: INVOKE of the distiller paper's
// Algorithm 3. It is for one goroutine. Close it when it is no longer needed.
type Invoker struct {
	crew     *crew
	template func(model.Seq) model.Template
	tries    int
	problem  *rest.Problem
	chance   *rand.Rand
	well     map[string][]model.Call // what was sent of the seqs that succeeded
	stubs    []model.Stub            // of each test
	door     doorkeeper
}

// NewInvoker checks the plan and that the service is there, or starts it. But for
// ready checks no request has left yet. The plan's limits hold for all seqs together; without any they are
// called without end. Template gives a seq its links: each operation is a step
// of one call. Hosts are those that may be called besides loopback.
func NewInvoker(ctx context.Context, p model.Plan, template func(model.Seq) model.Template, tries int, hosts ...string) (*Invoker, error) {
	c, err := newCrew(ctx, p, hosts)
	if err != nil {
		return nil, err
	}
	if c.starts() {
		if err := c.start(ctx); err != nil {
			c.stop()
			return nil, err
		}
	}
	c.watchUsers()
	return &Invoker{
		crew: c, template: template, tries: tries,
		problem: rest.New(model.Plan{Spec: p.Spec, Users: p.Users}), chance: rand.New(rand.NewPCG(p.Seed, 0)), well: map[string][]model.Call{},
		door: newDoorkeeper(p),
	}, nil
}

// Close stops the service, if the invoker started it, and closes idle
// connections.
func (v *Invoker) Close() { v.crew.stop() }

// Invoke calls a seq until it succeeds, with new values each time, and tells of
// the try that came furthest. Where the service is reset, every other try begins
// with the values of the shorter seq that succeeded, for those go well again.
//
// The error says why no more can be called: client.ErrBudget, the context's, a
// *sut.Failed, a *Denied or an *Unreachable. An attempt that comes with an error was
// not given all its tries; one that is Done when the budget ends comes without.
func (v *Invoker) Invoke(ctx context.Context, seq model.Seq) (Attempt, error) {
	a, err := v.try(ctx, v.template(seq), v.well[key(seq[:len(seq)-1])])
	if a.Success() && v.crew.resets {
		v.well[key(seq)] = a.Calls
	}
	return a, err
}

func key(seq model.Seq) string { return fmt.Sprintf("%q", seq) }

// try plays tests of a template's structure until one succeeds. Where nobody
// answers the first call, more tries are in vain.
func (v *Invoker) try(ctx context.Context, t model.Template, well []model.Call) (Attempt, error) {
	var best Attempt
	for i := range v.tries {
		test := v.problem.Follow(v.chance, t).Test()
		test.Stubs = v.stubs
		if i%2 == 0 {
			begin(test.Calls, well)
		}
		if i == 0 {
			best.Test = test
		}
		a, results, err := v.play(ctx, test)
		if a.furtherThan(best) {
			best = a
		}
		switch {
		case best.Success() || best.Done() && errors.Is(err, client.ErrBudget):
			return best, nil
		case err != nil:
			return best, err
		case len(results) > 0 && results[0].Exchange.Err != nil:
			return best, nil
		}
	}
	return best, nil
}

// begin lets calls begin as some did that went well, and go on with their user.
func begin(calls, well []model.Call) {
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
func (v *Invoker) play(ctx context.Context, t model.Test) (Attempt, []client.Result, error) {
	p := v.crew.play(ctx, t, math.MaxInt)
	a := Attempt{p.test}
	if p.late != nil {
		v.crew.book.enter(*p.late)
	}
	if len(p.results) == 0 {
		return a, nil, p.err
	}
	a.Origin = model.Distilled
	a.Checks = v.crew.checks(p)
	a.Stubs = inForce(a.Stubs, p.contacts)
	v.crew.enter(p)
	if err := v.denied(p); err != nil && p.err == nil {
		p.err = err
	}
	for _, c := range p.test.Calls[:len(p.results)] {
		v.problem.Admit(c.Op, c.User, c.Status)
	}
	if sent := len(p.results); p.err == nil && a.Failed() == sent && sent < len(a.Calls) {
		p.err = client.ErrBudget
	}
	return a, p.results, p.err
}

// denied returns the error of a service that refuses nearly all of the first calls, or
// whose last user a call has ended.
func (v *Invoker) denied(p played) error {
	for _, end := range p.ended {
		v.crew.noteEnded(end)
		if !end.Back && !v.crew.left() && v.crew.plan.OnDenied != model.AllowDenied {
			return &Denied{model.Denied{Users: v.door.users, Ended: &end}}
		}
	}
	if d := v.door.see(p.test); d != nil {
		return &Denied{*d}
	}
	return nil
}

// Used returns the share of the budget that is gone, 0 to 1.
func (v *Invoker) Used() float64 { return v.crew.budget.used() }

// Summary tells what the calls came to so far.
func (v *Invoker) Summary() model.Summary { return v.crew.summary() }

// Faults returns the faults that were found, in order of discovery.
func (v *Invoker) Faults() []model.Fault { return v.crew.book.faults }
