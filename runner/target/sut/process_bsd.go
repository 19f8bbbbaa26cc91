//go:build unix && !linux

package sut

import (
	"os/exec"
	"syscall"
)

// own gives a command a process group.
func own(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
