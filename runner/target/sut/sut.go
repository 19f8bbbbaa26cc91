// Package sut looks after the service under test: it starts it where that is
// ours to do, waits until it can be called, brings it back to its first state
// between tests, finds out what became of it when a call got no answer, starts
// it again, and stops it so that nothing of it is left behind.
package sut

import (
	"context"
	"fmt"
	"os/exec"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/runner/target/driver"
)

// Service is the service under test, whoever started it. It is for one
// goroutine; workers have a copy each.
type Service interface {
	// Start starts the service, if it is ours to start, and returns when it can
	// be called. The error is of one line, client.ErrBudget or the context's;
	// after it nothing runs.
	Start(ctx context.Context) error
	// Client talks to the service. It is another one when Start, Reset or Restart
	// had to move the service to another port.
	Client() *client.Client
	// CanReset reports whether somebody knows how to reset the service.
	CanReset() bool
	// ResetCost is the number of requests that a reset takes at least.
	ResetCost() int
	// Reset brings the service back to its first state, if it Resets. The error
	// is client.ErrBudget, a *Failed, or that of the network.
	Reset(ctx context.Context) error
	// Died tells at once whether the service's process is known to have ended.
	Died() *Failure
	// Diagnose finds out what became of the service when a call got no answer;
	// nil means that it can be called.
	Diagnose(ctx context.Context) *Failure
	// Restart starts a service again, whatever state it is in. The error is as
	// Start's; a service that is not ours to start cannot be.
	Restart(ctx context.Context) error
	// Stop ends what Start began, and closes the client's idle connections.
	Stop()
}

// Failure is what keeps a service from being called.
type Failure struct {
	// Kind is model.ServiceDied or model.ServiceHangs, or "" for a service that
	// is not ours and cannot be reached.
	Kind model.FaultKind
	// Text says more, in one line that is safe to print.
	Text string
}

// Options are what a Service needs besides its plan. The zero value is useful.
type Options struct {
	// Client are the options of the client. Ready checks and requests that
	// reset or examine go through it, too, and so are asked for by its Take.
	Client client.Options
	// Copy is the number of this copy of the service, from 0.
	Copy int
	// Driver is how to talk to the plan's driver, if it has one.
	Driver *driver.Driver
	// Env is added to the environment of a service that is ours to start.
	Env []string
	// Network is what a service that is ours to start has around it; nil is the real
	// one.
	Network Network
}

// Network is a virtual network under one copy of the service. Its own ports are the
// network's, too, so that copies on one port are not in each other's way.
type Network interface {
	// Bind says which real port a port of the service is.
	Bind(port, real int)
	// Enter lets a command that is about to start be the next process of the service.
	// Entered is told what came of that, and returns it, or why it has no network.
	Enter(c *exec.Cmd) (entered func(started error) error, err error)
	// Leave is called when it has ended.
	Leave()
}

// Open checks what a plan says of its service and returns it; nothing is called
// or started yet.
func Open(p model.Plan, o Options) (Service, error) {
	switch {
	case p.Driver != nil:
		return drive(p, o)
	case p.Service != nil:
		return prepare(p, o)
	}
	c, err := client.New(p.BaseURL, o.Client)
	if err != nil {
		return nil, err
	}
	r := &remote{base: p.BaseURL, client: c}
	r.reset, err = newResetter(p, placeAt(portOf(p.BaseURL)))
	return r, err
}

// remote is a service that somebody else started.
type remote struct {
	base   string
	client *client.Client
	reset  *resetter
}

func (r *remote) Start(ctx context.Context) error { return r.client.CheckReachable(ctx) }
func (r *remote) Client() *client.Client          { return r.client }
func (r *remote) CanReset() bool                  { return r.reset != nil }
func (r *remote) ResetCost() int                  { return r.reset.cost() }
func (r *remote) Died() *Failure                  { return nil }
func (r *remote) Stop()                           { r.client.Close() }

func (r *remote) Reset(ctx context.Context) error { return r.reset.run(ctx, r.client) }

func (r *remote) Diagnose(ctx context.Context) *Failure {
	if err := r.client.CheckReachable(ctx); err != nil {
		return &Failure{Text: err.Error()}
	}
	return nil
}

func (r *remote) Restart(context.Context) error {
	return fmt.Errorf("%q stopped answering: see its log, then start it again", r.base)
}
