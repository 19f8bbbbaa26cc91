package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/target/client"
	"sonde/runner/target/driver"
	"sonde/runner/target/sut"
)

// worker plays tests on one copy of the service, with a reset before each. One goroutine at a time
// owns it.
type worker struct {
	plan           model.Plan
	quota          quota
	service        sut.Service
	tracker        *tracker        // nil if the source is not seen
	network        *virtualNetwork // nil for the real network
	driver         *driver.Driver  // driver of the copy, nil if there is none
	failures       int             // tests in a row after which the service did not answer
	restarts       int             // for the current test
	lastTest       lastTest
	unchangedTests int             // tests since the last reset, if none of them changed anything
	users          *userMonitor    // nil if users are not monitored
	contacts       []model.Contact // of the service in the current test
	broken         *model.Fault    // how the service failed without an answer in the current test
	late           *model.Fault    // the same for the test before, if noticed only now
}

// newWorker checks the plan. The copy has a number, from 0; all copies share the pace. M is the
// manifest of the service's probes, nil if it has none.
func newWorker(p model.Plan, hosts []string, number int, pace *client.Pacer, m *probedata.Manifest) (*worker, error) {
	if number > 0 && p.Service == nil && p.Driver == nil {
		p.BaseURL = p.Copies[number-1]
	}
	c := &worker{plan: p}
	if p.Driver != nil && p.Reset == nil {
		c.plan.Reset = &sut.DriverReset
	}
	env, err := c.newTracker(m, hosts)
	if err != nil {
		return nil, err
	}
	c.network, err = newVirtualNetwork(p.Net)
	if err != nil {
		c.tracker.close()
		return nil, err
	}
	o := sut.Options{Copy: number, Env: env, Driver: c.driver, Client: client.Options{
		AllowHosts:      hosts,
		Users:           p.Users,
		TakeBudget:      c.quota.take,
		TakeLoginBudget: c.quota.takeLogin,
		Timeout:         p.Timeout,
		Pacer:           pace,
		Insecure:        p.Insecure,
		TLS:             p.TLS,
		BeforeCall:      c.network.calling(),
		AfterCall:       c.tracker.afterCall(),
		Blocked:         func(r model.Request) bool { return c.users.blocks(r) },
	}}
	if c.network != nil {
		o.Network = c.network.Network
	}
	c.service, err = sut.Open(p, o)
	if err != nil {
		c.close()
	}
	return c, err
}

// close closes the tracker and the network.
func (c *worker) close() {
	c.tracker.close()
	c.network.close()
}

// newTracker makes the tracker of the service's driver or probes, if it has any. Env are environment
// variables that the service needs for that.
func (c *worker) newTracker(m *probedata.Manifest, hosts []string) (env []string, err error) {
	switch {
	case c.plan.Driver != nil:
		c.driver = driver.New(driver.Options{AllowHosts: hosts, Insecure: c.plan.Insecure, TLS: c.plan.TLS})
		c.tracker = &tracker{observer: newDriverObserver(c.driver), blind: c.plan.Driver.Blind}
		return nil, nil
	case m == nil:
		return nil, nil
	}
	p, err := newProbeObserver(m)
	if err != nil {
		return nil, err
	}
	p.reader.WatchOperands(c.plan.Sampling.Operands > 0 && !c.plan.Probes.Blind)
	c.tracker = &tracker{observer: p, blind: c.plan.Probes.Blind}
	return []string{p.memory.EnvVariable()}, nil
}

// start starts the service if the plan says how, and checks that it answers.
func (c *worker) start(ctx context.Context) error {
	err := c.setUp(func() error { return c.service.Start(ctx) })
	if err != nil && ctx.Err() == nil && !errors.Is(err, client.ErrBudget) {
		return &UnreachableError{err}
	}
	return err
}

// setUp calls a function whose requests belong to no test.
func (c *worker) setUp(do func() error) (err error) {
	c.quota.asSetUp(func() { err = do() })
	return err
}

// canStart reports whether the quota allows a test to begin.
func (c *worker) canStart() bool { return c.quota.left > c.service.ResetCost() }

// play resets the service and plays a test. The test is cut short when timed ends, which ends with
// ctx or earlier.
func (c *worker) play(ctx, timed context.Context, t model.Test) played {
	return c.playWhen(ctx, timed, t, c.reset)
}

