package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/oracle"
	"sonde/runner/sut"
)

// ending is where a test ended.
type ending struct {
	test model.Test // as far as it was sent; without calls once it was blamed
	at   int        // the number of the last call

	results []client.Result // of the calls, and maybe of more
}

// blame makes a fault of the last call, once; nil where there was none.
func (e *ending) blame(kind model.FaultKind, text string) *model.Fault {
	n := len(e.test.Calls)
	if n == 0 {
		return nil
	}
	f := &model.Fault{
		Op: e.test.Calls[n-1].Op, Oracle: string(kind), Severity: oracle.SeverityOf(string(kind)),
		Expected: "an answer, and a service that lives on", Text: model.Excerpt([]byte(text)), Calls: n, At: e.at, Test: head(e.test, n),
		Seen: seenIn(e.results[:min(n, len(e.results))]),
	}
	e.test.Calls = nil
	return f
}

// failed is what a test covers that left the service without an answer: a
// target of its own. The fault may be nil.
func failed(f *model.Fault) []model.Score {
	if f == nil {
		return nil
	}
	return []model.Score{{Target: fmt.Sprintf("%s %s", f.Op, f.Label()), H: 1}}
}

// patience is how many tests in a row may fail because nobody is there, or
// because the reset does, before the run ends.
const patience = 5

// fresh brings the service into its first state so that a test can begin, if
// need be by starting it again; the error is as play's.
func (c *caller) fresh(ctx, timed context.Context) error {
	for c.room() {
		if ok, err := c.refresh(ctx, timed); ok || err != nil {
			return err
		}
	}
	return client.ErrBudget
}

// alive starts a service again that has died, and leaves any other as it is.
func (c *caller) alive(ctx, timed context.Context) error {
	if c.service.Died() == nil {
		return nil
	}
	return c.revive(ctx, timed)
}

// refresh tries to once. Where it fails but another try may not, there is no
// error.
func (c *caller) refresh(ctx, timed context.Context) (bool, error) {
	if trouble := c.service.Died(); trouble != nil {
		c.failures++
		return false, c.belated(ctx, timed, trouble, errors.New(trouble.Text))
	}
	if c.untouched() {
		return true, nil
	}
	c.network.hangUp()
	err := c.setUp(func() error { return c.service.Reset(timed) })
	_, wrong := errors.AsType[*sut.Failed](err)
	switch {
	case err == nil:
		if c.service.Resets() {
			c.service.Client().AfterReset()
		}
		c.still = 0
		return true, nil
	case wrong:
		return false, err
	case timed.Err() != nil || errors.Is(err, client.ErrBudget):
		return false, ended(ctx)
	}
	return false, c.unreset(ctx, timed, err)
}

// unreset finds out why a reset got no answer.
func (c *caller) unreset(ctx, timed context.Context, cause error) error {
	c.failures++
	trouble := c.examine(timed)
	switch {
	case timed.Err() != nil:
		return ended(ctx)
	case trouble != nil && trouble.Kind == "":
		return c.gone(ctx, timed)
	case trouble != nil:
		return c.belated(ctx, timed, trouble, fmt.Errorf("reset %q: %w", c.plan.Reset, cause))
	case c.failures < patience:
		return nil
	}
	return &Unreachable{fmt.Errorf("reset %q gets no answer time and again: %w", c.plan.Reset, cause)}
}

// belated blames the last test for what was noticed only before the next one,
// and starts the service again, for some times.
func (c *caller) belated(ctx, timed context.Context, trouble *sut.Trouble, cause error) error {
	if f := c.last.blame(trouble.Kind, trouble.Text); f != nil {
		c.late = f
	}
	if c.failures >= patience {
		return &Unreachable{fmt.Errorf("no test can begin, time and again: %w", cause)}
	}
	return c.revive(ctx, timed)
}

