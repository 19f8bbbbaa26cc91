package sut

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// signals are the names of signals that a plan may have. None of them can be sent on Windows.
var signals = map[string]syscall.Signal{
	"":     syscall.SIGKILL,
	"TERM": syscall.SIGKILL,
	"INT":  syscall.SIGKILL,
	"HUP":  syscall.SIGKILL,
	"QUIT": syscall.SIGKILL,
	"KILL": syscall.SIGKILL,
}

// setProcessGroup keeps Sonde's Ctrl-C from reaching a command.
func setProcessGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// signalGroup only returns false, because Windows has no signal that all programs understand.
func signalGroup(*os.Process, string) bool { return false }

// killGroup kills a process and its children.
func killGroup(p *os.Process) {
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run() != nil {
		_ = p.Kill() // taskkill is missing, or the process has ended
	}
}

// guard returns nil: Windows cannot kill a process group.
func guard(*os.Process) *os.File { return nil }
