// Package cli has Sonde's commands. Each file defines one command or one set of flags: it converts flags to
// a call of a use case in ui/app, and prints the result with ui/results. The package also decides the exit
// codes. It has no other logic.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"sonde/runner/search"
	"sonde/runner/target/client"
	"sonde/ui/app/version"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/tui"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes.
const (
	exitClean       = 0
	exitFaults      = 1
	exitUsage       = 2
	exitUnreachable = 3
)

// verdict is the exit code of a command that has already printed its result. It is an error, so that
// commands can return it.
type verdict int

func (v verdict) Error() string { return fmt.Sprintf("exit code %d", int(v)) }

// Main runs a command line and returns the exit code.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	// net/http reports protocol errors to the standard logger, which would write
	// over the app's screen.
	log.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	defer stop()
	context.AfterFunc(ctx, func() {
		if slices.Contains(stopSignals(), os.Signal(syscall.SIGHUP)) {
			// When a terminal closes, the kernel and the shell each send a SIGHUP. The second one must not end the
			// process.
			signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
		}
		stop() // a second signal of another kind kills the process
	})
	root := newRoot(console.Streams{In: in, Out: out, Err: errs})
	root.SetArgs(args)
	return exitCode(root.ExecuteContext(ctx), errs)
}

// stopSignals returns the signals that end a command in an orderly way. A closed terminal
// is one of them, unless SIGHUP is ignored, as under nohup.
func stopSignals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// exitCode returns the exit code for an error. Unless the error is a verdict, exitCode prints it as one line.
// For a panic of the app it first prints the stack.
func exitCode(err error, errs io.Writer) int {
	var v verdict
	var gone *search.UnreachableError
	var locked *client.LoginError
	var denied *search.DeniedError
	var crash *tui.Panic
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &v):
		return int(v)
	case errors.Is(err, context.Canceled):
		err = errors.New("interrupted")
	case errors.As(err, &crash):
		fmt.Fprintf(errs, "%s\n", draw.CleanLines(string(crash.Stack)))
	}
	fmt.Fprintf(errs, "sonde: %s\n", console.OneLine(err))
	if errors.As(err, &gone) || errors.As(err, &locked) || errors.As(err, &denied) {
		return exitUnreachable
	}
	return exitUsage
}

func newRoot(s console.Streams) *cobra.Command {
	c := newApp(s)
	c.SetIn(s.In)
	c.SetOut(s.Out)
	c.SetErr(s.Err)
	c.SilenceErrors, c.SilenceUsage = true, true
	c.Version = version.Text()
	c.SetVersionTemplate("{{.Version}}\n")
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w: %s --help lists the flags", flagError(err), c.CommandPath())
	})
	c.AddCommand(
		newCheck(s), newGroups(s), newClusters(s), newSeqs(s), newAdequacy(s), newSurvey(s), newGraph(s), newPaths(s), newImpact(s),
		newDiff(s), newSearch(s), newStudy(s), newWorker(s), newCampaigns(s), newBuild(s), newUnits(s), newRecord(s), newGenerate(s),
		newMutate(s), newNet(s), newEvaluate(s), newInit(s), newImport(s), newExport(s), newReport(s), newFaults(s), newRecent(s),
		newTour(s), newDemo(s), newDoctor(s), newCI(s), newBaseline(s), newVersion(s), newMan(s), newNetns(), newUnit(s),
	)
	return c
}

// exactly returns a function that checks that a command has exactly one operand for each of the names. Its error names
// the first missing operand, or the first superfluous one.
func exactly(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return fmt.Errorf("%s is missing: %s", names[len(args)], c.UseLine())
		}
		return atMost(len(names))(c, args)
	}
}

// atMost returns a function that checks the maximum number of operands. Its error names the first superfluous operand.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return fmt.Errorf("unexpected operand %q: %s", args[n], c.UseLine())
		}
		return nil
	}
}

// expectedValue describes the values that a flag accepts. The key is the type of the flag.
var expectedValue = map[string]string{
	"int":      "a whole number",
	"uint64":   "a whole number from 0 on",
	"float64":  "a number",
	"duration": "a time such as 30s or 5m",
	"bool":     "true or false",
}

// flagError adds the expected kind of value to the error of a flag. It returns other errors unchanged.
func flagError(err error) error {
	var wrong *pflag.InvalidValueError
	if !errors.As(err, &wrong) {
		return err
	}
	if want, known := expectedValue[wrong.GetFlag().Value.Type()]; known {
		return fmt.Errorf("--%s is %q: give %s", wrong.GetFlag().Name, wrong.GetValue(), want)
	}
	return err
}
