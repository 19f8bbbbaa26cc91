package cli

import (
	"context"
	"errors"
	"fmt"

	"sonde/analysis"
	"sonde/model"
	"sonde/runner/search"
	"sonde/runner/target/client"
	"sonde/ui/app/command"
	"sonde/ui/app/suite"
	"sonde/ui/console"
	"sonde/ui/results"
	"sonde/ui/words"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// alone returns an error for a flag that has no effect when the tests of a run are exported, that is, without --try.
func (f *exportFlags) alone(c *cobra.Command) (err error) {
	c.Flags().Visit(func(flag *pflag.Flag) {
		switch flag.Name {
		case "pick", "only", "all", "format", "hosts", "faults", "output", "force", "json":
		default:
			err = fmt.Errorf("--%s needs --try: the tests of a run have values already", flag.Name)
		}
	})
	return err
}

// call plays seqs to get their values, and writes them as tests. It leaves out seqs that cannot be completed, and
// prints the reasons. If the budget is used up, it writes the tests so far. If a seq is missing in the tests, call
// returns a verdict.
func (f *exportFlags) call(c *cobra.Command, s console.Streams, args []string) error {
	if len(f.pick) > 0 {
		return errors.New("--pick selects tests of a run: leave out --pick or --try")
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
	tries, err := f.Directives.TryCommands(spec, s.In)
	if err == nil {
		tries, err = f.triesInScope(spec, tries)
	}
	if err != nil {
		return err
	}
	var ops []model.OpID
	for _, try := range tries {
		for _, step := range try.Try.Steps {
			ops = append(ops, step.Op)
		}
	}
	if err := f.checkProduction(ops); err != nil {
		return err
	}
	tests, ended := f.realise(c.Context(), s, spec, tries)
	if len(tests) > 0 {
		err = f.write(s, suite.FromRun(f.Header(spec, nil), tests, f.command()))
	}
	err = errors.Join(err, ended)
	if err != nil || len(tests) == len(tries) {
		return err
	}
	return verdict(exitFaults)
}

// realise plays the seqs, and prints the ones that cannot be completed. If it returns an error, it also
// returns the tests so far.
func (f *exportFlags) realise(
	ctx context.Context, s console.Streams, spec *model.Spec, tries []model.AppliedCommand,
) ([]model.Test, error) {
	f.OnDenied = model.ContinueWhenDenied // the user chose the seqs
	a := analysis.Analyze(spec, analysis.Options{})
	plan := f.PlanForAnalysis(a)
	removeBuild, err := f.BuildForRows(ctx, &plan)
	if err != nil {
		return nil, err
	}
	defer removeBuild()
	v, err := search.NewInvoker(ctx, plan, a.SeqConnector(), search.DefaultTries, f.AllowHosts...)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	var tests []model.Test
	for i, try := range tries {
		test, err := v.FillTemplate(ctx, *try.Try)
		var unfinished *search.IncompleteError
		switch {
		case errors.As(err, &unfinished):
			console.PrintNote(s.Err, "seq %d of %d is left out (%s): %v", i+1, len(tries), results.SeqText(test.Seq()), err)
			continue
		case errors.Is(err, client.ErrBudget):
			console.PrintNote(
				s.Err, "all seqs from %d of %d on are left out: the budget is used up: raise --calls or --time",
				i+1, len(tries),
			)
			return tests, nil
		case err != nil:
			return tests, fmt.Errorf("seq %d of %s: %w", i+1, words.Count(len(tries)), err)
		}
		test.ID = fmt.Sprintf("s%d", i+1)
		tests = append(tests, test)
	}
	return tests, nil
}

// command returns the command that writes the same files.
func (f *exportFlags) command() string {
	line := "sonde export"
	add := func(on bool, words ...string) {
		for _, word := range words {
			if on {
				line += " " + command.Quote(word)
			}
		}
	}
	add(f.demo, "--demo")
	add(!f.demo, command.WithoutCredentials(f.Source))
	add(f.URL != "", "--url", f.URL)
	add(f.Config.Environment != "", "--env", f.Config.Environment)
	add(f.Config.Path != "", "--config", f.Config.Path)
	add(f.Limits.Calls != defaultCalls && f.Limits.Calls > 0, "--calls", fmt.Sprint(f.Limits.Calls))
	add(f.Limits.Time > 0, "--time", f.Limits.Time.String())
	add(true, f.HostArgs()...)
	add(true, f.RequestOptions.Flags()...)
	add(true, f.onlyFlags()...)
	add(true, "--try", f.Directives.Try, "--seed", fmt.Sprint(f.Seed))
	add(true, suite.FormatFlags(f.format)...)
	add(f.dir != suite.DefaultFolder, "-o", f.dir)
	return line
}
