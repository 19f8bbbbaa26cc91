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

// ask sends a signal to the process group that a process leads, and reports whether that worked.
func ask(p *os.Process, signal string) bool { return syscall.Kill(-p.Pid, signals[signal]) == nil }

// kill ends the process group that a process leads, even if the leader has ended before.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// watch waits until its input ends, and then kills its process group. It ignores the signals that
// ask the group to end.
const watch = `trap '' HUP INT QUIT TERM; read -r _; kill -KILL 0`

// guard makes the process group that a process leads die if Sonde ends in any way, including the
// commands of a shell or of "go run", which own does not reach. The returned file must stay open
// until then; it is nil if there is no shell.
//
// The guard is a member of the group, whose ID therefore stays in use.
func guard(p *os.Process) *os.File {
	r, w, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer r.Close()
	c := exec.Command("/bin/sh", "-c", watch)
	c.Stdin, c.SysProcAttr = r, &syscall.SysProcAttr{Setpgid: true, Pgid: p.Pid}
	if c.Start() != nil { // or the whole group has ended already
		w.Close()
		return nil
	}
	go c.Wait()
	return w
}
