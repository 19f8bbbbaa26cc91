// Package sut manages the service under test: it starts, resets, restarts and stops the service, and
// finds out what is wrong if a call gets no answer. Sonde starts the service itself if the plan has a
// start command; otherwise a driver or the user starts it. The package does not send the calls of
// tests; package client does.
package sut

import (
	"context"
	"fmt"
	"os/exec"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/runner/target/driver"
)

// Service is one copy of the service under test. It is for one goroutine; each worker has its own
// copy.
type Service interface {
	// Start starts the service, unless the user starts it, and returns when the service can be
	// called. The error is one line, client.ErrBudget or the context's error. If Sonde starts the
	// service without a driver, no process of the service runs after an error.
	Start(ctx context.Context) error
	// Client returns the client of the service. After Start, Reset and Restart it may be another
	// client, because the service may have another port.
	Client() *client.Client
	// CanReset reports whether a reset is configured. It is true for each service with a driver.
	CanReset() bool
	// ResetCost returns the minimum number of requests to the service that a reset sends.
	ResetCost() int
	// Reset brings the service back to its first state. It does nothing if CanReset is false. The
	// error is client.ErrBudget, a *ResetError, the context's error, or why the reset request got no
	// answer or a database could not be cleaned.
	Reset(ctx context.Context) error
	// ExitFailure returns why the process of the service, or of its driver, has ended. It does not
	// call the service. It returns nil if the process runs, or if Sonde did not start it.
	ExitFailure() *Failure
	// Diagnose finds out why a call got no answer. It returns nil if the service can be called, the
	// context has ended, or the budget is used up.
	Diagnose(ctx context.Context) *Failure
	// Restart restarts the service, whatever state it is in. The errors are the same as for Start.
	// For a service that the user starts, Restart returns an error.
	Restart(ctx context.Context) error
	// Stop stops the service, unless the user started it, and closes the client's idle connections. If a reset cleans
	// databases, Stop first has the service clean them.
	Stop()
}

// Failure says why a service cannot be called.
type Failure struct {
	// Kind is model.ServiceDied or model.ServiceHangs. It is "" if the user starts the service, or
	// its driver, and Sonde cannot reach it.
	Kind model.FaultKind
	// Text is one line that is safe to print.
	Text string
}

// Options are what a Service needs besides its plan. The zero value is useful.
type Options struct {
	// Client are the options of the client. Ready checks, diagnoses and resets use the client, too,
	// and count against its budget.
	Client client.Options
	// Copy is the number of this copy of the service, from 0.
	Copy int
	// Driver is the client of the plan's driver, nil if the plan has none.
	Driver *driver.Driver
	// Env are variables for a service or driver that Sonde starts, as "NAME=value".
	Env []string
	// Network is the virtual network of a service that Sonde starts without a driver; nil is the real
	// network.
	Network Network
	// Clean has a service that Sonde starts clean its databases; see model.Reset.Clean. The first call only remembers their
	// rows. Clean is nil if the service cannot clean its databases.
	Clean func(context.Context) error
	// users is the client that logs in users. It is nil if the client of the service does this. With a driver, it is
	// another client, because the driver has a client of its own.
	users *client.Client
}

// Network is a virtual network for one copy of the service. Copies can listen on the same port, because
// each network has ports of its own.
type Network interface {
	// BindPort records that a port on the virtual network can be reached at a real port of the machine.
	BindPort(port, real int)
	// PrepareCommand changes a command so that it will run on the network. After starting the
	// command, the caller calls entered with the result of the start. entered returns that result, or
	// the reason why the process is not on the network.
	PrepareCommand(c *exec.Cmd) (entered func(started error) error, err error)
	// ProcessEnded notifies the network that no process of the service runs. It is called before each start of a
	// process, the first included.
	ProcessEnded()
}

// Open checks the service of a plan and returns it, without calling or starting anything.
func Open(p model.Plan, o Options) (Service, error) {
	switch {
	case p.Driver != nil:
		return newDriven(p, o)
	case p.Service != nil:
		return newStarted(p, o)
	}
	c, err := client.New(p.BaseURL, o.Client)
	if err != nil {
		return nil, err
	}
	r := &remote{base: p.BaseURL, client: c}
	r.reset, err = newResetter(p, commandEnvAt(portOf(p.BaseURL)), nil)
	return r, err
}

// remote is a service that the user starts.
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
