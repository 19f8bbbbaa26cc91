package sut

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// signals are those that can be named; none of them can be sent on Windows.
var signals = map[string]syscall.Signal{
	"":     syscall.SIGKILL,
	"TERM": syscall.SIGKILL,
	"INT":  syscall.SIGKILL,
	"HUP":  syscall.SIGKILL,
	"QUIT": syscall.SIGKILL,
	"KILL": syscall.SIGKILL,
}

// own keeps Sonde's Ctrl-C from reaching a command.
func own(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// ask does nothing: there is no signal that all programs understand.
func ask(*os.Process, string) bool { return false }

// kill ends a process and its children.
func kill(p *os.Process) {
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run() != nil {
		_ = p.Kill() // if it has ended, or there is no taskkill
	}
}

// guard does nothing: Windows has no process groups.
func guard(*os.Process) *os.File { return nil }
