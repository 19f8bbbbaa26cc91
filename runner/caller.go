package runner

import (
	"context"
	"errors"
	"slices"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/driver"
	"sonde/runner/probe"
	"sonde/runner/sut"
)

// caller plays tests on one copy of the service, with a reset before each. One
// goroutine at a time owns it.
type caller struct {
	plan     model.Plan
	purse    purse
	service  sut.Service
	watch    *watch         // nil where nobody sees into the service
	network  *network       // nil for the real one
	driver   *driver.Driver // of the copy, nil where it has none
	failures int            // tests in a row after which nobody was there
	restarts int            // for the test of this moment
	last     ending
	still    int             // tests since the last reset, if none of them changed anything
	standing *standing       // nil where nobody looks after users
	contacts []model.Contact // of the service in the test of this moment
	broken   *model.Fault    // how the service failed in the last test without an answer, if it did
	late     *model.Fault    // the same for the test before, where it is known only now
}

// newCaller checks the plan. The copy has a number, from 0; its requests leave at
// the pace of all. The manifest is that of its probes, nil where it has none.
func newCaller(p model.Plan, hosts []string, number int, pace *client.Pace, m *probe.Manifest) (*caller, error) {
	if number > 0 && p.Service == nil && p.Driver == nil {
		p.BaseURL = p.Copies[number-1]
	}
	c := &caller{plan: p}
	if p.Driver != nil && p.Reset == nil {
		c.plan.Reset = &sut.DriverReset
	}
	env, err := c.look(m, hosts)
	if err != nil {
		return nil, err
	}
	c.network, err = newNetwork(p.Net)
	if err != nil {
		c.watch.close()
		return nil, err
	}
	o := sut.Options{Copy: number, Env: env, Driver: c.driver, Client: client.Options{
		AllowHosts: hosts, Users: p.Users, Take: c.purse.take, TakeLogin: c.purse.takeLogin, Timeout: p.Timeout,
		Pace: pace, Insecure: p.Insecure, TLS: p.TLS, Before: c.network.calling(), Behind: c.watch.behind(),
		Barred: func(r model.Request) bool { return c.standing.bars(r) },
	}}
	if c.network != nil {
		o.Network = c.network
	}
	c.service, err = sut.Open(p, o)
	if err != nil {
		c.close()
	}
	return c, err
}

// close lets go of what sees into the service and of what is around it.
func (c *caller) close() {
	c.watch.close()
	c.network.close()
}

// look lets the caller see by the service's driver or probes, if it has any. Env is
// what its environment needs for that.
func (c *caller) look(m *probe.Manifest, hosts []string) (env []string, err error) {
	switch {
	case c.plan.Driver != nil:
		c.driver = driver.New(driver.Options{AllowHosts: hosts, Insecure: c.plan.Insecure, TLS: c.plan.TLS})
		c.watch = &watch{eye: newDriving(c.driver), blind: c.plan.Driver.Blind}
		return nil, nil
	case m == nil:
		return nil, nil
	}
	p, err := newProbed(m)
	if err != nil {
		return nil, err
	}
	p.reader.Operands(c.plan.Sampling.Operands > 0 && !c.plan.Probes.Blind)
	c.watch = &watch{eye: p, blind: c.plan.Probes.Blind}
	return []string{p.memory.Env()}, nil
}

// start starts the service if it is ours to start, and looks whether it is
// there.
func (c *caller) start(ctx context.Context) error {
	err := c.setUp(func() error { return c.service.Start(ctx) })
	if err != nil && ctx.Err() == nil && !errors.Is(err, client.ErrBudget) {
		return &Unreachable{err}
	}
	return err
}

// setUp does something whose requests are not of a test.
func (c *caller) setUp(do func() error) (err error) {
	c.purse.during(func() { err = do() })
	return err
}

// room reports whether the purse lets a test begin.
func (c *caller) room() bool { return c.purse.left > c.service.Cost() }

