package sut

import (
	"os/exec"
	"syscall"
)

// own gives a command a process group, and lets it die with us however we die.
func own(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
