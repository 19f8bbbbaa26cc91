//go:build unix

package sut

import (
	"os"
	"syscall"
)

var signals = map[string]syscall.Signal{
	"": syscall.SIGTERM, "TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP, "QUIT": syscall.SIGQUIT, "KILL": syscall.SIGKILL,
}

// ask sends a signal to the process group that a process leads, and tells
// whether it got there.
func ask(p *os.Process, signal string) bool { return syscall.Kill(-p.Pid, signals[signal]) == nil }

// kill ends the process group that a process leads, also where the leader has
// gone before.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
