//go:build unix && !linux

package sut

import (
	"os/exec"
	"syscall"
)

// setProcessGroup makes a command run in a process group of its own.
func setProcessGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
