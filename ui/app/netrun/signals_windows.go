package netrun

import (
	"context"
	"os"
	"os/exec"
)

// prepareSignals returns the context: when it ends, the command is killed, unless it gets the signals of the terminal itself.
func prepareSignals(ctx context.Context, _ bool) (_ context.Context, prepare func(*exec.Cmd), stop func()) {
	return ctx, func(*exec.Cmd) {}, func() {}
}

// exitCode returns the exit code of a process.
func exitCode(p *os.ProcessState) int { return p.ExitCode() }
