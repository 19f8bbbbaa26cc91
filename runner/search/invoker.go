package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/target/client"
)

// Invocation is the best of several tries to call a seq: a test with the values that were sent and the statuses of
// the answers.
type Invocation struct{ model.Test }

// FirstFailure returns the index of the first call that was not answered 2xx, or the number of calls if all were
// answered 2xx.
func (a Invocation) FirstFailure() int {
	for i, c := range a.Calls {
		if c.Status/100 != 2 {
			return i
		}
	}
	return len(a.Calls)
}

// Completed reports whether every call but the last was answered 2xx, and the last call got any answer.
func (a Invocation) Completed() bool {
	last := len(a.Calls) - 1
	return a.FirstFailure() >= last && a.Calls[last].Status > 0
}

// Succeeded reports whether every call was answered 2xx.
func (a Invocation) Succeeded() bool { return a.FirstFailure() == len(a.Calls) }

// furtherThan reports whether a is better than b. It is better if more of its calls succeeded before the first
// failure. If the numbers are equal, a is better if its failed call got an answer and the failed call of b did not.
func (a Invocation) furtherThan(b Invocation) bool {
	x, y := a.FirstFailure(), b.FirstFailure()
	return x > y || x == y && x < len(a.Calls) && a.Calls[x].Status > 0 && b.Calls[x].Status == 0
}

// Invoker calls seqs one after another. It is INVOKE in Algorithm 3 of the distiller paper. It must be
// used by one goroutine at a time, and closed after use.
type Invoker struct {
	bed       *testbed
	template  func(model.Seq) model.Template
	tries     int
	tests     *individual.Problem
	chance    *rand.Rand
	succeeded map[string][]model.Call // the calls of seqs that succeeded
	stubs     []model.Stub            // stubs of each test
	access    accessCheck
	observe   func(model.Test, played) // receives each test that was played; nil if that is not needed
}

// NewInvoker checks the plan, and starts the service or checks that it answers. It sends no requests besides
// readiness checks. The plan's limits apply to all seqs together; without limits the invoker never stops by itself.
// template returns the template of a seq: it has links, and one step of one call for each operation. tries is the
// number of tries for one seq. hosts are the hosts that may be called besides those on this machine.
func NewInvoker(
	ctx context.Context,
	p model.Plan,
	template func(model.Seq) model.Template,
	tries int,
	hosts ...string,
) (*Invoker, error) {
	b, err := newTestbed(ctx, p, hosts)
	if err != nil {
		return nil, err
	}
	if b.pool.starts() {
		if err := b.start(ctx, nil); err != nil {
			b.pool.stop()
			return nil, err
		}
	}
	b.pool.watchUsers()
	return &Invoker{
		bed:       b,
		template:  template,
		tries:     tries,
		tests:     individual.New(model.Plan{Spec: p.Spec, Users: p.Users}),
		chance:    rand.New(rand.NewPCG(p.Seed, 0)),
		succeeded: map[string][]model.Call{},
		access:    newAccessCheck(p),
	}, nil
}

// Close stops the service if the invoker started it, and closes idle connections.
func (i *Invoker) Close() { i.bed.pool.stop() }

// SetStubs sets the stubs with which later tests begin: answers of the hosts around the service.
func (i *Invoker) SetStubs(stubs []model.Stub) { i.stubs = stubs }

// Invoke calls a seq with new values until all calls succeed or all tries are used, and returns the best try. It may
// use an earlier success: if the service is reset between tests, and the seq without its last operation has succeeded
// in an earlier Invoke, every second try begins with the calls of that success. These calls most likely succeed again.
//
// The error says why no further seq can be called: client.ErrBudget, the context's error, a *sut.ResetError, a
// *client.LoginError, a *DeniedError or an *UnreachableError. An invocation returned with an error did not get all
// its tries. There is no error if the budget ends with the last call of a completed invocation.
func (i *Invoker) Invoke(ctx context.Context, seq model.Seq) (Invocation, error) {
	a, err := i.try(ctx, i.template(seq), i.succeeded[seqKey(seq[:len(seq)-1])])
	if a.Succeeded() && i.bed.pool.resets {
		i.succeeded[seqKey(seq)] = a.Calls
	}
	return a, err
}

func seqKey(seq model.Seq) string { return fmt.Sprintf("%q", seq) }

