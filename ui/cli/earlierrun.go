package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/paths"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
	"sonde/ui/console"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// errBoth is the error for --replay together with --resume.
var errBoth = errors.New("--replay repeats the run and --resume continues it: use one of them")

func (f *searchFlags) addEarlierRun(c *cobra.Command) {
	c.Flags().StringVar(&f.Replayed, "replay", "", "repeat the run in this folder, with the commands that it got while it ran")
	c.Flags().StringVar(
		&f.Resumed, "resume", "",
		"continue the run in this folder, which was stopped or killed; --calls and --time may give it a larger budget",
	)
	c.Flags().BoolVar(&f.Yes, "yes", false, "with --replay and --resume: read the run's configuration even if it is outside this folder")
}

// loadEarlierRun sets the flags to those of the run in --replay or --resume, and returns the operands of
// that run. Without these flags it returns args.
func (f *searchFlags) loadEarlierRun(c *cobra.Command, args []string) ([]string, error) {
	if f.EarlierFolder() == "" {
		return args, nil
	}
	if f.Replayed != "" && f.Resumed != "" {
		return nil, errBoth
	}
	if err := f.checkAlone(c, args); err != nil {
		return nil, err
	}
	var err error
	f.Previous, err = codec.OpenRun(f.EarlierFolder())
	if err != nil {
		return nil, err
	}
	if len(f.Previous.Args) == 0 {
		return nil, fmt.Errorf("run %q has no arguments: it was made by an older Sonde, or by hand", f.EarlierFolder())
	}
	budget, hosts, credentials := f.Limits, f.AllowHosts, f.Credentials
	folder, force, yes, production := f.Folder, f.Force, f.Yes, f.allowProduction
	if err := c.ParseFlags(f.Previous.Args); err != nil {
		return nil, fmt.Errorf("run %q: %w", f.EarlierFolder(), err)
	}
	// A run folder may come from another user, so it must not decide which host to call,
	// which file to replace or what to confirm.
	f.AllowHosts, f.Folder, f.Force, f.Yes, f.allowProduction = hosts, folder, force, yes, production
	if credentials.IsSet() {
		f.Credentials = credentials
	}
	if err := f.enterFolder(c); err != nil {
		return nil, err
	}
	if f.Resumed != "" {
		return c.Flags().Args(), f.ResumeFrom(f.Resumed, f.Previous, budget)
	}
	return c.Flags().Args(), f.repeatCommands()
}

// confirmConfig asks for confirmation if the configuration of the earlier run is not directly in the folder in which
// the command was started. The parameter here is the path of that folder.
func (f *searchFlags) confirmConfig(s console.Streams, here string) error {
	if f.EarlierFolder() == "" || f.Config.Path == "" {
		return nil
	}
	x := service.ForeignConfig{Run: f.EarlierFolder(), Path: paths.Absolute(f.Config.Path), Config: f.Config}
	if !x.IsOutside(here) {
		return nil
	}
	return console.Confirm(s, x.Description(), f.Yes)
}

// checkAlone returns an error for an operand or flag that cannot be combined with --replay or --resume.
func (f *searchFlags) checkAlone(c *cobra.Command, args []string) (err error) {
	name, fit := "--replay", []string{"replay", "output", "force", "json", "allow-host", "allow-production", "yes"}
	if f.Resumed != "" {
		name, fit = "--resume", []string{"resume", "calls", "time", "json", "allow-host", "allow-production", "yes"}
	}
	fit = append(fit, credentialNames...)
	if len(args) > 0 {
		return fmt.Errorf("%s RUN has the spec: leave out %q", name, args[0])
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(fit, f.Name) {
			err = fmt.Errorf("%s RUN has the run's settings: leave out --%s", name, f.Name)
		}
	})
	return err
}

// repeatCommands sets the plan to that of the earlier run, and adds the commands of that run. If the earlier run had
// a time limit or was stopped, the new run ends after the same number of calls, however long they take.
func (f *searchFlags) repeatCommands() error {
	course, err := codec.OpenHistory(f.Replayed)
	if err != nil {
		return err
	}
	if course.Resumed {
		return fmt.Errorf("run %q was resumed, so its seed and its commands are not enough to repeat it", f.Replayed)
	}
	f.Commands, f.StartupStubs, f.Replay = f.Previous.Commands, f.Previous.StartupStubs(), &model.ReplayedRun{}
	if course.Summary != nil && (f.Limits.Time > 0 || course.Summary.Cancelled) {
		f.Replay.Asked, f.Replay.Calls = course.Last.Asked, course.Last.Call
	}
	if f.Limits.Time > 0 {
		f.Replay.Used = course.Progress
	}
	return nil
}

// compareTests prints whether the tests equal those of the replayed run. It returns a verdict if they
// differ. Without --replay it does nothing.
func compareTests(a searchrun.EarlierRun, w io.Writer, tests []model.Test) error {
	switch {
	case a.Replayed == "":
		return nil
	case equal(a.Previous.Tests, tests):
		console.PrintNote(w, "the same tests as in %s", a.Replayed)
		return nil
	}
	console.PrintNote(w, "other tests than in %s: does the service answer differently from run to run, or has it changed?", a.Replayed)
	return verdict(exitFaults)
}

// equal reports whether tests have the same JSON.
func equal(a, b []model.Test) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}
