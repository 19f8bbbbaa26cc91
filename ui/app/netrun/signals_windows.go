package netrun

import (
	"context"
	"os"
	"os/exec"
)

// prepareSignals returns ctx, and functions that do nothing. When ctx ends, the command is killed. On a terminal, the
// command may have ended before, because it gets the signals of the keys, too.
func prepareSignals(ctx context.Context, _ bool) (_ context.Context, prepare func(*exec.Cmd), stop func()) {
	return ctx, func(*exec.Cmd) {}, func() {}
}

// exitCode returns the exit code of a process.
func exitCode(p *os.ProcessState) int { return p.ExitCode() }