// playOn is play without the reset.
func (c *worker) playOn(ctx, timed context.Context, t model.Test) played {
	return c.playWhen(ctx, timed, t, c.ensureAlive)
}

// playWhen plays a test after ready has prepared the service.
func (c *worker) playWhen(ctx, timed context.Context, t model.Test, ready func(ctx, timed context.Context) error) played {
	c.broken, c.late, c.restarts, c.contacts = nil, nil, 0, nil
	p := played{test: t}
	c.tracker.startTest(timed)
	p.err = ready(ctx, timed)
	if p.err == nil {
		p.test, p.results, p.err = c.playOnce(ctx, timed, t)
	}
	if c.tracker != nil {
		c.tracker.conclude(timed)
		p.seen, p.setUp, p.belated, p.marks, p.unseen = c.tracker.seen, c.tracker.setUp, c.tracker.late, c.tracker.marks, c.tracker.err
		p.compared, p.sooner = c.tracker.compared, c.tracker.nearCalls
	}
	if p.err == nil {
		c.users.observe(p.test, p.results)
		p.ended = c.restore(timed)
	}
	p.contacts, p.start, p.open = c.contacts, c.service.Client().MaskContacts(c.network.start()), c.network.open()
	p.at, p.restarts, p.broken, p.late = c.quota.lastCall(), c.restarts, c.broken, c.late
	return p
}

func (c *worker) playOnce(ctx, timed context.Context, t model.Test) (model.Test, []client.CallResult, error) {
	if err := c.network.begin(t); err != nil {
		return t, nil, err
	}
	c.tracker.begin(timed)
	c.network.speak()
	done, results := c.service.Client().PlayTest(timed, c.plan.Spec, t)
	c.tracker.end()
	c.contacts = c.service.Client().MaskContacts(c.network.end())
	c.unchangedTests++
	if !changedNothing(results) || len(c.contacts) > 0 { // messages of hosts may have changed something
		c.unchangedTests = 0
	}
	if timed.Err() != nil || len(results) == 0 {
		return t, nil, endError(ctx)
	}
	if err := loginError(results); err != nil {
		return t, nil, err
	}
	return done, results, c.judgeEnd(ctx, timed, done, results)
}

// maxUnchangedTests is the number of read-only tests after which the service is reset nevertheless: it
// might not keep the promises of its methods and statuses.
const maxUnchangedTests = 10

// unchanged reports whether the service is most likely as it was after the last reset.
func (c *worker) unchanged() bool {
	return c.unchangedTests > 0 && c.unchangedTests < maxUnchangedTests
}

// changedNothing reports whether calls left the service unchanged according to HTTP: their methods
// are safe, or they were refused.
func changedNothing(results []client.CallResult) bool {
	for _, r := range results {
		status := r.Exchange.Reply.Status
		safe := slices.Contains([]string{"GET", "HEAD", "OPTIONS"}, r.Exchange.Request.Method) && status > 0 && status < 500
		if !safe && status/100 != 4 {
			return false
		}
	}
	return len(results) > 0
}

// loginError returns the error of a log-in that never worked, if the test ended with one.
func loginError(results []client.CallResult) error {
	if err, ok := errors.AsType[*client.LoginError](results[len(results)-1].Exchange.Err); ok {
		return err
	}
	return nil
}

// endError returns the error of a test that was cut short: by the context, or else by the budget.
func endError(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return client.ErrBudget
}

// contactsSoFar returns the contacts of the test that is being played.
func (c *worker) contactsSoFar() []model.Contact {
	return c.service.Client().MaskContacts(c.network.soFar())
}

// maxFailures is how many tests in a row may fail because the service or its reset does not answer,
// before the run ends.
const maxFailures = 5

// reset brings the service into its first state so that a test can begin, if necessary by restarting
// it. Errors are those of play.
func (c *worker) reset(ctx, timed context.Context) error {
	for c.canStart() {
		if ok, err := c.tryReset(ctx, timed); ok || err != nil {
			return err
		}
	}
	return client.ErrBudget
}

