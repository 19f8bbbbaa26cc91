package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sonde/analysis"
	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/model/codec"
	"sonde/model/collection"
	"sonde/ui/app/command"
	"sonde/ui/app/service"
	"sonde/ui/app/suite"
	"sonde/ui/console"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newExport(s console.Streams) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:     "export RUN, or export SPEC --try FILE, or export REQUESTS.http",
		Short:   "Write a run's tests as files, or seqs and requests after running them",
		Long:    exportHelp(),
		Example: exportExample,
		Args:    atMost(1),
		RunE:    func(c *cobra.Command, args []string) error { return f.export(c, s, args) },
	}
	f.add(c)
	return c
}

const exportExample = `  sonde export run --pick t12,t40 -o api   # the names are those on Seqs
  cd api && SONDE_BASE_URL=http://127.0.0.1:8080 go test -count=1 *_test.go
  sonde export run --format pytest --faults pin
  sonde export run --only cluster:orders -o orders
  sonde seqs --demo --calls 500 | sonde export --demo --try -
  sonde export requests/shop.http --url http://127.0.0.1:8080`

// exportHelp is the text of the command's help.
func exportHelp() string {
	return `Write tests as files that need neither Sonde nor the run. Values that calls take
from earlier answers are read from the new answers when the tests run. --format says
which files:

` + formatList() + `
An existing file is updated: tests of the same names are replaced, and text outside
of the lines that are marked as generated does not change.

Tests of a run without a reset that depend on what other tests leave in the service
are left out unless --all or --pick asks for them.

Each fault that a run counts, of severity error or warning and not flaky, becomes
a test in a separate file, such as sonde_faults_test.go, with the expected and the
actual answer. With --faults fail, the default, it asserts the expected answer and
fails until the fault is fixed; with pin it asserts today's answer, and passes until
the fault is fixed; with skip it is skipped. No other test asserts an answer that is
such a fault. Helpers that several files share are in one file of the folder.

Go tests can do all that a run does. They start the service if sonde.yaml says how.
For other formats, the file and this command's output list what is left out, and why.

In tests of a run with --net, the hosts around the service give the same answers as in
the run. By default a virtual network simulates them, for which sonde build builds the
service. With --hosts httptest the tests start a server for each host, and replace the
hosts' addresses in the command and the environment that start the service. Tests in
pytest, node and junit5 do so for hosts that speak HTTP.

With --only, only tests that call one of these operations are written, even if the call
only prepares another one, and only faults of these operations. The names are looked up in
the run's spec, which is read again.

With --try the seqs of a file are run first to get their values, on the
service of --url, --config or --demo. A seq that cannot be run to its end is
left out with the reason, and the exit code is 1.

A .http file, alone or with --try, is run with its own values (docs/collections.md). The
requests of a folder are one test, and so are requests that take values from answers of
others. Credentials are read from the environment.`
}

// export writes the tests of a run, or plays seqs and writes these as tests.
func (f *exportFlags) export(c *cobra.Command, s console.Streams, args []string) error {
	if err := f.checkNames(); err != nil {
		return err
	}
	if len(args) == 1 && f.Directives.Try == "" && collection.IsHTTPFile(args[0]) {
		f.Directives.Try, args = args[0], nil
	}
	if f.Directives.Try != "" {
		return f.call(c, s, args)
	}
	if err := f.alone(c); err != nil {
		return err
	}
	if err := exactly("RUN")(c, args); err != nil {
		return err
	}
	return f.run(c.Context(), s, args[0])
}

// checkNames returns an error for an unknown name in a flag, and for a value of --hosts that the format does not
// support.
func (f *exportFlags) checkNames() error {
	of, err := format.Named(f.format)
	if err != nil {
		return err
	}
	if f.around != "" {
		if err := suite.CheckHosts(f.around); err != nil {
			return err
		}
	}
	if err := suite.CheckFaultMode(f.faults); err != nil {
		return err
	}
	return suite.CheckFormat(of, f.around)
}

