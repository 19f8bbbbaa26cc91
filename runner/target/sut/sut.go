// Package sut manages the service under test: it starts the service if that is ours to do, waits
// until it can be called, resets it between tests, diagnoses it when a call got no answer,
// restarts it, and stops it with all of its processes. It does not send the calls of tests; see
// package client.
package sut

import (
	"context"
	"fmt"
	"os/exec"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/runner/target/driver"
)

// Service is the service under test, whoever started it. It is for one goroutine; each worker has
// a copy of its own.
type Service interface {
	// Start starts the service, if it is ours to start, and returns when it can be called. The
	// error is one line, client.ErrBudget or the context's; after it nothing runs.
	Start(ctx context.Context) error
	// Client returns the client of the service. It changes when Start, Reset or Restart had to
	// move the service to another port.
	Client() *client.Client
	// CanReset reports whether a reset is configured.
	CanReset() bool
	// ResetCost returns the least number of requests of a reset.
	ResetCost() int
	// Reset brings the service back to its first state, if CanReset. The error is
	// client.ErrBudget, a *ResetError, or that of the network.
	Reset(ctx context.Context) error
	// ExitFailure returns at once why the service's process has ended, nil if it is not known to have.
	ExitFailure() *Failure
	// Diagnose finds out what happened to the service when a call got no answer; nil means that it
	// can be called.
	Diagnose(ctx context.Context) *Failure
	// Restart restarts a service, whatever state it is in. The errors are those of Start; a
	// service that is not ours to start cannot be restarted.
	Restart(ctx context.Context) error
	// Stop ends what Start began, and closes the client's idle connections.
	Stop()
}

// Failure is why a service cannot be called.
type Failure struct {
	// Kind is model.ServiceDied or model.ServiceHangs, or "" for a service that is not ours and
	// cannot be reached.
	Kind model.FaultKind
	// Text is one line that is safe to print.
	Text string
}

// Options are what a Service needs besides its plan. The zero value is useful.
type Options struct {
	// Client are the options of the client. Ready checks, diagnoses and resets are sent through it
	// and count against its budget.
	Client client.Options
	// Copy is the number of this copy of the service, from 0.
	Copy int
	// Driver are the options for the plan's driver, if it has one.
	Driver *driver.Driver
	// Env is added to the environment of a service that is ours to start.
	Env []string
	// Network is the virtual network of a service that is ours to start; nil is the real one.
	Network Network
}

// Network is a virtual network for one copy of the service. The network also provides the ports of
// the service, so that copies with the same port do not conflict.
type Network interface {
	// BindPort records the real port of a port of the service.
	BindPort(port, real int)
	// PrepareCommand prepares a command that is about to start as the next process of the service. The
	// caller passes the result of the start to entered, which returns it, or why the process is
	// not on the network.
	PrepareCommand(c *exec.Cmd) (entered func(started error) error, err error)
	// ProcessEnded is called when the process has ended.
	ProcessEnded()
}

// Open checks the service of a plan and returns it. Nothing is called or started yet.
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
	r.reset, err = newResetter(p, commandEnvAt(portOf(p.BaseURL)))
	return r, err
}

// remote is a service that Sonde does not start.
type remote struct {
	base   string
	client *client.Client
	reset  *resetter
}

func (r *remote) Start(ctx context.Context) error { return r.client.CheckReachable(ctx) }
func (r *remote) Client() *client.Client          { return r.client }
func (r *remote) CanReset() bool                  { return r.reset != nil }
func (r *remote) ResetCost() int                  { return r.reset.cost() }
func (r *remote) ExitFailure() *Failure           { return nil }
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