// ensureAlive restarts a service that has died, and leaves any other as it is.
func (c *worker) ensureAlive(ctx, timed context.Context) error {
	if c.service.ExitFailure() == nil {
		return nil
	}
	return c.restart(ctx, timed)
}

// tryReset tries to reset once. It returns false without an error if another try may succeed.
func (c *worker) tryReset(ctx, timed context.Context) (bool, error) {
	if trouble := c.service.ExitFailure(); trouble != nil {
		c.failures++
		return false, c.blamePrevious(ctx, timed, trouble, errors.New(trouble.Text))
	}
	if c.unchanged() {
		return true, nil
	}
	c.network.hangUp()
	err := c.setUp(func() error { return c.service.Reset(timed) })
	_, wrong := errors.AsType[*sut.ResetError](err)
	switch {
	case err == nil:
		if c.service.CanReset() {
			c.service.Client().NoteReset()
		}
		c.unchangedTests = 0
		return true, nil
	case wrong:
		return false, err
	case timed.Err() != nil || errors.Is(err, client.ErrBudget):
		return false, endError(ctx)
	}
	return false, c.diagnoseReset(ctx, timed, err)
}

// diagnoseReset finds out why a reset got no answer.
func (c *worker) diagnoseReset(ctx, timed context.Context, cause error) error {
	c.failures++
	trouble := c.diagnose(timed)
	switch {
	case timed.Err() != nil:
		return endError(ctx)
	case trouble != nil && trouble.Kind == "":
		return c.awaitReturn(ctx, timed)
	case trouble != nil:
		return c.blamePrevious(ctx, timed, trouble, fmt.Errorf("reset %q: %w", c.plan.Reset, cause))
	case c.failures < maxFailures:
		return nil
	}
	return &UnreachableError{fmt.Errorf("reset %q got no answer several times in a row: %w", c.plan.Reset, cause)}
}

// blamePrevious attributes a failure that is noticed before a test to the test before, and restarts
// the service, up to maxFailures times in a row.
func (c *worker) blamePrevious(ctx, timed context.Context, trouble *sut.Failure, cause error) error {
	if f := c.lastTest.blame(trouble.Kind, trouble.Text); f != nil {
		c.late = f
	}
	if c.failures >= maxFailures {
		return &UnreachableError{fmt.Errorf("no test can begin, several times in a row: %w", cause)}
	}
	return c.restart(ctx, timed)
}

// judgeEnd looks at how a test ended, and diagnoses the service if it ended without an answer.
func (c *worker) judgeEnd(ctx, timed context.Context, t model.Test, results []client.CallResult) error {
	n := len(results)
	x := results[n-1].Exchange
	t.Calls = t.Calls[:n]
	before := c.lastTest
	c.lastTest = lastTest{test: t, at: c.quota.lastCall(), results: results}
	_, unsendable := errors.AsType[*client.UnsendableError](x.Err)
	if x.Err == nil || unsendable || errors.Is(x.Err, client.ErrBlocked) {
		c.failures = 0
		return nil
	}
	trouble := c.diagnose(timed)
	switch {
	case timed.Err() != nil:
		return endError(ctx)
	case trouble == nil:
		c.failures = 0
		if text, ok := silenceText(x.Err); ok {
			c.broken = c.lastTest.blame(model.NoAnswer, text)
		}
		return nil
	case trouble.Kind == "":
		c.failures++
		return c.awaitReturn(ctx, timed)
	}
	c.blame(before, isUnreachedService(x.Err), trouble)
	return c.restart(ctx, timed)
}

// blame blames a call for the end of the service: the last one, or, if the service did not accept its
// connection, the one before, which may belong to the test before.
func (c *worker) blame(before lastTest, absent bool, trouble *sut.Failure) {
	n := len(c.lastTest.test.Calls)
	switch {
	case absent && n > 1:
		c.lastTest = lastTest{test: *testHead(c.lastTest.test, n-1), at: c.lastTest.at - 1, results: c.lastTest.results}
	case absent && len(before.test.Calls) > 0:
		c.late = before.blame(trouble.Kind, trouble.Text)
		return
	}
	c.broken = c.lastTest.blame(trouble.Kind, trouble.Text)
}