// add adds the flags to a command.
func (f *exportFlags) add(c *cobra.Command) {
	f.sourceFlags.add(c)
	f.callFlags.add(c)
	c.Flags().StringVar(
		&f.Directives.Try, "try", "",
		"file of seqs to run and write: what sonde seqs prints, or other tests; - is standard input",
	)
	c.Flags().StringSliceVar(&f.pick, "pick", nil, "only the tests with these IDs")
	c.Flags().StringArrayVar(
		&f.only, "only", nil,
		`only tests that call one of these operations: "GET /orders", tag:NAME, group:N or cluster:NAME (repeat for several)`,
	)
	completes(c, scopeNames, "only")
	c.MarkFlagsMutuallyExclusive("only", "pick")
	c.Flags().BoolVar(&f.all, "all", false, "also write tests that depend on earlier state, which may pass only once")
	c.Flags().StringVar(&f.format, "format", suite.DefaultFormat, "format of the file: "+strings.Join(format.Names(), ", "))
	c.Flags().StringVar(
		&f.around, "hosts", "",
		"how tests play the hosts around the service: "+suite.VirtualHosts+", by the virtual network, or "+suite.LocalHosts+
			", by servers whose addresses take the hosts' place in the service's command and environment (default: "+
			suite.VirtualHosts+" for a run with --net, otherwise "+suite.LocalHosts+")",
	)
	c.Flags().StringVar(
		&f.faults, "faults", string(export.FailFaults),
		"what tests of faults do as long as the service has the faults: "+strings.Join(suite.FaultModes(), ", "),
	)
	c.Flags().StringVarP(&f.dir, "output", "o", suite.DefaultFolder, "folder to write into")
	c.Flags().BoolVar(&f.force, "force", false, "overwrite an existing file, including changes made by hand")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(format.Names(), cobra.ShellCompDirectiveNoFileComp))
}

// formatList describes the formats, one per line.
func formatList() string {
	var b strings.Builder
	width := 0
	for _, f := range format.Formats {
		width = max(width, len(f.TestsFile))
	}
	for _, f := range format.Formats {
		fmt.Fprintf(&b, "  %-9s %-*s %s\n", f.Name, width, f.TestsFile, f.Description)
	}
	return b.String()
}

type exportFlags struct {
	callFlags
	pick        []string
	format, dir string
	around      string
	faults      string // one of suite.FaultModes
	force       bool
	all         bool // also tests that depend on earlier state
}

// exportReport is the JSON of sonde export.
type exportReport struct {
	File  string   `json:"file"`
	Tests []string `json:"tests"`
	// Lacks lists features of the tests that the format cannot express.
	Lacks []string `json:"lacks,omitempty"`
	// EarlierState are the IDs of tests that are left out because they depend on earlier state.
	EarlierState []string `json:"depend_on_earlier_state,omitempty"`
	// Files are all written files. Faults are the IDs of the tests that show faults.
	Files  []string `json:"files"`
	Faults []string `json:"faults,omitempty"`
}

func (f *exportFlags) run(ctx context.Context, s console.Streams, dir string) error {
	run, err := codec.OpenRun(dir)
	if err != nil {
		return err
	}
	if err := f.limitToScope(ctx, s, dir, &run); err != nil {
		return err
	}
	tests, err := suite.SelectTests(run.Tests, f.pick)
	if err != nil {
		return fmt.Errorf("run %q: %w", dir, err)
	}
	var unsound []string
	if !f.all && len(f.pick) == 0 {
		tests, unsound = suite.IndependentTests(tests)
		if len(tests) == 0 && len(unsound) > 0 {
			return fmt.Errorf("run %q: all of its %s depend on earlier state, or were not replayed: --all writes them anyway",
				dir, words.Plural(len(unsound), "test"))
		}
	}
	more := suite.FormatFlags(f.format)
	for _, word := range f.onlyFlags() {
		more = append(more, command.Quote(word))
	}
	if f.all {
		more = append(more, "--all")
	}
	if f.around != "" {
		more = append(more, "--hosts", f.around)
	}
	if f.faults != string(export.FailFaults) {
		more = append(more, "--faults", f.faults)
	}
	again := suite.ExportCommand(dir, f.pick, f.dir, more...)
	out := suite.WithHosts(suite.FromRun(run.RunHeader, tests, again), run.Net, f.around == suite.LocalHosts)
	out.Code, out.EarlierState, out.IncludeEarlierState = run.Code, unsound, f.all
	return f.write(s, suite.WithFaults(out, run.Faults, f.faults, len(f.pick) > 0))
}

