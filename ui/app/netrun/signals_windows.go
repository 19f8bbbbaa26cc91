package netrun

import (
	"os"
	"os/exec"
)

// prepareSignals does nothing: a command is killed, unless it gets the signals of the terminal.
func prepareSignals(*exec.Cmd, bool) {}

// exitCode returns the exit code of a process.
func exitCode(p *os.ProcessState) int { return p.ExitCode() }
