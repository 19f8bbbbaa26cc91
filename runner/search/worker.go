package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/target/client"
	"sonde/runner/target/driver"
	"sonde/runner/target/sut"
)

// worker plays tests on one copy of the service, and resets the service between tests. One goroutine at a time
// owns the worker.
type worker struct {
	plan           model.Plan
	quota          quota
	service        sut.Service
	tracker        *tracker           // nil if coverage of the source is not measured
	rows           *testRows          // nil if tests insert no rows
	cleaner        *probedata.Cleaner // nil if no reset cleans databases
	network        *virtualNetwork    // nil for the real network
	driver         *driver.Driver     // driver of the copy, nil if there is none
	failures       int                // how often in a row the service or its reset gave no answer; see maxFailures
	lastTest       lastTest           // the test played last
	continues      bool               // the current test is played on the state of the previous one
	unchangedTests int                // number of tests since the last reset if none may have changed something, otherwise 0
	chance         *rand.Rand         // decides about resets that may be left out
	users          *userMonitor       // nil if users are not monitored
	refusals       *refusalMemory     // nil if the service has no clients that remember refusals
	variables      client.Variables   // values of ${NAME} in the calls of tests

	// Results of the current test; see played.
	restarts               int
	contacts               []model.Contact
	silentFault, lateFault *model.Fault
}

// resetStream is the stream of random numbers of the first worker. The search has the stream 0.
const resetStream = 1 << 63

// newWorker checks the plan and returns a worker. number is the number of its copy of the service, from 0.
// All workers share the pacer. m is the manifest of the service's probes, nil if it has none.
func newWorker(p model.Plan, hosts []string, number int, pace *client.Pacer, m *probedata.Manifest) (*worker, error) {
	if number > 0 && p.Service == nil && p.Driver == nil {
		p.BaseURL = p.Copies[number-1]
	}
	w := &worker{plan: p, chance: rand.New(rand.NewPCG(p.Seed, resetStream+uint64(number)))}
	if p.Driver != nil && p.Reset == nil {
		w.plan.Reset = &sut.DriverReset
	}
	env, err := w.newTracker(m, hosts)
	if err != nil {
		return nil, err
	}
	w.network, err = newVirtualNetwork(p.Net)
	if err != nil {
		w.close()
		return nil, err
	}
	w.refusals = newRefusalMemory(p, m)
	o := sut.Options{Copy: number, Env: env, Driver: w.driver, Client: client.Options{
		AllowHosts:      hosts,
		Users:           p.Users,
		Headers:         p.Headers,
		TakeBudget:      w.quota.take,
		TakeLoginBudget: w.quota.takeLogin,
		Timeout:         p.Timeout,
		Pacer:           pace,
		Insecure:        p.Insecure,
		TLS:             p.TLS,
		BeforeCall:      w.network.beforeCall(),
		AfterCall:       w.rows.afterCall(w.tracker.afterCall()),
		Blocked:         func(r model.Request) error { return w.users.blocks(r) },
	}}
	if w.cleaner != nil {
		o.Clean = w.cleaner.Clean
	}
	if w.network != nil {
		o.Network = w.network.Network
	}
	w.service, err = sut.Open(p, o)
	if err != nil {
		w.close()
	}
	return w, err
}

func (w *worker) close() {
	w.tracker.close()
	w.rows.close()
	_ = w.cleaner.Close() // an error leaves a temporary folder, nothing else
	w.network.close()
}

// newTracker sets the tracker of a service that has a driver or probes. If the service has probes, newTracker also sets
// what newDatabase sets. It returns the environment variables that the probes need.
func (w *worker) newTracker(m *probedata.Manifest, hosts []string) (env []string, err error) {
	switch {
	case w.plan.Driver != nil:
		w.driver = driver.New(driver.Options{AllowHosts: hosts, Insecure: w.plan.Insecure, TLS: w.plan.TLS})
		w.tracker = &tracker{observer: newDriverObserver(w.driver), blind: w.plan.Driver.Blind}
		return nil, nil
	case m == nil:
		return nil, nil
	}
	p, err := newProbeObserver(m)
	if err != nil {
		return nil, err
	}
	p.reader.WatchOperands(w.plan.Sampling.SeesOperands() && !w.plan.Probes.Blind)
	w.tracker = &tracker{observer: p, blind: w.plan.Probes.Blind}
	env = []string{p.memory.EnvVariable()}
	database, err := w.newDatabase()
	if err != nil {
		w.close()
		return nil, err
	}
	return append(env, database...), nil
}

