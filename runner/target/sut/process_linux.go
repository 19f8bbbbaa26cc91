package sut

import (
	"os/exec"
	"syscall"
)

// own gives a command a process group, and has the kernel kill it if Sonde ends in any way.
func own(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