// played is what came of a test.
type played struct {
	// test has the statuses that came and the links closed: see client.Play.
	test model.Test
	// results are of the calls that were sent; without any the test tells nothing.
	results []client.Result
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
	sooner []near
	// compared is what the service compared in it.
	compared []model.Compared
	// ended are the users whom the service does not accept any more since the test.
	ended []model.Ended
	// short tells that the budget did not let all of it be sent.
	short bool
	// err says why no more tests can be played: client.ErrBudget, the context's, a
	// *sut.Failed, a *client.LoginError or an *Unreachable.
	err error
}

// play resets the service and plays a test. It is cut short when timed ends,
// which ends with ctx or before.
func (c *caller) play(ctx, timed context.Context, t model.Test) played {
	return c.begun(ctx, timed, t, c.fresh)
}

// goOn is play without the reset: the service is as it was left.
func (c *caller) goOn(ctx, timed context.Context, t model.Test) played {
	return c.begun(ctx, timed, t, c.alive)
}

// begun plays a test once the service is ready for it.
func (c *caller) begun(ctx, timed context.Context, t model.Test, ready func(ctx, timed context.Context) error) played {
	c.broken, c.late, c.restarts, c.contacts = nil, nil, 0, nil
	p := played{test: t}
	c.watch.before(timed)
	p.err = ready(ctx, timed)
	if p.err == nil {
		p.test, p.results, p.err = c.try(ctx, timed, t)
	}
	if c.watch != nil {
		c.watch.conclude(timed)
		p.seen, p.setUp, p.belated, p.marks, p.unseen = c.watch.seen, c.watch.setUp, c.watch.late, c.watch.marks, c.watch.err
		p.compared, p.sooner = c.watch.compared, c.watch.sooner
	}
	if p.err == nil {
		c.standing.see(p.test, p.results)
		p.ended = c.restore(timed)
	}
	p.contacts, p.start, p.open = c.contacts, c.service.Client().Contacts(c.network.start()), c.network.open()
	p.at, p.restarts, p.broken, p.late = c.purse.at(), c.restarts, c.broken, c.late
	return p
}

func (c *caller) try(ctx, timed context.Context, t model.Test) (model.Test, []client.Result, error) {
	if err := c.network.begin(t); err != nil {
		return t, nil, err
	}
	c.watch.begin(timed)
	c.network.speak()
	done, results := c.service.Client().Play(timed, c.plan.Spec, t)
	c.watch.end()
	c.contacts = c.service.Client().Contacts(c.network.end())
	c.still++
	if !harmless(results) || len(c.contacts) > 0 { // what hosts said may have changed something
		c.still = 0
	}
	if timed.Err() != nil || len(results) == 0 {
		return t, nil, ended(ctx)
	}
	if err := lockedOut(results); err != nil {
		return t, nil, err
	}
	return done, results, c.judge(ctx, timed, done, results)
}

// mostStill is after how many tests that changed nothing the service is reset all
// the same: it might not keep to what its methods and statuses promise.
const mostStill = 10

// untouched reports whether the service is as it was after the last reset.
func (c *caller) untouched() bool { return c.still > 0 && c.still < mostStill }

// harmless reports whether calls left the service as it was, as far as HTTP says:
// their methods are safe, or they were refused.
func harmless(results []client.Result) bool {
	for _, r := range results {
		status := r.Exchange.Reply.Status
		safe := slices.Contains([]string{"GET", "HEAD", "OPTIONS"}, r.Exchange.Request.Method) && status > 0 && status < 500
		if !safe && status/100 != 4 {
			return false
		}
	}
	return len(results) > 0
}

// lockedOut returns the error of a log-in that never worked, if a test ended in
// one.
func lockedOut(results []client.Result) error {
	if err, ok := errors.AsType[*client.LoginError](results[len(results)-1].Exchange.Err); ok {
		return err
	}
	return nil
}

// ended is the error of a test that was cut short: by somebody, or else by the
// budget.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return client.ErrBudget
}

// soFar is what the service did with the network in the test that goes on.
func (c *caller) soFar() []model.Contact {
	return c.service.Client().Contacts(c.network.soFar())
}