// newDatabase sets rows if tests may insert rows, and cleaner if the reset cleans databases. It returns the environment
// variables that the service needs for these.
func (w *worker) newDatabase() (env []string, err error) {
	if w.plan.InsertRows || w.plan.Sampling.Rows > 0 && !w.plan.Probes.Blind {
		w.rows, err = newTestRows()
		if err != nil {
			return nil, err
		}
		env = append(env, w.rows.box.EnvVariable())
	}
	if r := w.plan.Reset; r != nil && r.Clean {
		w.cleaner, err = probedata.NewCleaner()
		if err != nil {
			return nil, err
		}
		env = append(env, w.cleaner.EnvVariable())
	}
	return env, nil
}

// start starts the service if the plan says how, and checks that it answers.
func (w *worker) start(ctx context.Context) error { return w.startBy(ctx, w.service.Start) }

// startBy starts the service by a function, and checks that it answers.
func (w *worker) startBy(ctx context.Context, start func(context.Context) error) error {
	err := w.setUp(func() error { return start(ctx) })
	if err != nil && ctx.Err() == nil && !errors.Is(err, client.ErrBudget) {
		return &UnreachableError{err}
	}
	return err
}

// setUp calls f. The requests that f sends count as set-up.
func (w *worker) setUp(f func() error) (err error) {
	w.quota.asSetUp(func() { err = f() })
	return err
}

// canStart reports whether the quota allows a test to begin.
func (w *worker) canStart() bool { return w.quota.left > w.service.ResetCost() }

// play resets the service and plays a test. The test is cut short when timed ends. timed is derived from ctx
// and may also end at the time limit of the run.
func (w *worker) play(ctx, timed context.Context, t model.Test) played {
	return w.playAfter(ctx, timed, t, w.reset)
}

// playOn plays a test without a reset before it.
func (w *worker) playOn(ctx, timed context.Context, t model.Test) played {
	w.continues = true
	defer func() { w.continues = false }()
	return w.playAfter(ctx, timed, t, w.ensureAlive)
}

// playAfter plays a test after ready has prepared the service, and collects the outcome.
func (w *worker) playAfter(ctx, timed context.Context, t model.Test, ready func(ctx, timed context.Context) error) played {
	w.silentFault, w.lateFault, w.restarts, w.contacts = nil, nil, 0, nil
	p := played{test: t}
	w.tracker.startTest(timed)
	p.err = w.clearRefusals(timed)
	if p.err == nil {
		p.err = ready(ctx, timed)
	}
	if p.err == nil {
		p.test, p.results, p.err = w.playOnce(ctx, timed, t)
	}
	if w.tracker != nil {
		w.tracker.noteError(timed)
		p.testCoverage = w.tracker.testCoverage
	}
	if p.err == nil {
		w.users.observe(p.test, p.results)
		p.ended = w.restore(timed)
	}
	p.emptyQueries, p.tables = w.rows.found()
	p.contacts, p.open = w.contacts, w.network.openConnections()
	p.startContacts = w.service.Client().MaskContacts(w.network.startupContacts())
	p.at, p.restarts, p.silentFault, p.lateFault = w.quota.lastCall(), w.restarts, w.silentFault, w.lateFault
	return p
}

// playOnce plays a test on the service as it is. It returns the test as played and a result for each call
// that was sent. It returns no results if the test was cut short or a log-in failed.
func (w *worker) playOnce(ctx, timed context.Context, t model.Test) (model.Test, []client.CallResult, error) {
	if err := w.network.beginTest(t); err != nil {
		return t, nil, err
	}
	if err := w.rows.begin(t.Rows, w.continues); err != nil {
		return t, nil, err
	}
	w.tracker.begin(timed)
	w.network.startInward()
	c := w.service.Client()
	c.SetVariables(w.variables)
	done, results := c.PlayTest(timed, w.plan.Spec, t)
	w.tracker.end()
	if err := w.rows.end(&done); err != nil {
		return t, nil, err
	}
	w.contacts = w.service.Client().MaskContacts(w.network.endTest())
	w.refusals.observe(w.contacts)
	w.unchangedTests++
	if !changedNothing(results) || len(done.Rows) > 0 || slices.ContainsFunc(w.contacts, mayHaveChanged) {
		w.unchangedTests = 0
	}
	if timed.Err() != nil || len(results) == 0 {
		return t, nil, endError(ctx)
	}
	if err := loginError(results); err != nil {
		return t, nil, err
	}
	return done, results, w.judgeEnd(ctx, timed, done, results)
}

