// Package launch starts services as separate processes, for programs that measure Sonde.
//
// The caller prepares data and replaces placeholders, not this package.
package launch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// Service describes how to start a service.
type Service struct {
	Run   []string // program and arguments
	Env   []string // environment, as in os/exec.Cmd
	Dir   string   // working directory
	Ready string   // a URL that answers with any status when the service is ready
	Log   string   // the file to which the output of the service is appended
	// Stop is the signal that stops the service. 0 means SIGTERM.
	Stop syscall.Signal
}

// Process is a running service.
type Process struct {
	cmd  *exec.Cmd
	stop syscall.Signal
	done chan struct{}
}

// Start starts a service and waits until it is ready. It returns an error if the service ends or does not
// answer within two minutes.
func Start(ctx context.Context, s Service) (*Process, error) {
	out, err := os.OpenFile(s.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd := exec.Command(s.Run[0], s.Run[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.Dir, s.Env, out, out
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd, stop: s.Stop, done: make(chan struct{})}
	if p.stop == 0 {
		p.stop = syscall.SIGTERM
	}
	go func() {
		cmd.Wait() // the error does not matter: the closed channel done reports the end
		close(p.done)
	}()
	if err := p.wait(ctx, s.Ready); err != nil {
		p.Stop()
		return nil, fmt.Errorf("%w: see %s", err, s.Log)
	}
	return p, nil
}

// startLimit is the maximum time that a service may take to start, even on a busy machine.
const startLimit = 2 * time.Minute

// wait waits until the service answers a request to the URL ready.
func (p *Process) wait(ctx context.Context, ready string) error {
	ctx, stop := context.WithTimeout(ctx, startLimit)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-p.done:
			cancel(errors.New("the service ended before it answered"))
		case <-ctx.Done():
		}
	}()
	return WaitUntilReady(ctx, ready)
}

// WaitUntilReady waits until a URL answers with any status, or ctx ends.
func WaitUntilReady(ctx context.Context, ready string) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, ready, nil)
		if err != nil {
			return err
		}
		if answer, err := http.DefaultClient.Do(req); err == nil {
			answer.Body.Close()
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the service did not answer: %w", context.Cause(ctx))
		case <-tick.C:
		}
	}
}

// EndsWithin waits until the service ends by itself, but at most for d. It reports whether the service has
// ended.
func (p *Process) EndsWithin(d time.Duration) bool {
	select {
	case <-p.done:
		return true
	case <-time.After(d):
		return false
	}
}

// Stop stops the service with its signal. If the service does not end within 10 seconds, Stop sends
// SIGKILL.
func (p *Process) Stop() {
	p.cmd.Process.Signal(p.stop)
	select {
	case <-p.done:
	case <-time.After(10 * time.Second):
		p.cmd.Process.Kill()
		<-p.done
	}
	http.DefaultClient.CloseIdleConnections()
}

// The range of ports that FreePorts chooses from. Operating systems use higher ports for connections and for
// listeners without a port, and Sonde chooses from 20000 on for the services that it starts. So no other server
// answers in place of a service that has not opened its port yet.
const (
	firstPort = 10_000
	lastPort  = 20_000 // first port after the range
)

// FreePorts returns n different free ports of 127.0.0.1. Another program may open one of them at any time.
func FreePorts(n int) (ports []int, err error) {
	for range 1000 {
		if len(ports) == n {
			return ports, nil
		}
		port := firstPort + rand.IntN(lastPort-firstPort)
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			continue // the port is taken
		}
		defer l.Close() // at the end, so that no port is returned twice
		ports = append(ports, port)
	}
	return nil, fmt.Errorf("fewer than %d ports from %d to %d are free", n, firstPort, lastPort)
}
