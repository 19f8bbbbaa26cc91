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

// signalGroup sends a signal to the process group that p leads, and reports whether it could be sent.
func signalGroup(p *os.Process, signal string) bool {
	return syscall.Kill(-p.Pid, signals[signal]) == nil
}

// killGroup kills the process group that p leads, even if p itself has ended.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// guardScript is a shell script that waits until its input ends, and then kills its process group. It
// ignores the signals that ask the group to end.
const guardScript = `trap '' HUP INT QUIT TERM; read -r _; kill -KILL 0`

// guard starts a shell in the process group that p leads. The shell kills the group when the returned
// file is closed, which also happens if Sonde ends in any way. Unlike the kernel (see setProcessGroup),
// the shell also kills children, such as the commands of "go run". The file is nil if the shell cannot
// be started.
//
// The shell is a member of the group, so the group's ID is not reused.
func guard(p *os.Process) *os.File {
	r, w, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer r.Close()
	c := exec.Command("/bin/sh", "-c", guardScript)
	c.Stdin, c.SysProcAttr = r, &syscall.SysProcAttr{Setpgid: true, Pgid: p.Pid}
	if c.Start() != nil { // there is no shell, or the group has ended already
		w.Close()
		return nil
	}
	go c.Wait()
	return w
}