// maxUnchangedTests bounds the number of tests in a row without a reset between them. The service is not reset after
// a test that most likely changed nothing, but it might have changed despite the methods and statuses of the calls.
const maxUnchangedTests = 10

// unchanged reports whether a reset can be left out: at least one and fewer than maxUnchangedTests tests were
// played since the last reset, and they most likely changed nothing.
func (w *worker) unchanged() bool {
	return w.unchangedTests > 0 && w.unchangedTests < maxUnchangedTests
}

// changedNothing reports whether, according to HTTP, no call changed the service: each call was refused with
// a 4xx status, or its method is safe and its status below 500. It returns false if there are no results.
func changedNothing(results []client.CallResult) bool {
	for _, r := range results {
		status := r.Exchange.Reply.Status
		safe := model.IsSafeMethod(r.Exchange.Request.Method) && status > 0 && status < 500
		if !safe && status/100 != 4 {
			return false
		}
	}
	return len(results) > 0
}

// mayHaveChanged reports whether the service may have changed because of a contact: a host may have sent something,
// or a resource of the environment failed. The use of a resource that works does not count, because most services use
// files, such as a log, in each call.
func mayHaveChanged(c model.Contact) bool {
	isFault := slices.Contains(model.ResourceFaults(c.Host), model.NetFault(c.Outcome))
	return c.Kind != model.ContactUse || c.Stub >= 0 && isFault
}

// loginError returns the error of the last call if it is a *client.LoginError, otherwise nil.
func loginError(results []client.CallResult) error {
	if err, ok := errors.AsType[*client.LoginError](results[len(results)-1].Exchange.Err); ok {
		return err
	}
	return nil
}

// endError returns the error of a test that was cut short: the error of ctx, or client.ErrBudget if ctx has
// not ended.
func endError(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return client.ErrBudget
}

// contactsSoFar returns the current test and its contacts so far. Any goroutine may call it.
func (w *worker) contactsSoFar() (model.Test, []model.Contact) {
	t, contacts := w.network.contacts()
	return t, w.service.Client().MaskContacts(contacts)
}

// maxFailures is the number of failures in a row that end the run. A failure is that the service, or its reset, gave
// no answer.
const maxFailures = 5

// reset brings the service back to its first state before a test. If necessary it restarts the service. The comment
// of played.err lists the possible errors.
func (w *worker) reset(ctx, timed context.Context) error {
	for w.canStart() {
		if ok, err := w.tryReset(ctx, timed); ok || err != nil {
			return err
		}
	}
	return client.ErrBudget
}

// ensureAlive restarts the service if it has ended.
func (w *worker) ensureAlive(ctx, timed context.Context) error {
	if w.service.ExitFailure() == nil {
		return nil
	}
	return w.restart(ctx, timed)
}

// tryReset tries to reset the service once. It returns true without a reset if the service most likely has
// not changed, unless the plan resets it nevertheless. It returns false and no error if another try may succeed.
func (w *worker) tryReset(ctx, timed context.Context) (bool, error) {
	if trouble := w.service.ExitFailure(); trouble != nil {
		w.failures++
		return false, w.blamePrevious(ctx, timed, trouble, errors.New(trouble.Text))
	}
	if w.unchanged() && !occurs(w.chance, w.plan.Sampling.EveryReset) {
		return true, nil
	}
	w.network.closeStreams()
	if r := w.plan.Reset; r != nil && r.Restart {
		if err := w.network.beginStart(); err != nil {
			return false, err
		}
	}
	err := w.setUp(func() error { return w.service.Reset(timed) })
	_, wrong := errors.AsType[*sut.ResetError](err)
	switch {
	case err == nil:
		if w.service.CanReset() {
			w.service.Client().NoteReset()
		}
		w.unchangedTests = 0
		return true, nil
	case wrong:
		return false, err
	case timed.Err() != nil || errors.Is(err, client.ErrBudget):
		return false, endError(ctx)
	}
	return false, w.diagnoseReset(ctx, timed, err)
}

