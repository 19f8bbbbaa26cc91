//go:build unix

package sut

import (
	"os"
	"os/exec"
	"syscall"
)

var signals = map[string]syscall.Signal{
	"":     syscall.SIGTERM,
	"TERM": syscall.SIGTERM,
	"INT":  syscall.SIGINT,
	"HUP":  syscall.SIGHUP,
	"QUIT": syscall.SIGQUIT,
	"KILL": syscall.SIGKILL,
}

// ask sends a signal to the process group that a process leads, and reports
// whether it got there.
func ask(p *os.Process, signal string) bool { return syscall.Kill(-p.Pid, signals[signal]) == nil }

// kill ends the process group that a process leads, also where the leader has
// gone before.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// watch waits until its input ends, and ends its process group then. What asks
// the group to end does not mean it.
const watch = `trap '' HUP INT QUIT TERM; read -r _; kill -KILL 0`

// guard lets the process group that a process leads die with us however we die:
// the commands of a shell or of "go run", too, which own cannot reach. The file
// that it returns must stay open as long; it is nil where there is no shell.
//
// The guard is one of the group, whose number therefore stays the group's.
func guard(p *os.Process) *os.File {
	r, w, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer r.Close()
	c := exec.Command("/bin/sh", "-c", watch)
	c.Stdin, c.SysProcAttr = r, &syscall.SysProcAttr{Setpgid: true, Pgid: p.Pid}
	if c.Start() != nil { // nor is there one to guard where all have ended
		w.Close()
		return nil
	}
	go c.Wait()
	return w
}