// write writes the files, and prints their paths and what they leave out.
func (f *exportFlags) write(s console.Streams, tests export.Suite) error {
	path, made, err := suite.WriteFiles(f.dir, f.format, tests, f.force)
	if err != nil {
		return err
	}
	for _, line := range made.Omissions {
		console.PrintNote(s.Err, "%s", line)
	}
	if made.CommandNotice != "" {
		console.PrintNote(s.Err, "%s", made.CommandNotice)
	}
	if f.json {
		return console.WriteJSON(s.Out, exportReport{
			File: path, Tests: append([]string{}, made.Tests...), Lacks: made.Omissions, EarlierState: tests.EarlierState,
			Files: suite.FilePaths(f.dir, made), Faults: made.Faults,
		})
	}
	return f.printFiles(s, made, tests)
}

// leftOut returns a text about n tests that are not in the file, "" if n is 0.
func leftOut(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d left out: the file's comment says why", n)
}

// printFiles prints how many tests and faults are in which file.
func (f *exportFlags) printFiles(s console.Streams, made format.Output, suite export.Suite) error {
	of, err := format.Named(f.format)
	if err != nil {
		return err
	}
	if len(made.Tests) > 0 || len(made.Faults) == 0 {
		tests, _ := suite.SplitFaults()
		_, err = fmt.Fprintf(
			s.Out, "%s in %s%s\n", words.Plural(len(made.Tests), "test"), filepath.Join(f.dir, of.TestsFile),
			leftOut(len(tests.Tests)-len(made.Tests)),
		)
	}
	if len(made.Faults) > 0 && err == nil {
		_, err = fmt.Fprintf(
			s.Out, "%s in %s (--faults %s)\n", words.Plural(len(made.Faults), "fault"),
			filepath.Join(f.dir, of.FaultsFile), f.faults,
		)
	}
	return err
}

// limitToScope removes the tests and faults of a run that --only does not select.
func (f *exportFlags) limitToScope(ctx context.Context, s console.Streams, dir string, run *codec.StoredRun) error {
	if len(f.only) == 0 {
		return nil
	}
	spec, err := f.specOf(ctx, s, dir, *run)
	if err != nil {
		return err
	}
	in, err := inScopes(analysis.Analyze(spec, analysis.Options{}), f.only)
	if err != nil {
		return err
	}
	run.Tests = slices.DeleteFunc(run.Tests, func(t model.Test) bool {
		return !slices.ContainsFunc(t.Calls, func(call model.Call) bool { return in[call.Op] })
	})
	run.Faults = slices.DeleteFunc(run.Faults, func(fault model.Fault) bool { return !in[fault.Op] })
	if len(run.Tests) == 0 && len(run.Faults) == 0 {
		return fmt.Errorf("run %q: no test calls %s", dir, strings.Join(f.only, ", "))
	}
	return nil
}

// specOf reads the spec of a run with the run's settings.
func (f *exportFlags) specOf(ctx context.Context, s console.Streams, dir string, run codec.StoredRun) (*model.Spec, error) {
	source := specOf(run)
	if source == service.DemoSource {
		return service.LoadDemo(ctx)
	}
	if source == "" {
		return nil, fmt.Errorf("--only: run %q has no path of its spec, in which to look up %s", dir, strings.Join(f.only, ", "))
	}
	search := searchFlagsOf(run)
	spec, err := search.Load(ctx, s, source)
	if err != nil {
		return nil, fmt.Errorf("--only: %w", err)
	}
	if run.SpecHash != "" && spec.Hash != run.SpecHash {
		console.PrintNote(s.Err, "the spec changed since the run: --only uses its groups and areas of today")
	}
	return spec, nil
}

// triesInScope returns the seqs that --only selects.
func (f *exportFlags) triesInScope(spec *model.Spec, tries []model.AppliedCommand) ([]model.AppliedCommand, error) {
	if len(f.only) == 0 {
		return tries, nil
	}
	in, err := inScopes(analysis.Analyze(spec, analysis.Options{}), f.only)
	if err != nil {
		return nil, err
	}
	tries = slices.DeleteFunc(tries, func(c model.AppliedCommand) bool {
		return !slices.ContainsFunc(c.Try.Steps, func(step model.TemplateStep) bool { return in[step.Op] })
	})
	if len(tries) == 0 {
		return nil, fmt.Errorf("--try %q: no seq calls %s", f.Directives.Try, strings.Join(f.only, ", "))
	}
	return tries, nil
}

// onlyFlags returns the flags --only as arguments.
func (f *exportFlags) onlyFlags() []string {
	var args []string
	for _, scope := range f.only {
		args = append(args, "--only", scope)
	}
	return args
}