// diagnoseReset finds out why a reset got no answer, and restarts the service if that may help.
func (w *worker) diagnoseReset(ctx, timed context.Context, cause error) error {
	w.failures++
	trouble := w.diagnose(timed)
	switch {
	case timed.Err() != nil:
		return endError(ctx)
	case trouble != nil && trouble.Kind == "":
		return w.awaitReturn(ctx, timed)
	case trouble != nil:
		return w.blamePrevious(ctx, timed, trouble, fmt.Errorf("reset %q: %w", w.plan.Reset, cause))
	case w.failures < maxFailures:
		return nil
	}
	return &UnreachableError{fmt.Errorf("reset %q failed several times in a row: %w", w.plan.Reset, cause)}
}

// blamePrevious handles a failure that is noticed before a test. It attributes the failure to the previous test, and
// restarts the service. It returns an error after maxFailures failures in a row.
func (w *worker) blamePrevious(ctx, timed context.Context, trouble *sut.Failure, cause error) error {
	if f := w.lastTest.takeFault(trouble.Kind, trouble.Text); f != nil {
		w.lateFault = f
	}
	if w.failures >= maxFailures {
		return &UnreachableError{fmt.Errorf("no test can begin, several times in a row: %w", cause)}
	}
	return w.restart(ctx, timed)
}

// judgeEnd notes a test as the last test. If the last call got no answer, judgeEnd diagnoses the service and
// attributes the failure to a call.
func (w *worker) judgeEnd(ctx, timed context.Context, t model.Test, results []client.CallResult) error {
	n := len(results)
	x := results[n-1].Exchange
	t.Calls = t.Calls[:n]
	before := w.lastTest
	w.lastTest = lastTest{test: t, at: w.quota.lastCall(), results: results}
	_, unsendable := errors.AsType[*client.UnsendableError](x.Err)
	if x.Err == nil || unsendable || errors.Is(x.Err, client.ErrBlocked) {
		w.failures = 0
		return nil
	}
	trouble := w.diagnose(timed)
	switch {
	case timed.Err() != nil:
		return endError(ctx)
	case trouble == nil:
		w.failures = 0
		if text, ok := silenceText(x.Err); ok {
			w.silentFault = w.lastTest.takeFault(model.NoAnswer, text)
		}
		return nil
	case trouble.Kind == "":
		w.failures++
		return w.awaitReturn(ctx, timed)
	}
	w.blame(before, isUnreachedService(x.Err), trouble)
	return w.restart(ctx, timed)
}

// blame sets the fault of the call that ended the service. absent says that the service had ended before the last
// call. In this case, the fault belongs to the call before the last one, which may be a call of the previous test. In
// all other cases, or if there is no such call, the fault belongs to the last call.
func (w *worker) blame(before lastTest, absent bool, trouble *sut.Failure) {
	n := len(w.lastTest.test.Calls)
	switch {
	case absent && n > 1:
		w.lastTest = lastTest{test: *testHead(w.lastTest.test, n-1), at: w.lastTest.at - 1, results: w.lastTest.results}
	case absent && len(before.test.Calls) > 0:
		w.lateFault = before.takeFault(trouble.Kind, trouble.Text)
		return
	}
	w.silentFault = w.lastTest.takeFault(trouble.Kind, trouble.Text)
}

// diagnose returns why the service cannot be called. It returns nil if the service can be called, or if ctx
// has ended.
func (w *worker) diagnose(ctx context.Context) (t *sut.Failure) {
	w.setUp(func() error { t = w.service.Diagnose(ctx); return nil })
	w.tracker.ignoreActivity()
	return t
}

// awaitReturn handles a service that Sonde did not start and that cannot be reached. For fewer than
// maxFailures failures in a row it returns nil, so that the service may come back. After that it tries a
// restart and returns the restart's error.
func (w *worker) awaitReturn(ctx, timed context.Context) error {
	if w.failures < maxFailures {
		return nil
	}
	w.failures = 0
	return w.restart(ctx, timed)
}