// try plays at most i.tries tests of a template until one succeeds, and returns the best of them. The first, the
// third and every second test after that begin with the calls in passed. try stops early if the first call of a test
// gets no answer.
func (i *Invoker) try(ctx context.Context, t model.Template, passed []model.Call) (Invocation, error) {
	var best Invocation
	for n := range i.tries {
		test := i.tests.FollowTemplate(i.chance, t).Test()
		test.Stubs = i.stubs
		if n%2 == 0 {
			startWith(test.Calls, passed)
		}
		if n == 0 {
			best.Test = test
		}
		a, results, err := i.play(ctx, test)
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

// startWith replaces the first calls by the calls in passed. The last call also gets the user of these calls, if both
// have users.
func startWith(calls, passed []model.Call) {
	for i, c := range passed {
		calls[i], calls[i].Status = c, 0
		if last := &calls[len(calls)-1]; c.User != "" && last.User != "" {
			last.User = c.User
		}
	}
}

// play plays a test, records its faults, and returns it with the checks of its answers, and the results. If
// some calls were not sent although the others succeeded, the error is client.ErrBudget.
func (i *Invoker) play(ctx context.Context, t model.Test) (Invocation, []client.CallResult, error) {
	p := i.bed.pool.play(ctx, t, math.MaxInt)
	if i.observe != nil {
		i.observe(t, p)
	}
	a := Invocation{p.test}
	if p.lateFault != nil {
		i.bed.judge.faults.record(*p.lateFault)
	}
	if len(p.results) == 0 {
		return a, nil, p.err
	}
	a.Origin = model.OriginDistilled
	a.Checks = i.bed.judge.checks(p)
	a.Stubs = usedStubs(a.Stubs, p.contacts)
	i.bed.judge.record(p)
	if err := i.denied(p); err != nil && p.err == nil {
		p.err = err
	}
	for _, c := range p.test.Calls[:len(p.results)] {
		i.tests.RecordStatus(c.Op, c.User, c.Status)
	}
	if sent := len(p.results); p.err == nil && a.FirstFailure() == sent && sent < len(a.Calls) {
		p.err = client.ErrBudget
	}
	return a, p.results, p.err
}

// denied returns an error if the service refuses nearly all of the first calls, or if a call has
// ended the last user.
func (i *Invoker) denied(p played) error {
	for _, end := range p.ended {
		i.bed.judge.noteEnded(end)
		if !end.Back && !i.bed.judge.hasUsersLeft() && i.bed.plan.OnDenied != model.ContinueWhenDenied {
			return &DeniedError{model.AccessDenied{Users: i.access.users, Ended: &end}}
		}
	}
	if d := i.access.observe(p.test); d != nil {
		return &DeniedError{*d}
	}
	return nil
}

// UsedShare returns the used share of the budget, 0 to 1.
func (i *Invoker) UsedShare() float64 { return i.bed.pool.budget.usedShare() }

// Summary returns the figures of the calls so far.
func (i *Invoker) Summary() model.Summary { return i.bed.summary() }

// Faults returns the faults that were found, in the order of discovery.
func (i *Invoker) Faults() []model.Fault { return i.bed.judge.faults.all() }

// DefaultTries is the usual number of tries for one seq.
const DefaultTries = 50

// IncompleteError is the error of a template that was not completed in any try.
type IncompleteError struct {
	Op     model.OpID // the call that failed in the best try
	Answer string     // status of the answer, with the service's message
	Tries  int
}

func (i *IncompleteError) Error() string {
	if i.Tries == 1 {
		return fmt.Sprintf("%s answered %s, so that no call after it was sent", i.Op, i.Answer)
	}
	return fmt.Sprintf("%s answered %s, and none of %d tries got further", i.Op, i.Answer, i.Tries)
}

// FillTemplate finds values for a template: it plays the template with new values until every call is answered 2xx,
// and returns the best test. stubs are answers of the hosts around the service. The returned test has the stubs that
// were used.
//
// FillTemplate returns an error in these cases:
//   - Invoke would return an error. FillTemplate returns the same error.
//   - The first call got no answer. The error is an *UnreachableError.
//   - Another call before the last did not succeed, or the last call got no answer. The error is an *IncompleteError.
func (i *Invoker) FillTemplate(ctx context.Context, t model.Template, stubs ...model.Stub) (model.Test, error) {
	i.SetStubs(stubs)
	a, err := i.try(ctx, t, nil)
	switch {
	case err != nil || a.Completed():
		return a.Test, err
	case a.Calls[0].Status == 0:
		return a.Test, &UnreachableError{fmt.Errorf("%q gave no answer to %s", i.bed.plan.BaseURL, t.Steps[0].Op)}
	}
	last := a.Calls[a.FirstFailure()]
	return a.Test, &IncompleteError{Op: last.Op, Answer: i.answer(last), Tries: i.tries}
}

// PlayTest plays a test once with its own values, and returns it with the statuses of its answers and their checks.
// stubs are answers of the hosts around the service.
//
// PlayTest returns an error in the cases of FillTemplate. It returns an *IncompleteError only if a call was not sent,
// because an earlier one did not succeed, and a *MissingValueError if a link had no value.
func (i *Invoker) PlayTest(ctx context.Context, t model.Test, stubs ...model.Stub) (model.Test, error) {
	origin := t.Origin
	t.Stubs = append(slices.Clip(t.Stubs), stubs...)
	a, results, err := i.play(ctx, t)
	a.Origin = origin
	switch {
	case err != nil:
		return a.Test, err
	case len(results) == 0 || a.Calls[0].Status == 0:
		return a.Test, &UnreachableError{fmt.Errorf("%q gave no answer to %s", i.bed.plan.BaseURL, a.Calls[0].Op)}
	}
	for n, c := range a.Calls {
		if c.Status == 0 {
			last := a.Calls[max(n-1, 0)]
			return a.Test, &IncompleteError{Op: last.Op, Answer: i.answer(last), Tries: 1}
		}
	}
	for _, l := range t.Links {
		if !slices.Contains(a.Links, l) {
			return a.Test, &MissingValueError{Link: l, From: a.Calls[l.From].Op, To: a.Calls[l.To].Op}
		}
	}
	return a.Test, nil
}

// MissingValueError is the error of a test in which an answer did not have the value that a later call takes from it.
type MissingValueError struct {
	Link     model.Link
	From, To model.OpID
}

func (e *MissingValueError) Error() string {
	place := "header " + e.Link.Header
	if e.Link.Header == "" {
		place = "value " + strconv.Quote(e.Link.Pointer)
	}
	return fmt.Sprintf("the answer of %s has no %s, which %s takes", e.From, place, e.To)
}

// answer describes the answer to a call. If the operation has never succeeded, and its most common refusal has
// the same status, the text has the message of that refusal.
func (i *Invoker) answer(c model.Call) string {
	switch f := i.bed.judge.stats.refusals[c.Op]; {
	case c.Status == 0:
		return "nothing"
	case f != nil && !f.succeeded && f.mostCommon() != nil && f.mostCommon().status == c.Status:
		return f.mostCommon().String()
	}
	return fmt.Sprint(c.Status)
}
