package search

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/search/oracle"
	"sonde/runner/target/client"
	"sonde/runner/target/driver"
	"sonde/runner/target/sut"
)

// worker plays tests on one copy of the service, with a reset before each. One
// goroutine at a time owns it.
type worker struct {
	plan           model.Plan
	quota          quota
	service        sut.Service
	tracker        *tracker        // nil where nobody sees into the service
	network        *virtualNetwork // nil for the real one
	driver         *driver.Driver  // of the copy, nil where it has none
	failures       int             // tests in a row after which nobody was there
	restarts       int             // for the test of this moment
	lastTest       lastTest
	unchangedTests int             // tests since the last reset, if none of them changed anything
	users          *userMonitor    // nil where nobody looks after users
	contacts       []model.Contact // of the service in the test of this moment
	broken         *model.Fault    // how the service failed in the last test without an answer, if it did
	late           *model.Fault    // the same for the test before, where it is known only now
}

// newWorker checks the plan. The copy has a number, from 0; its requests leave at
// the pace of all. The manifest is that of its probes, nil where it has none.
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
		AllowHosts: hosts, Users: p.Users, TakeBudget: c.quota.take, TakeLoginBudget: c.quota.takeLogin, Timeout: p.Timeout,
		Pacer: pace, Insecure: p.Insecure, TLS: p.TLS, BeforeCall: c.network.calling(), AfterCall: c.tracker.afterCall(),
		Blocked: func(r model.Request) bool { return c.users.blocks(r) },
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

// close lets go of what sees into the service and of what is around it.
func (c *worker) close() {
	c.tracker.close()
	c.network.close()
}

// newTracker lets the caller see by the service's driver or probes, if it has any. Env is
// what its environment needs for that.
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
	return []string{p.memory.Env()}, nil
}

// start starts the service if it is ours to start, and looks whether it is
// there.
func (c *worker) start(ctx context.Context) error {
	err := c.setUp(func() error { return c.service.Start(ctx) })
	if err != nil && ctx.Err() == nil && !errors.Is(err, client.ErrBudget) {
		return &UnreachableError{err}
	}
	return err
}

// setUp does something whose requests are not of a test.
func (c *worker) setUp(do func() error) (err error) {
	c.quota.asSetUp(func() { err = do() })
	return err
}

// canStart reports whether the purse lets a test begin.
func (c *worker) canStart() bool { return c.quota.left > c.service.ResetCost() }

// played is what came of a test.
type played struct {
	// test has the statuses that came and the links closed: see client.Play.
	test model.Test
	// results are of the calls that were sent; without any the test tells nothing.
	results []client.CallResult
	at      int // the number of the last request
	// restarts is how often the service was started again for it.
	restarts int
	// broken is how the service failed without an answer, and late how it did in
	// the test before on the same copy, where that is known only now.
	broken, late *model.Fault
	// seen is how near the test came to targets in the service's source; setUp is
	// what it took to start and reset the service, before the first test of this
	// copy; belated is what the copy did behind the test before.
	seen, setUp, belated []model.Score
	// marks are of a sweep: which call was the first to cover a target of the
	// source, by its ID.
	marks map[string]int
	// unseen is why nobody saw what the test did in the service, nil where somebody
	// did or nobody looked.
	unseen error
	// contacts are what the service did with the virtual network, and start what it
	// did before its first test, where this is that.
	contacts, start []model.Contact
	// open is how many connections it has open then, by host.
	open map[string]int
	// sooner are the targets to which a call before the last came nearest, where the
	// search had asked for the test.
	sooner []nearCall
	// compared is what the service compared in it.
	compared []model.Compared
	// ended are the users whom the service does not accept any more since the test.
	ended []model.EndedUser
	// short tells that the budget did not let all of it be sent.
	short bool
	// err says why no more tests can be played: client.ErrBudget, the context's, a
	// *sut.Failed, a *client.LoginError or an *Unreachable.
	err error
}

// play resets the service and plays a test. It is cut short when timed ends,
// which ends with ctx or before.
func (c *worker) play(ctx, timed context.Context, t model.Test) played {
	return c.playWhen(ctx, timed, t, c.reset)
}

// playOn is play without the reset: the service is as it was left.
func (c *worker) playOn(ctx, timed context.Context, t model.Test) played {
	return c.playWhen(ctx, timed, t, c.ensureAlive)
}