// restart restarts the service. The comment of played.err lists the possible errors.
func (w *worker) restart(ctx, timed context.Context) error {
	if err := w.network.beginStart(); err != nil {
		return err
	}
	err := w.setUp(func() error { return w.service.Restart(timed) })
	w.tracker.ignoreActivity()
	switch {
	case err == nil:
		w.service.Client().NoteReset()
		w.restarts++
		return nil
	case timed.Err() != nil || errors.Is(err, client.ErrBudget):
		return endError(ctx)
	}
	return &UnreachableError{fmt.Errorf("after call %d: %w", w.lastTest.at, err)}
}

// restore finds out which users the last test has ended, tries to restore them, and returns them.
func (w *worker) restore(timed context.Context) (all []model.EndedUser) {
	all = w.tryLogIns(timed)
	for _, user := range w.users.suspectedUsers() {
		w.setUp(func() error {
			end, err := w.restoreUser(timed, user)
			switch {
			case err != nil && timed.Err() == nil && !errors.Is(err, client.ErrBudget):
				w.users.clearSuspicion(user) // no answer shows whether the user was ended, and another attempt would most likely fail, too
			case err == nil && end.User != "":
				all = append(all, end)
			}
			return err
		})
		w.tracker.ignoreActivity()
	}
	return all
}

// tryLogIns lets users log in again after the first successful call of each operation on users. It returns the users
// who cannot log in. If the service still accepts older credentials, only a new log-in shows that a user is locked
// out. This matters because exported tests always log in anew.
func (w *worker) tryLogIns(timed context.Context) (all []model.EndedUser) {
	for _, user := range w.users.loginCandidates() {
		w.setUp(func() error {
			err := w.service.Client().TryLogIn(timed, user)
			if _, refused := errors.AsType[*client.LoginError](err); refused {
				all = append(all, w.users.lock(user))
				return nil
			}
			return err
		})
	}
	if w.users != nil {
		w.users.loginUntested = nil
	}
	return all
}

// restoreUser finds out whether the service still accepts a user, and otherwise tries to restore the user. It
// returns the zero EndedUser if the user was not ended.
func (w *worker) restoreUser(ctx context.Context, user string) (end model.EndedUser, err error) {
	made, accepted, loggedOut, err := w.tryUser(ctx, user)
	switch {
	case err != nil:
		return end, err
	case accepted && !made:
		w.users.clearSuspicion(user)
		return end, nil
	case !accepted && w.service.CanReset():
		if err := w.service.Reset(ctx); err != nil {
			return end, err
		}
		w.service.Client().NoteReset()
		w.unchangedTests = 0
		_, accepted, _, err = w.tryUser(ctx, user)
		if err != nil {
			return end, err
		}
	}
	return w.users.markEnded(user, accepted, loggedOut), nil
}

// tryUser creates the user again if the plan says how, logs in, and finds out whether the service accepts the
// user. made is true if the user was created. loggedOut is true if the log-in failed.
func (w *worker) tryUser(ctx context.Context, user string) (made, accepted, loggedOut bool, err error) {
	made, err = w.service.Client().RestoreUser(ctx, user)
	if _, refused := errors.AsType[*client.LoginError](err); refused {
		return made, false, true, nil
	}
	if err != nil {
		return false, false, false, err
	}
	accepted, err = w.accepts(ctx, user)
	return made, accepted, false, err
}

// accepts reports whether the service accepts a user. It repeats a few GETs that the service accepted from the user
// before.
//   - A 401 means no.
//   - Any other answer means yes, if the operation refuses anonymous calls. If that is not known, accepts tries an
//     anonymous call.
//   - If no GET decides, the answer is yes, unless several operations have refused the user.
func (w *worker) accepts(ctx context.Context, user string) (bool, error) {
	for _, r := range w.users.acceptedReads(user) {
		x := w.service.Client().SendAs(ctx, user, r)
		switch {
		case x.Err != nil:
			return false, x.Err
		case x.Reply.Status == 401:
			return false, nil
		case w.users.protected[r.Op]:
			return true, nil
		}
		x = w.service.Client().Send(ctx, r)
		if x.Err != nil {
			return false, x.Err
		}
		w.users.noteAnonymous(r.Op, x.Reply.Status)
		if w.users.protected[r.Op] {
			return true, nil
		}
	}
	return !w.users.refusedBySeveral(user), nil
}
