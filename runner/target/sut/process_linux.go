package sut

import (
	"os/exec"
	"syscall"
)

// setProcessGroup makes a command run in a process group of its own, and makes the kernel kill the
// command if Sonde ends in any way.
func setProcessGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
