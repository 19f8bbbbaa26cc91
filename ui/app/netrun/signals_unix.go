//go:build unix

package netrun

import (
	"os"
	"os/exec"
	"syscall"
)

// prepareSignals decides how a command is asked to end. On a terminal it is in Sonde's process group and gets the signals of
// the keys. Otherwise it has a process group of its own, which Sonde signals: what runs a namespace does not pass signals on.
func prepareSignals(c *exec.Cmd, isInteractive bool) {
	if isInteractive {
		c.Cancel = func() error { return nil }
		return
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
}

// exitCode returns the exit code of a process, or 128 and the number of the signal that has ended it.
func exitCode(p *os.ProcessState) int {
	if s, ok := p.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return 128 + int(s.Signal())
	}
	return p.ExitCode()
}
