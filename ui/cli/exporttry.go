package cli

import (
	"context"
	"errors"
	"fmt"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/runner"
	"sonde/runner/client"
	"sonde/ui/words"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// alone says which flag is of no use where a run has all the values.
func (f *exportFlags) alone(c *cobra.Command) (err error) {
	c.Flags().Visit(func(flag *pflag.Flag) {
		switch flag.Name {
		case "pick", "all", "format", "hosts", "faults", "output", "force", "json":
		default:
			err = fmt.Errorf("--%s goes with --try: a run has its values already", flag.Name)
		}
	})
	return err
}

// call runs seqs to get their values, and writes them. Those that cannot be run
// whole are left out, with the reason. What was had when no more can be run is
// written all the same.
func (f *exportFlags) call(c *cobra.Command, s streams, args []string) error {
	if len(f.pick) > 0 {
		return errors.New("--pick is about a run's tests: leave it out, or --try")
	}
	if err := f.configure(c, s, args); err != nil {
		return err
	}
	if err := f.check(c, args); err != nil {
		return err
	}
	spec, err := f.open(c.Context(), s, args)
	if err != nil {
		return err
	}
	tries, err := f.wishes.tries(spec, s.in)
	if err != nil {
		return err
	}
	tests, ended := f.realise(c.Context(), s, spec, tries)
	if len(tests) > 0 {
		err = f.write(s, suiteOf(f.header(spec, nil), tests, f.command()))
	}
	err = errors.Join(err, ended)
	if err != nil || len(tests) == len(tries) {
		return err
	}
	return verdict(exitFaults)
}

// realise runs the seqs, and tells which cannot be. An error comes with those
// that were run before.
func (f *exportFlags) realise(ctx context.Context, s streams, spec *model.Spec, tries []model.Steered) ([]model.Test, error) {
	f.onDenied = model.AllowDenied // the seqs are those that were asked for
	v, err := runner.NewInvoker(ctx, f.plan(spec), depend.Connector(spec), runner.Attempts, f.hosts...)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	var tests []model.Test
	for i, try := range tries {
		test, err := v.Realise(ctx, *try.Try)
		var unfinished *runner.Unfinished
		switch {
		case errors.As(err, &unfinished):
			tell(s.err, "seq %d of %d is left out (%s): %v", i+1, len(tries), chainText(test.Seq()), err)
			continue
		case errors.Is(err, client.ErrBudget):
			tell(s.err, "from seq %d of %d on all are left out: the budget is used up: raise --calls or --time", i+1, len(tries))
			return tests, nil
		case err != nil:
			return tests, fmt.Errorf("seq %d of %s: %w", i+1, words.Count(len(tries)), err)
		}
		test.ID = fmt.Sprintf("s%d", i+1)
		tests = append(tests, test)
	}
	return tests, nil
}

// command is what writes the same file again.
func (f *exportFlags) command() string {
	line := "sonde export"
	add := func(on bool, words ...string) {
		for _, word := range words {
			if on {
				line += " " + quote(word)
			}
		}
	}
	add(f.demo, "--demo")
	add(!f.demo, redacted(f.source))
	add(f.base != "", "--url", f.base)
	add(f.config.path != "", "--config", f.config.path)
	add(f.limits.Calls != usualCalls && f.limits.Calls > 0, "--calls", fmt.Sprint(f.limits.Calls))
	add(f.limits.Time > 0, "--time", f.limits.Time.String())
	add(true, f.hostArgs()...)
	add(true, f.sending.flags()...)
	add(true, "--try", f.wishes.try, "--seed", fmt.Sprint(f.seed))
	add(true, formatArgs(f.format)...)
	add(f.dir != testFolder, "-o", f.dir)
	return line
}
