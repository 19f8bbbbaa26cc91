//go:build unix

package tty

import (
	"os"
	"syscall"
)

// kill ends a program and its children. They are one process group, because pty.Start made the program the leader of
// a session.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
