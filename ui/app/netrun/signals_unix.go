//go:build unix

package netrun

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// prepareSignals decides how a command is asked to end, and returns the context that ends it.
//
// Without a terminal the command has a process group of its own, which gets SIGTERM: what runs a namespace does not pass signals
// on. On a terminal the command is in Sonde's process group and gets the signals of the keys. A shell continues after such a
// signal, and so does Sonde, as long as the command runs; SIGTERM is passed on to the group, if it is Sonde's own.
func prepareSignals(ctx context.Context, isInteractive bool) (_ context.Context, prepare func(*exec.Cmd), stop func()) {
	if !isInteractive {
		return ctx, func(c *exec.Cmd) {
			c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
		}, func() {}
	}
	keys := make(chan os.Signal, 1)
	signal.Notify(keys, syscall.SIGINT, syscall.SIGQUIT)
	ended, stopTerm := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM, syscall.SIGHUP)
	prepare = func(c *exec.Cmd) {
		c.Cancel = func() error {
			if syscall.Getpgrp() != os.Getpid() {
				return c.Process.Kill()
			}
			return syscall.Kill(0, syscall.SIGTERM)
		}
	}
	return ended, prepare, func() {
		stopTerm()
		signal.Stop(keys)
	}
}

// exitCode returns the exit code of a process, or 128 and the number of the signal that has ended it.
func exitCode(p *os.ProcessState) int {
	if s, ok := p.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return 128 + int(s.Signal())
	}
	return p.ExitCode()
}
