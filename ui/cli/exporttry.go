package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"sonde/analysis"
	"sonde/model"
	collections "sonde/model/collection"
	"sonde/runner/search"
	"sonde/runner/target/client"
	"sonde/ui/app/collection"
	"sonde/ui/app/command"
	"sonde/ui/app/service"
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
	if collections.IsHTTPFile(f.Directives.Try) {
		return f.callRequests(c.Context(), s, spec)
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
	tests, ended := f.realise(c.Context(), s, spec, len(tries), func(v *search.Invoker, i int) (model.Test, error) {
		return v.FillTemplate(c.Context(), *tries[i].Try)
	})
	return f.writeRealised(s, spec, tests, len(tries), ended)
}

// writeRealised writes tests that were played. wanted is the number of tests that the user asked for, and ended the error
// that ended the play.
func (f *exportFlags) writeRealised(s console.Streams, spec *model.Spec, tests []model.Test, wanted int, ended error) error {
	var err error
	if len(tests) > 0 {
		err = f.write(s, suite.FromRun(f.Header(spec, nil), tests, f.command()))
	}
	err = errors.Join(err, ended)
	if err != nil || len(tests) == wanted {
		return err
	}
	return verdict(exitFaults)
}

// callRequests plays the tests of a .http file with their own values, and writes them.
func (f *exportFlags) callRequests(ctx context.Context, s console.Streams, spec *model.Spec) error {
	file, err := collection.Service{Spec: spec, URL: f.url, Users: f.Service.Users}.Load(f.Directives.Try, f.variable)
	if err != nil {
		return fmt.Errorf("--try: %w", err)
	}
	for _, p := range file.Problems {
		if p.Request == "" {
			console.PrintNote(s.Err, "line %d of %q is left out: %s", p.Line, file.Path, p.Why)
			continue
		}
		console.PrintNote(s.Err, "%q is left out: %s", p.Request, p.Why)
	}
	all, err := f.testsInScope(spec, file.Tests)
	if err != nil {
		return err
	}
	var ops []model.OpID
	for _, t := range all {
		for _, call := range t.Calls {
			ops = append(ops, call.Op)
		}
	}
	if err := f.checkProduction(ops); err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("%q has no request that can be a test", f.Directives.Try)
	}
	f.Service.Users = service.MergeUsers(f.Service.Users, file.Users)
	tests, ended := f.realise(ctx, s, spec, len(all), func(v *search.Invoker, i int) (model.Test, error) {
		return v.PlayTest(ctx, all[i])
	})
	return f.writeRealised(s, spec, tests, len(all)+len(file.Problems), ended)
}

// variable returns the value of a variable that a .http file does not have: that in the configuration, or of the process. A
// variable of the configuration that refers to a secret has none, because the value would be in the tests.
func (f *exportFlags) variable(name string) (string, bool) {
	if text, ok := f.Config.Variables[name]; ok && len(model.SecretNames(text)) == 0 {
		return text, true
	}
	return os.LookupEnv(name)
}

// testsInScope returns the tests that --only selects.
func (f *exportFlags) testsInScope(spec *model.Spec, tests []model.Test) ([]model.Test, error) {
	if len(f.only) == 0 {
		return tests, nil
	}
	in, err := inScopes(analysis.Analyze(spec, analysis.Options{}), f.only)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(tests, func(t model.Test) bool {
		return !slices.ContainsFunc(t.Calls, func(call model.Call) bool { return in[call.Op] })
	}), nil
}

// realise plays count seqs, and prints the ones that cannot be completed. play plays one of them. If realise returns an
// error, it also returns the tests so far.
func (f *exportFlags) realise(
	ctx context.Context, s console.Streams, spec *model.Spec, count int, play func(v *search.Invoker, i int) (model.Test, error),
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
	for i := range count {
		test, err := play(v, i)
		var unfinished *search.IncompleteError
		var missing *search.MissingValueError
		switch {
		case errors.As(err, &unfinished), errors.As(err, &missing):
			console.PrintNote(s.Err, "seq %d of %d is left out (%s): %v", i+1, count, results.SeqText(test.Seq()), err)
			continue
		case errors.Is(err, client.ErrBudget):
			console.PrintNote(
				s.Err, "all seqs from %d of %d on are left out: the budget is used up: raise --calls or --time",
				i+1, count,
			)
			return tests, nil
		case err != nil:
			return tests, fmt.Errorf("seq %d of %s: %w", i+1, words.Count(count), err)
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
