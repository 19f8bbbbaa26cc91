package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"sonde/model"
	"sonde/model/codec"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// again is a run that was before: its folder is "" where there is none.
type again struct {
	replayed, resumed string // folders, as they were named
	before            codec.Run
	yes               bool // its configuration is confirmed, wherever it is
}

// earlier is the folder of the run of before.
func (a again) earlier() string { return a.replayed + a.resumed }

// recall sets the flags as the run of before had them, and returns its operands.
func (f *searchFlags) recall(c *cobra.Command, args []string) ([]string, error) {
	if f.earlier() == "" {
		return args, nil
	}
	if f.replayed != "" && f.resumed != "" {
		return nil, errBoth
	}
	if err := f.alone(c, args); err != nil {
		return nil, err
	}
	var err error
	f.before, err = codec.Open(f.earlier())
	if err != nil {
		return nil, err
	}
	if len(f.before.Args) == 0 {
		return nil, fmt.Errorf("run %q does not say how it began: it was made by an older Sonde, or by hand", f.earlier())
	}
	budget, hosts, credentials := f.limits, f.hosts, f.credentials
	folder, force, yes := f.folder, f.force, f.yes
	if err := c.ParseFlags(f.before.Args); err != nil {
		return nil, fmt.Errorf("run %q: %w", f.earlier(), err)
	}
	// Whom to call, what to replace and what to confirm is not for a folder to say that may
	// be somebody else's.
	f.hosts, f.folder, f.force, f.yes = hosts, folder, force, yes
	if credentials.given() {
		f.credentials = credentials
	}
	if err := f.moveIn(c); err != nil {
		return nil, err
	}
	if f.resumed != "" {
		return c.Flags().Args(), f.goOn(f.resumed, f.before, budget)
	}
	return c.Flags().Args(), f.rewind()
}

// consent asks for consent to a configuration of a run of before that is not the one of
// the folder from which it was asked for.
func (f *searchFlags) consent(s streams, here string) error {
	if f.earlier() == "" || f.config.path == "" {
		return nil
	}
	x := foreign{run: f.earlier(), path: whole(f.config.path), config: f.config}
	if !x.lies(here) {
		return nil
	}
	return confirm(s, x.lines(), f.yes)
}

// alone says which operand or flag does not go with a run of before.
func (f *searchFlags) alone(c *cobra.Command, args []string) (err error) {
	name, fit := "--replay", []string{"replay", "output", "force", "json", "allow-host", "yes"}
	if f.resumed != "" {
		name, fit = "--resume", []string{"resume", "calls", "time", "json", "allow-host", "yes"}
	}
	fit = append(fit, credentialNames...)
	if len(args) > 0 {
		return fmt.Errorf("%s RUN knows the spec: leave out %q", name, args[0])
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(fit, f.Name) {
			err = fmt.Errorf("%s RUN knows the run's settings: leave out --%s", name, f.Name)
		}
	})
	return err
}

// rewind makes the plan that of the run: with its steers, and where it went by
// time or was stopped, up to where it came.
func (f *searchFlags) rewind() error {
	course, err := codec.OpenCourse(f.replayed)
	if err != nil {
		return err
	}
	if course.Resumed {
		return fmt.Errorf("run %q was resumed, so that its seed and its steers do not tell all: it cannot be repeated", f.replayed)
	}
	f.steers, f.replay = f.before.Steers, &model.Replay{}
	if course.Summary != nil && (f.limits.Time > 0 || course.Summary.Cancelled) {
		f.replay.Asked, f.replay.Calls = course.Last.Asked, course.Last.Call
	}
	if f.limits.Time > 0 {
		f.replay.Used = course.Progress
		f.limits = model.Limits{Calls: max(f.limits.Calls, course.Last.Call, 1)}
	}
	return nil
}

// same says what has changed since the run of before.
func (a again) same(spec *model.Spec) error {
	switch {
	case a.earlier() == "":
		return nil
	case a.before.SpecHash != spec.Hash:
		return fmt.Errorf("run %q was made with another version of %q: it needs the same", a.earlier(), a.before.Spec)
	}
	return known(spec, a.before.Tests)
}

// compare says whether the tests are those of the run that was repeated.
func (a again) compare(w io.Writer, tests []model.Test) error {
	switch {
	case a.replayed == "":
		return nil
	case equal(a.before.Tests, tests):
		tell(w, "the same tests as in %s", a.replayed)
		return nil
	}
	tell(w, "other tests than in %s: does the service answer differently from run to run, or has it changed?", a.replayed)
	return verdict(exitFaults)
}

// equal reports whether tests are equal as they are written down.
func equal(a, b []model.Test) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}
