package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"sonde/model"
	"sonde/model/codec"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// replayed is a run that is to be repeated: zero where none is.
type replayed struct {
	dir string // as it was named
	run codec.Run
}

// recall sets the flags as the run that is to be repeated had them, and returns
// its operands.
func (f *searchFlags) recall(c *cobra.Command, args []string) ([]string, error) {
	if f.again.dir == "" {
		return args, nil
	}
	if err := alone(c, args); err != nil {
		return nil, err
	}
	run, err := codec.Open(f.again.dir)
	if err != nil {
		return nil, err
	}
	if len(run.Args) == 0 {
		return nil, fmt.Errorf("run %q does not say how it began: it was made by an older Sonde, or by hand", f.again.dir)
	}
	f.again.run = run
	if err := c.ParseFlags(run.Args); err != nil {
		return nil, fmt.Errorf("run %q: %w", f.again.dir, err)
	}
	return c.Flags().Args(), f.rewind()
}

// alone says which operand or flag does not go with --replay.
func alone(c *cobra.Command, args []string) (err error) {
	if len(args) > 0 {
		return fmt.Errorf("--replay RUN knows the spec: leave out %q", args[0])
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "replay", "output", "force", "json":
		default:
			err = fmt.Errorf("--replay RUN knows all of the run's settings: leave out --%s", f.Name)
		}
	})
	return err
}

// rewind makes the plan that of the run: with its steers, and where it went by
// time or was stopped, up to where it came.
func (f *searchFlags) rewind() error {
	course, err := codec.OpenCourse(f.again.dir)
	if err != nil {
		return err
	}
	f.replay = &model.Replay{}
	if course.Ended && (f.limits.Time > 0 || course.Summary.Cancelled) {
		f.replay.Asked = course.Asked
	}
	if f.limits.Time > 0 {
		f.replay.Used = course.Progress
		f.limits = model.Limits{Calls: max(f.limits.Calls, course.Calls, 1)}
	}
	return nil
}

// same says what has changed since the run that is to be repeated.
func (r replayed) same(spec *model.Spec) error {
	if r.dir != "" && r.run.SpecHash != spec.Hash {
		return fmt.Errorf("run %q was made with another version of %q: a replay needs the same", r.dir, r.run.Spec)
	}
	return nil
}

// compare says whether the tests are those of the run that was repeated.
func (r replayed) compare(w io.Writer, tests []model.Test) error {
	if r.dir == "" {
		return nil
	}
	if equal(r.run.Tests, tests) {
		tell(w, "the same tests as in %s", r.dir)
		return nil
	}
	tell(w, "other tests than in %s: does the service answer differently from run to run, or has it changed?", r.dir)
	return verdict(exitFaults)
}

// equal tells whether tests are equal as they are written down.
func equal(a, b []model.Test) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}
