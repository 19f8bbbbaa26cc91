package sut

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
)

// waitUntilReady waits until the service can be called. It returns an error if the service ends or is
// not ready in time, if ctx ends, or if the budget is used up. It sends no request while no program
// listens on the port. The pauses between checks grow, because requests count against the budget.
func (s *started) waitUntilReady(ctx context.Context) error {
	limit := cmp.Or(s.plan.Service.Ready.Timeout, 30*time.Second)
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	alive, stop := s.process.contextUntilExit(timed)
	defer stop()
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		err := s.ready(alive)
		if err == nil || errors.Is(err, client.ErrBudget) {
			return err
		}
		if !wait(alive, pause) {
			return s.unready(ctx, limit, err)
		}
	}
}

// contextUntilExit returns a context that ends when the process or ctx ends.
func (p *process) contextUntilExit(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-p.exited:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// wait waits for a duration, or until the context ends. It reports whether the context is still
// valid.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// ready returns nil if a program listens on the service's port. If the plan has a ready check, the program must also
// answer it with the status of the plan, or with any status below 500 if the plan has no status.
func (s *started) ready(ctx context.Context) error {
	if s.client.CheckReachable(ctx) != nil {
		return fmt.Errorf("no program listens on port %d", s.at.port)
	}
	want := s.plan.Service.Ready
	if want.Path == "" {
		return nil
	}
	status, err := get(ctx, s.client, want.Path)
	switch {
	case errors.Is(err, client.ErrBudget):
		return err
	case err != nil:
		return fmt.Errorf("GET %s got no answer", want.Path)
	case want.Status == 0 && status >= 500, want.Status != 0 && want.Status != status:
		return fmt.Errorf("GET %s answered %d", want.Path, status)
	}
	return nil
}

// get sends one GET request, without retries.
func get(ctx context.Context, c *client.Client, path string) (status int, err error) {
	x := c.SendOnce(ctx, model.Request{Method: "GET", URL: "/" + strings.TrimPrefix(path, "/")})
	return x.Reply.Status, x.Err
}

// unready returns the error of a service that did not become ready, and kills the service. If ctx has ended, it
// returns the error of ctx and does not kill the service. last is the error of the last check.
func (s *started) unready(ctx context.Context, limit time.Duration, last error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	name := s.plan.Service.Command[0]
	ended := s.process.ended()
	s.process.kill()
	if ended {
		return fmt.Errorf("service %q ended before it was ready: %s%s", name, s.process.exitState(), s.printed())
	}
	return fmt.Errorf("service %q was not ready within %v: %w%s", name, limit, last, s.printed())
}

// printed quotes the last three lines of the service's output for an error.
func (s *started) printed() string {
	lines := s.log.last(3)
	if len(lines) == 0 {
		return "; it printed nothing"
	}
	return fmt.Sprintf("; it printed %q", lines)
}

// maxCheck is how long a service may take to answer a request that only checks whether it runs.
const maxCheck = 5 * time.Second

func (s *started) ExitFailure() *Failure {
	if s.process == nil || !s.process.ended() {
		return nil
	}
	s.process.kill() // ends the children and waits for the last output
	return &Failure{model.ServiceDied, "service died: " + s.process.exitState() + quoted(", ", s.log.failureLine())}
}

func (s *started) Diagnose(ctx context.Context) *Failure {
	if s.process == nil {
		return &Failure{model.ServiceDied, "service could not be started"}
	}
	if t := s.ExitFailure(); t != nil {
		return t
	}
	path := cmp.Or(s.plan.Service.Ready.Path, "/")
	err := checkAnswers(ctx, s.client, path)
	hangs := errors.Is(err, context.DeadlineExceeded)
	if err != nil && !hangs {
		s.process.endsWithin(grace) // a process closes its connections before it has ended
	}
	if t := s.ExitFailure(); t != nil || err == nil || ctx.Err() != nil || errors.Is(err, client.ErrBudget) {
		return t
	}
	why := plain(err.Error())
	if hangs {
		why = fmt.Sprintf("GET %s gets no answer either", path)
	}
	return &Failure{model.ServiceHangs, "service hangs: " + why + quoted(", ", s.log.failureLine())}
}

// checkAnswers returns nil if the service answers a GET with any status. It returns client.ErrBudget
// if the service accepts connections but the budget is used up.
func checkAnswers(ctx context.Context, c *client.Client, path string) error {
	ctx, cancel := context.WithTimeout(ctx, maxCheck)
	defer cancel()
	if c.CheckReachable(ctx) != nil {
		return errors.New("it accepts no connection")
	}
	_, err := get(ctx, c, path)
	return err
}
