// Package cli is Sonde's commands, one file each, and the place where
// everything is wired together.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"sonde/runner"
	"sonde/runner/client"
	"sonde/ui/pane"
	"sonde/ui/tui"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitClean       = 0
	exitFaults      = 1
	exitUsage       = 2
	exitUnreachable = 3
)

// verdict is an error that stands for what a command found out: it has been
// printed already and only sets the exit code.
type verdict int

func (v verdict) Error() string { return fmt.Sprintf("exit code %d", int(v)) }

// streams are what the commands read and write.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// Main runs a command line and returns the exit code.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	// net/http complains of odd services through the standard logger, which
	// would write over the app's screen.
	log.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, stop) // the second signal ends what does not listen
	root := newRoot(streams{in: in, out: out, err: errs})
	root.SetArgs(args)
	return exitCode(root.ExecuteContext(ctx), errs)
}

// endings are the signals that end a command in an orderly way. That the terminal
// is gone is one of them, unless whoever started the command had that ignored, as
// nohup does.
func endings() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// exitCode prints an error as one line and says how to end.
func exitCode(err error, errs io.Writer) int {
	var v verdict
	var gone *runner.Unreachable
	var locked *client.LoginError
	var denied *runner.Denied
	var fault *tui.Fault
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &v):
		return int(v)
	case errors.Is(err, context.Canceled):
		err = errors.New("interrupted")
	case errors.As(err, &fault):
		fmt.Fprintf(errs, "%s\n", pane.CleanLines(string(fault.Stack)))
	}
	fmt.Fprintf(errs, "sonde: %s\n", oneLine(err))
	if errors.As(err, &gone) || errors.As(err, &locked) || errors.As(err, &denied) {
		return exitUnreachable
	}
	return exitUsage
}

func oneLine(err error) string {
	return pane.Clean(strings.Join(strings.Fields(err.Error()), " "))
}

func newRoot(s streams) *cobra.Command {
	c := newApp(s)
	c.SetIn(s.in)
	c.SetOut(s.out)
	c.SetErr(s.err)
	c.SilenceErrors, c.SilenceUsage = true, true
	c.Version = versionLine()
	c.SetVersionTemplate("{{.Version}}\n")
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w: %s --help lists the flags", flagError(err), c.CommandPath())
	})
	c.AddCommand(newCheck(s), newGroups(s), newSeqs(s), newAdequacy(s), newSurvey(s), newGraph(s), newSearch(s), newStudy(s), newBuild(s), newRecord(s), newGenerate(s), newMutate(s), newInit(s), newExport(s), newReport(s), newFaults(s), newRecent(s), newTour(s), newDemo(s), newVersion(s), newMan(s), newNetns())
	return c
}

// exactly returns a check for the number of operands that says which one is
// missing.
func exactly(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return fmt.Errorf("%s is missing: %s", names[len(args)], c.UseLine())
		}
		return atMost(len(names))(c, args)
	}
}

// atMost returns a check for the number of operands that says which one is too
// many.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return fmt.Errorf("%q is one operand too many: %s", args[n], c.UseLine())
		}
		return nil
	}
}

// isTerminal reports whether a stream is a person's terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