// playWhen plays a test once the service is ready for it.
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
	done, results := c.service.Client().Play(timed, c.plan.Spec, t)
	c.tracker.end()
	c.contacts = c.service.Client().MaskContacts(c.network.end())
	c.unchangedTests++
	if !changedNothing(results) || len(c.contacts) > 0 { // what hosts said may have changed something
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

// maxUnchangedTests is after how many tests that changed nothing the service is reset all
// the same: it might not keep to what its methods and statuses promise.
const maxUnchangedTests = 10

// unchanged reports whether the service is as it was after the last reset.
func (c *worker) unchanged() bool {
	return c.unchangedTests > 0 && c.unchangedTests < maxUnchangedTests
}

// changedNothing reports whether calls left the service as it was, as far as HTTP says:
// their methods are safe, or they were refused.
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

// loginError returns the error of a log-in that never worked, if a test ended in
// one.
func loginError(results []client.CallResult) error {
	if err, ok := errors.AsType[*client.LoginError](results[len(results)-1].Exchange.Err); ok {
		return err
	}
	return nil
}

// endError is the error of a test that was cut short: by somebody, or else by the
// budget.
func endError(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return client.ErrBudget
}

// contactsSoFar is what the service did with the network in the test that goes on.
func (c *worker) contactsSoFar() []model.Contact {
	return c.service.Client().MaskContacts(c.network.soFar())
}

// lastTest is where a test ended.
type lastTest struct {
	test model.Test // as far as it was sent; without calls once it was blamed
	at   int        // the number of the last call

	results []client.CallResult // of the calls, and maybe of more
}

// blame makes a fault of the last call, once; nil where there was none.
func (e *lastTest) blame(kind model.FaultKind, text string) *model.Fault {
	n := len(e.test.Calls)
	if n == 0 {
		return nil
	}
	f := &model.Fault{
		Op: e.test.Calls[n-1].Op, Oracle: string(kind), Severity: oracle.SeverityOf(string(kind)),
		Expected: "an answer, and a service that lives on", Text: model.Excerpt([]byte(text)), Calls: n, At: e.at, Test: testHead(e.test, n),
		Exchanges: seenIn(e.results[:min(n, len(e.results))]),
	}
	e.test.Calls = nil
	return f
}

// faultScore is what a test covers that left the service without an answer: a
// target of its own. The fault may be nil.
func faultScore(f *model.Fault) []model.Score {
	if f == nil {
		return nil
	}
	return []model.Score{{Target: fmt.Sprintf("%s %s", f.Op, f.Label()), H: 1}}
}

// maxFailures is how many tests in a row may fail because nobody is there, or
// because the reset does, before the run ends.
const maxFailures = 5

// reset brings the service into its first state so that a test can begin, if
// need be by starting it again; the error is as play's.
func (c *worker) reset(ctx, timed context.Context) error {
	for c.canStart() {
		if ok, err := c.tryReset(ctx, timed); ok || err != nil {
			return err
		}
	}
	return client.ErrBudget
}

// ensureAlive starts a service again that has died, and leaves any other as it is.
func (c *worker) ensureAlive(ctx, timed context.Context) error {
	if c.service.Died() == nil {
		return nil
	}
	return c.restart(ctx, timed)
}

// tryReset tries to once. Where it fails but another try may not, there is no
// error.
func (c *worker) tryReset(ctx, timed context.Context) (bool, error) {
	if trouble := c.service.Died(); trouble != nil {
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
	return &UnreachableError{fmt.Errorf("reset %q gets no answer time and again: %w", c.plan.Reset, cause)}
}

// blamePrevious blames the last test for what was noticed only before the next one,
// and starts the service again, for some times.
func (c *worker) blamePrevious(ctx, timed context.Context, trouble *sut.Failure, cause error) error {
	if f := c.lastTest.blame(trouble.Kind, trouble.Text); f != nil {
		c.late = f
	}
	if c.failures >= maxFailures {
		return &UnreachableError{fmt.Errorf("no test can begin, time and again: %w", cause)}
	}
	return c.restart(ctx, timed)
}

// judgeEnd looks at how a test ended, and at the service where that was without an
// answer.
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

// blame blames a call for the end of the service: the last, or where nobody
// took its connection the one before, which may be of the test before.
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

// awaitReturn waits for a service that is not ours and has gone to come back, for some
// tests.
func (c *worker) awaitReturn(ctx, timed context.Context) error {
	if c.failures < maxFailures {
		return nil
	}
	c.failures = 0
	return c.restart(ctx, timed)
}

// restart starts the service again.
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

// isUnreachedService reports whether the service was gone before the call: it accepted no
// connection. Where an earlier connection took the request and then ended, the
// call may well have ended the service.
func isUnreachedService(err error) bool {
	_, lost := errors.AsType[*client.ConnectionLostError](err)
	return client.IsDialError(err) && !lost
}

// neverSent reports whether the request of a call never left, so that its answer
// says nothing of the service: it cannot be sent, or the log-in before it got no
// answer.
func neverSent(err error) bool {
	_, unsendable := errors.AsType[*client.UnsendableError](err)
	_, before := errors.AsType[*client.LoginUnansweredError](err)
	return unsendable || before
}

// silenceText tells in which way a service that lives left a call without an
// answer. It is not the service's doing where no connection was accepted or the
// request did not leave. The client has tried a new connection before it fails.
func silenceText(err error) (text string, ok bool) {
	switch {
	case client.IsDialError(err), neverSent(err):
		return "", false
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time", true
	case isClosedConnection(err), client.IsStreamReset(err):
		return "the connection was closed without an answer", true
	}
	text = err.Error()
	return "no HTTP came: " + text, strings.Contains(text, "malformed") || strings.Contains(text, "HTTP/1.x transport connection broken")
}

// isClosedConnection reports whether the service closed the connection of a call, which was a
// new one: see client.Send.
func isClosedConnection(err error) bool {
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, end) {
			return true
		}
	}
	return strings.Contains(err.Error(), "server closed idle connection") // before the request was written
}
