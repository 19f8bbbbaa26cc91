//go:build unix

package netrun

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// prepareSignals decides how a command is asked to end. It returns the context that ends the command, a function that
// prepares the command, and a function to call when the command has ended.
//
// Without a terminal, the command gets its own process group. All processes of the group get SIGTERM, because the
// helper that runs a network namespace does not pass on signals.
//
// On a terminal, the command is in the process group of Sonde, and gets the signals of keys such as Ctrl-C. Sonde
// ignores these signals while the command runs, as a shell does. When Sonde gets SIGTERM or SIGHUP, it sends SIGTERM
// to the group. If the group belongs to another process, Sonde kills the command instead.
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

// exitCode returns the exit code of a process. If a signal has ended the process, the code is 128 plus the number of
// the signal.
func exitCode(p *os.ProcessState) int {
	if s, ok := p.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return 128 + int(s.Signal())
	}
	return p.ExitCode()
}
