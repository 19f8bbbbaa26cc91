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

// await waits until the service can be called, has ended, or has taken too long. No request is
// sent while no program listens on the port; after that they become rarer, because they count
// against the budget.
func (s *started) await(ctx context.Context) error {
	limit := cmp.Or(s.plan.Service.Ready.Timeout, 30*time.Second)
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	alive, stop := s.process.while(timed)
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

// while returns a context that ends with the process.
func (p *process) while(ctx context.Context) (context.Context, context.CancelFunc) {
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

// wait waits for a duration and reports whether the context is still valid.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// ready returns nil if the service answers the ready check as configured.
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

func get(ctx context.Context, c *client.Client, path string) (status int, err error) {
	x := c.SendOnce(ctx, model.Request{Method: "GET", URL: "/" + strings.TrimPrefix(path, "/")})
	return x.Reply.Status, x.Err
}

// unready returns the error of a service that did not become ready; last is the result of the last
// check.
func (s *started) unready(ctx context.Context, limit time.Duration, last error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	name := s.plan.Service.Command[0]
	ended := s.process.ended()
	s.process.kill()
	if ended {
		return fmt.Errorf("service %q ended before it was ready: %s%s", name, s.process.how(), s.said())
	}
	return fmt.Errorf("service %q was not ready within %v: %w%s", name, limit, last, s.said())
}

// said quotes the last lines of the log.
func (s *started) said() string {
	lines := s.journal.last(3)
	if len(lines) == 0 {
		return "; it printed nothing"
	}
	return fmt.Sprintf("; it printed %q", lines)
}

// maxCheck is how long a service may take to answer a call that only checks whether it runs.
const maxCheck = 5 * time.Second

func (s *started) ExitFailure() *Failure {
	if s.process == nil || !s.process.ended() {
		return nil
	}
	s.process.kill() // also ends its children and waits for its last output
	return &Failure{model.ServiceDied, "service died: " + s.process.how() + quoted(", ", s.journal.failureLine())}
}

func (s *started) Diagnose(ctx context.Context) *Failure {
	if s.process == nil {
		return &Failure{model.ServiceDied, "service could not be started"}
	}
	if t := s.ExitFailure(); t != nil {
		return t
	}
	path := cmp.Or(s.plan.Service.Ready.Path, "/")
	err := lives(ctx, s.client, path)
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
	return &Failure{model.ServiceHangs, "service hangs: " + why + quoted(", ", s.journal.failureLine())}
}

// lives returns nil if the service answers at all, and client.ErrBudget if it accepts connections
// and the budget is used up.
func lives(ctx context.Context, c *client.Client, path string) error {
	ctx, cancel := context.WithTimeout(ctx, maxCheck)
	defer cancel()
	if c.CheckReachable(ctx) != nil {
		return errors.New("it accepts no connection")
	}
	_, err := get(ctx, c, path)
	return err
}
