package cli

import (
	"errors"
	"fmt"

	"sonde/model"
	"sonde/model/codec"

	"github.com/spf13/cobra"
)

// onward makes the settings of the app those of the run in a folder that goes on.
func (s *settings) onward(dir string, spec *model.Spec) error {
	run, err := codec.Open(dir)
	if err == nil {
		err = again{resumed: dir, before: run}.same(spec)
	}
	if base, _ := s.service.starts(run.Net); err == nil && base != run.BaseURL && s.service.name != demoSource { // its home may have been taken
		err = fmt.Errorf("run %q called %s, and here is %s: go on with sonde search --resume %s", dir, run.BaseURL, base, quote(dir))
	}
	if err != nil {
		return err
	}
	return s.goOn(dir, run, model.Limits{})
}

// goOn makes the plan that of a run that goes on: with the tests that it kept and
// the rest of its budget, or of a larger one.
func (s *settings) goOn(dir string, run codec.Run, budget model.Limits) error {
	course, err := codec.OpenCourse(dir)
	if err != nil {
		return err
	}
	last := course.Last
	s.limits = wider(s.limits, budget)
	switch {
	case s.limits.Calls > 0 && last.Call >= s.limits.Calls:
		return fmt.Errorf("run %q has used up its budget of %d calls: give it a larger one with --calls", dir, s.limits.Calls)
	case s.limits.Time > 0 && last.Elapsed >= s.limits.Time:
		return fmt.Errorf("run %q has used up its budget of %s: give it a larger one with --time", dir, s.limits.Time)
	}
	s.folder, s.steers = dir, run.Steers
	s.resume = &model.Resume{Tests: run.Tests, Faults: run.Faults, Answers: run.Answers, Curve: course.Curve, Last: last, Ended: course.Summary != nil}
	return nil
}

// wider returns limits with those that are given anew.
func wider(l, given model.Limits) model.Limits {
	if given.Calls > 0 {
		l.Calls = given.Calls
	}
	if given.Time > 0 {
		l.Time = given.Time
	}
	return l
}

// errBoth is the error of two flags that want different things of a run.
var errBoth = errors.New("--replay begins the run anew and --resume goes on with it: say one of them")

// known are the operations of a spec that tests call.
func known(spec *model.Spec, tests []model.Test) error {
	for _, t := range tests {
		for _, c := range t.Calls {
			if spec.Operation(c.Op) == nil {
				return fmt.Errorf("test %q calls %q, which is no operation any more: has the configuration changed?", t.ID, c.Op)
			}
		}
	}
	return nil
}

func (f *searchFlags) addAgain(c *cobra.Command) {
	c.Flags().StringVar(&f.replayed, "replay", "", "repeat the run in this folder, with all that was done to it while it ran")
	c.Flags().StringVar(&f.resumed, "resume", "", "go on with the run in this folder, which was stopped or killed; --calls and --time may give it a larger budget")
	c.Flags().BoolVar(&f.yes, "yes", false, "with --replay and --resume: read the run's configuration also if it is outside this folder")
}
