//go:build unix

package tty

import (
	"os"
	"syscall"
)

// kill ends a program and its children. Start has made the program the leader of a group.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
