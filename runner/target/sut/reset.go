package sut

import (
	"context"
	"errors"
	"fmt"
	"net/textproto"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/runner/target/redact"
)

// ResetError is the error of a reset that failed: a request that was refused, a command, a restart, or
// the reset by a driver.
type ResetError struct {
	Reset model.Reset
	Text  string // such as "answered 500" or "failed: exit status 1"
}

func (e *ResetError) Error() string {
	return fmt.Sprintf("reset %q %s: without it tests disturb each other", e.Reset, e.Text)
}

// resetter resets a service by a request or a command. If the plan resets by a restart, the Service
// restarts instead of using its resetter. A nil resetter does nothing.
type resetter struct {
	reset   model.Reset
	request model.Request
	at      commandEnv
	mask    *redact.Matcher
	clean   func(context.Context) error // see Options.Clean
}

// maxReset is how long a reset command may take.
const maxReset = time.Minute

// newResetter checks the reset of a plan and returns its resetter, nil if the plan has no reset. clean is nil if the service
// cannot clean its databases.
func newResetter(p model.Plan, at commandEnv, clean func(context.Context) error) (*resetter, error) {
	if p.Reset == nil {
		return nil, nil
	}
	r := &resetter{reset: *p.Reset, at: at, mask: secretMatcher(p), clean: clean}
	switch {
	case r.reset.Snapshots != "":
		return nil, errors.New("only exported tests restore snapshots of the service's state: run them in their own language")
	case r.reset.Restart && p.Service == nil:
		return nil, errors.New("reset by restart needs a service that sonde starts: give its start command, or reset by a request")
	case r.reset.Clean && clean == nil:
		return nil, errClean
	case r.reset.Restart, r.reset.Clean, len(r.reset.Command) > 0:
		return r, nil
	}
	r.request = model.Request{Method: r.reset.Method, URL: r.reset.Path, Header: map[string][]string{}}
	for name, value := range r.reset.Header {
		value, err := expand(value)
		if err != nil {
			return nil, fmt.Errorf("the reset's header %q %w", name, err)
		}
		r.request.Header[textproto.CanonicalMIMEHeaderKey(name)] = []string{value}
	}
	if body := r.reset.Body; body != nil {
		r.request.Body = []byte(body.Data)
		r.request.Header["Content-Type"] = []string{body.Media}
	}
	return r, nil
}

// errClean is the error of a reset by clean for a service that cannot clean its databases.
var errClean = errors.New("reset by clean needs a Go service that sonde builds for this run: say sut: {build: ./cmd/server} in " +
	"sonde.yaml, or reset by a request")

// cost returns the number of requests that run sends, without retries.
func (r *resetter) cost() int {
	if r == nil || r.reset.Restart || r.reset.Clean || len(r.reset.Command) > 0 {
		return 0
	}
	return 1
}

// run sends the reset request, runs the reset command, or has the service clean its databases. The reset must not be a
// restart.
func (r *resetter) run(ctx context.Context, c *client.Client) error {
	switch {
	case r == nil:
		return nil
	case len(r.reset.Command) > 0:
		return r.command(ctx)
	case r.reset.Clean:
		return r.clean(ctx)
	}
	x := c.Send(ctx, r.request)
	switch {
	case x.Err == nil && x.Reply.Status == 429:
		return &ResetError{r.reset, "answered 429: lower the rate of requests with --rate"}
	case x.Err == nil && x.Reply.Status/100 != 2:
		return &ResetError{r.reset, fmt.Sprintf("answered %d", x.Reply.Status)}
	}
	return x.Err
}

// command runs the reset command.
func (r *resetter) command(ctx context.Context) error {
	why, err := runToEnd(ctx, r.at.args(r.reset.Command), r.at, r.mask, maxReset)
	if why != "" {
		return &ResetError{r.reset, why}
	}
	return err
}

// runToEnd runs a command to its end, or kills it after atMost. When the command ends, the processes that it started
// in the background are not killed, because the service may be one of them. why says what went wrong, such as
// "failed: exit status 1"; it is "" if nothing did. err is the error of ctx if ctx ended before the command.
func runToEnd(ctx context.Context, args []string, at commandEnv, mask *redact.Matcher, atMost time.Duration) (why string, err error) {
	l := &serviceLog{mask: mask}
	p, err := launch(args, at, l, true)
	if err != nil {
		return "failed: " + err.Error(), nil
	}
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	select {
	case <-p.exited:
		if p.cmd.ProcessState.Success() {
			return "", nil
		}
		closedWithin(p.drained, grace)
		return "failed: " + p.exitState() + quoted(", ", l.failureLine()), nil
	case <-ctx.Done():
		p.kill()
		return "", ctx.Err()
	case <-timer.C:
		p.kill()
		return fmt.Sprintf("did not end within %v", atMost), nil
	}
}