// judge looks at how a test ended, and at the service where that was without an
// answer.
func (c *caller) judge(ctx, timed context.Context, t model.Test, results []client.Result) error {
	n := len(results)
	x := results[n-1].Exchange
	t.Calls = t.Calls[:n]
	before := c.last
	c.last = ending{test: t, at: c.purse.at(), results: results}
	_, unsendable := errors.AsType[*client.Unsendable](x.Err)
	if x.Err == nil || unsendable || errors.Is(x.Err, client.ErrBarred) {
		c.failures = 0
		return nil
	}
	trouble := c.examine(timed)
	switch {
	case timed.Err() != nil:
		return ended(ctx)
	case trouble == nil:
		c.failures = 0
		if text, ok := silence(x.Err); ok {
			c.broken = c.last.blame(model.NoAnswer, text)
		}
		return nil
	case trouble.Kind == "":
		c.failures++
		return c.gone(ctx, timed)
	}
	c.condemn(before, absent(x.Err), trouble)
	return c.revive(ctx, timed)
}

// condemn blames a call for the end of the service: the last, or where nobody
// took its connection the one before, which may be of the test before.
func (c *caller) condemn(before ending, absent bool, trouble *sut.Trouble) {
	n := len(c.last.test.Calls)
	switch {
	case absent && n > 1:
		c.last = ending{test: *head(c.last.test, n-1), at: c.last.at - 1, results: c.last.results}
	case absent && len(before.test.Calls) > 0:
		c.late = before.blame(trouble.Kind, trouble.Text)
		return
	}
	c.broken = c.last.blame(trouble.Kind, trouble.Text)
}

func (c *caller) examine(ctx context.Context) (t *sut.Trouble) {
	c.setUp(func() error { t = c.service.Examine(ctx); return nil })
	c.watch.calm()
	return t
}

// gone waits for a service that is not ours and has gone to come back, for some
// tests.
func (c *caller) gone(ctx, timed context.Context) error {
	if c.failures < patience {
		return nil
	}
	c.failures = 0
	return c.revive(ctx, timed)
}

// revive starts the service again.
func (c *caller) revive(ctx, timed context.Context) error {
	err := c.setUp(func() error { return c.service.Restart(timed) })
	c.watch.calm()
	switch {
	case err == nil:
		c.service.Client().AfterReset()
		c.restarts++
		return nil
	case timed.Err() != nil || errors.Is(err, client.ErrBudget):
		return ended(ctx)
	}
	return &Unreachable{fmt.Errorf("after call %d: %w", c.last.at, err)}
}

// absent reports whether the service was gone before the call: it accepted no
// connection. Where an earlier connection took the request and then ended, the
// call may well have ended the service.
func absent(err error) bool {
	_, lost := errors.AsType[*client.Lost](err)
	return client.Dialled(err) && !lost
}

// unsent reports whether the request of a call never left, so that its answer
// says nothing of the service: it cannot be sent, or the log-in before it got no
// answer.
func unsent(err error) bool {
	_, unsendable := errors.AsType[*client.Unsendable](err)
	_, before := errors.AsType[*client.LoginSilent](err)
	return unsendable || before
}

// silence tells in which way a service that lives left a call without an
// answer. It is not the service's doing where no connection was accepted or the
// request did not leave. The client has tried a new connection before it fails.
func silence(err error) (text string, ok bool) {
	switch {
	case client.Dialled(err), unsent(err):
		return "", false
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time", true
	case hungUp(err), client.StreamReset(err):
		return "the connection was closed without an answer", true
	}
	text = err.Error()
	return "no HTTP came: " + text, strings.Contains(text, "malformed") || strings.Contains(text, "HTTP/1.x transport connection broken")
}

// hungUp reports whether the service closed the connection of a call, which was a
// new one: see client.Send.
func hungUp(err error) bool {
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, end) {
			return true
		}
	}
	return strings.Contains(err.Error(), "server closed idle connection") // before the request was written
}