func (c *worker) diagnose(ctx context.Context) (t *sut.Failure) {
	c.setUp(func() error { t = c.service.Diagnose(ctx); return nil })
	c.tracker.ignoreActivity()
	return t
}

// awaitReturn tolerates, for a few tests, that a service which Sonde did not start is gone.
func (c *worker) awaitReturn(ctx, timed context.Context) error {
	if c.failures < maxFailures {
		return nil
	}
	c.failures = 0
	return c.restart(ctx, timed)
}

// restart restarts the service.
func (c *worker) restart(ctx, timed context.Context) error {
	err := c.setUp(func() error { return c.service.Restart(timed) })
	c.tracker.ignoreActivity()
	switch {
	case err == nil:
		c.service.Client().NoteReset()
		c.restarts++
		return nil
	case timed.Err() != nil || errors.Is(err, client.ErrBudget):
		return endError(ctx)
	}
	return &UnreachableError{fmt.Errorf("after call %d: %w", c.lastTest.at, err)}
}

// restore restores users whom the last test may have ended, and returns those whom it has ended.
func (c *worker) restore(timed context.Context) (all []model.EndedUser) {
	all = c.tryLogIns(timed)
	for _, user := range c.users.suspects() {
		c.setUp(func() error {
			end, err := c.restoreUser(timed, user)
			switch {
			case err != nil && timed.Err() == nil && !errors.Is(err, client.ErrBudget):
				c.users.acquit(user) // nothing is known, and another attempt would most likely fail, too
			case err == nil && end.User != "":
				all = append(all, end)
			}
			return err
		})
		c.tracker.ignoreActivity()
	}
	return all
}

// tryLogIns lets users log in again after the first successful call of each operation on users, and
// returns those who cannot. A service may still accept older credentials, so that nothing else
// shows the loss; but exported tests log in anew.
func (c *worker) tryLogIns(timed context.Context) (all []model.EndedUser) {
	for _, user := range c.users.loginCandidates() {
		c.setUp(func() error {
			err := c.service.Client().TryLogIn(timed, user)
			if _, refused := errors.AsType[*client.LoginError](err); refused {
				all = append(all, c.users.lock(user))
				return nil
			}
			return err
		})
	}
	if c.users != nil {
		c.users.loginUntested = nil
	}
	return all
}

// restoreUser finds out whether the service still accepts a user, and tries to restore the user. It
// returns the zero EndedUser if the user was not ended.
func (c *worker) restoreUser(ctx context.Context, user string) (end model.EndedUser, err error) {
	made, accepted, loggedOut, err := c.tryUser(ctx, user)
	switch {
	case err != nil:
		return end, err
	case accepted && !made:
		c.users.acquit(user)
		return end, nil
	case !accepted && c.service.CanReset():
		if err := c.service.Reset(ctx); err != nil {
			return end, err
		}
		c.service.Client().NoteReset()
		c.unchangedTests = 0
		_, accepted, _, err = c.tryUser(ctx, user)
		if err != nil {
			return end, err
		}
	}
	return c.users.markEnded(user, accepted, loggedOut), nil
}

// tryUser restores the user, logs in again and finds out whether the user is accepted.
func (c *worker) tryUser(ctx context.Context, user string) (made, accepted, loggedOut bool, err error) {
	made, err = c.service.Client().RestoreUser(ctx, user)
	if _, refused := errors.AsType[*client.LoginError](err); refused {
		return made, false, true, nil
	}
	if err != nil {
		return false, false, false, err
	}
	accepted, err = c.accepts(ctx, user)
	return made, accepted, false, err
}

// accepts reports whether the service accepts a user in operations that refuse others.
func (c *worker) accepts(ctx context.Context, user string) (bool, error) {
	for _, r := range c.users.witnesses(user) {
		x := c.service.Client().SendAs(ctx, user, r)
		switch {
		case x.Err != nil:
			return false, x.Err
		case x.Reply.Status == 401:
			return false, nil
		case c.users.gates[r.Op]:
			return true, nil
		}
		x = c.service.Client().Send(ctx, r)
		if x.Err != nil {
			return false, x.Err
		}
		c.users.noteAnonymous(r.Op, x.Reply.Status)
		if c.users.gates[r.Op] {
			return true, nil
		}
	}
	return !c.users.refusedBySeveral(user), nil
}
