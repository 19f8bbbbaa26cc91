package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/model/codec"
	"sonde/model/config"
	"sonde/ui/app/ci"
	"sonde/ui/app/paths"
	"sonde/ui/app/searchrun"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/results"

	"github.com/spf13/cobra"
)

func newCI(s console.Streams) *cobra.Command {
	f := ciFlags{searchFlags: *newSearchFlags()}
	c := &cobra.Command{
		Use:   "ci [SPEC] [--url URL]",
		Short: "Search in CI: fail for new faults only, and write reports for CI systems",
		Long: `Search as sonde search does, with the settings of sonde.yaml, and write into one folder:

  run            the run, for sonde faults, sonde report, sonde export and the app
  junit.xml      JUnit XML
  sonde.sarif    SARIF for code scanning
  report.html    a page with the curve, the operations, the faults and the tests
  summary.md     a summary in Markdown
  tests          exported tests, with --export FORMAT

Reports of an earlier run in the folder are removed first, so that they are not taken for
those of a run that cannot begin.

In GitHub Actions it also prints annotations, and appends the summary to the page of
the job. In GitLab CI it also writes code-quality.json.

A fault of severity error or warning makes it fail, unless it is known:

  --baseline FILE         known faults, as sonde baseline writes them. An entry whose
                          until: is over does not count. Entries that the run did not
                          find are listed.
  --new-only-since RUN    faults of an earlier run, such as one of the main branch, are
                          known, too

A fault that could not be repeated is flaky. It is reported and does not make it fail
(--flaky warn), makes it fail (fail), or is not reported (ignore).

ci: in sonde.yaml has calls, time, baseline, flaky and export; flags override it.

Exit code: 0 no new fault; 1 new faults; 2 usage, configuration or spec; 3 the service
cannot be reached, refused nearly all of the first calls, or never answered 2xx, or the
run was stopped.`,
		Example: "  sonde ci\n  sonde ci openapi.yaml --url http://127.0.0.1:8080 --calls 5000 --baseline known.yaml\n" +
			"  sonde ci --since git:origin/main:openapi.yaml",
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, s, args) },
	}
	f.add(c)
	return c
}

// ciFlags are the flags of sonde ci.
type ciFlags struct {
	searchFlags
	folder   string // for all files
	baseline string
	earlier  string // the folder of an earlier run, whose faults are known
	flaky    string // one of ci.FlakyPolicies
	tests    string // the format of exported tests, "" for none
}

func (f *ciFlags) add(c *cobra.Command) {
	f.sourceFlags.add(c)
	f.callFlags.add(c)
	f.addSwitches(c)
	f.addDirectives(c)
	f.addSince(c)
	c.MarkFlagsMutuallyExclusive("since", "only")
	f.addProbes(c)
	addNetwork(c, &f.Network)
	fl := c.Flags()
	fl.IntVar(&f.Workers, "workers", 1, "play this many tests in parallel, each on a copy of the service that Sonde starts")
	fl.StringVarP(&f.folder, "output", "o", "sonde-ci", "folder for the run and the reports; those of an earlier run in it are replaced")
	fl.StringVar(&f.baseline, "baseline", "", "file of known faults, which do not make the command fail")
	fl.StringVar(&f.earlier, "new-only-since", "", "folder of an earlier run, whose faults are known, too")
	fl.StringVar(&f.flaky, "flaky", string(ci.FlakyWarn), "what flaky faults mean: "+console.JoinWithOr(flakyPolicies()))
	fl.StringVar(&f.tests, "export", "", "also export the tests in this format of sonde export, such as pytest")
	_ = c.RegisterFlagCompletionFunc("flaky", cobra.FixedCompletions(flakyPolicies(), cobra.ShellCompDirectiveNoFileComp))
}

func flakyPolicies() (all []string) {
	for _, p := range ci.FlakyPolicies {
		all = append(all, string(p))
	}
	return all
}

func (f *ciFlags) run(c *cobra.Command, s console.Streams, args []string) error {
	s = console.Streams{In: s.In, Out: results.JobLog(s.Out), Err: results.JobLog(s.Err)}
	if err := f.applyStrategy(c.Flags()); err != nil {
		return err
	}
	if err := f.removeReports(); err != nil {
		return err
	}
	if err := f.configure(c, s, args); err != nil {
		return err
	}
	f.configureCI(c.Flags().Changed)
	if err := f.check(c, args); err != nil {
		return err
	}
	expected, err := f.expectations()
	if err != nil {
		return err
	}
	f.Folder, f.Force = filepath.Join(f.folder, "run"), true
	spec, err := f.prepare(c.Context(), s, args)
	if err != nil {
		return err
	}
	expected.Only = f.onlyOperations()
	run, err := f.start(c.Context(), s, spec)
	if err != nil {
		return err
	}
	last := console.ShowProgress(s, run.Wait, func() string { return results.SearchProgress(run.Snapshot()) })
	return f.finish(s, run, last, expected)
}

// configureCI sets the budget, the baseline, the policy for flaky faults and the format of exported tests from the
// section ci of the configuration, except for flags that are set. A budget of this section replaces that of searches.
func (f *ciFlags) configureCI(set func(flag string) bool) {
	read := f.Config.CI
	if read.Limits != (model.Limits{}) && !set("calls") && !set("time") {
		f.Limits = read.Limits
	}
	for _, text := range []struct {
		flag, value string
		to          *string
	}{{"baseline", read.Baseline, &f.baseline}, {"flaky", read.Flaky, &f.flaky}, {"export", read.Export, &f.tests}} {
		if text.value != "" && !set(text.flag) {
			*text.to = text.value
		}
	}
}

// expectations reads what is known before the run, and checks the flags.
func (f *ciFlags) expectations() (e ci.Expectations, err error) {
	if f.tests != "" && !slices.Contains(format.Names(), f.tests) {
		return e, fmt.Errorf("--export %q is not known: use one of %s", f.tests, strings.Join(format.Names(), ", "))
	}
	if !slices.Contains(flakyPolicies(), f.flaky) {
		return e, fmt.Errorf("--flaky %q is not known: use %s", f.flaky, console.JoinWithOr(flakyPolicies()))
	}
	e.Flaky, e.Today, e.EarlierRun = ci.FlakyPolicy(f.flaky), time.Now(), f.earlier
	if f.baseline != "" {
		if e.Known, err = config.LoadBaseline(f.baseline); err != nil {
			return e, err
		}
	}
	if f.earlier != "" {
		earlier, err := codec.OpenRun(f.earlier)
		if err != nil {
			return e, fmt.Errorf("--new-only-since: %w", err)
		}
		e.Earlier = earlier.Faults
	}
	return e, nil
}

// onlyOperations returns the operations that the search is for, nil for all.
func (f *ciFlags) onlyOperations() (ops []model.OpID) {
	for _, c := range f.Commands {
		if c.Priority != nil && c.Priority.Kind == model.PriorityOnly {
			ops = c.Priority.Ops
		}
	}
	return ops
}

// finish judges a run, writes and prints the reports, and returns the result as an error. The context of the command may
// have ended, because the user stopped the run.
func (f *ciFlags) finish(s console.Streams, run *searchrun.Run, last model.Snapshot, expected ci.Expectations) error {
	ctx := context.Background()
	reported, err := f.reported(ctx, s, run.Folder())
	if err != nil {
		return err
	}
	judged := expected.Judge(reported.Faults)
	judged.AddTo(&reported.report, expected.Flaky)
	system := ci.FindSystem(os.Getenv)
	out := results.NewCIReport(reported.Title, reported.report.Summary, judged)
	out.Run, out.Baseline, out.Trouble = run.Folder(), f.baseline, console.NonNilSlice(reported.report.Trouble)
	out.Files, err = f.writeReports(ctx, reported, system)
	if err != nil {
		return err
	}
	if dir, ok := f.exportTests(ctx, s, run.Folder()); ok {
		out.Files = append(out.Files, dir)
	}
	if system.GitHub {
		if err := export.WriteAnnotations(s.Err, *reported.place, judged.Annotations(reported.report.Trouble)); err != nil {
			return err
		}
	}
	result := f.result(s, last, len(judged.New))
	out.Passed = result == nil
	if f.json {
		err = console.WriteJSON(s.Out, out)
	} else {
		err = results.PrintCI(s.Out, out)
	}
	return errors.Join(err, result)
}

// exportTests exports the tests of a run, if --export asks for them, and returns their folder. It prints a note if they
// cannot be exported.
func (f *ciFlags) exportTests(ctx context.Context, s console.Streams, run string) (dir string, ok bool) {
	if f.tests == "" {
		return "", false
	}
	tests := exportFlags{format: f.tests, dir: filepath.Join(f.folder, "tests"), force: true, faults: string(export.FailFaults)}
	if err := tests.run(ctx, console.Streams{Out: io.Discard, Err: s.Err}, run); err != nil {
		console.PrintNote(s.Err, "no tests are exported: %v", err)
		return "", false
	}
	return tests.dir, true
}

// result returns the result of a run as an error, nil for exit code 0. failures is the number of faults that make it
// fail.
func (f *ciFlags) result(s console.Streams, last model.Snapshot, failures int) error {
	if last.Err != nil {
		return last.Err
	}
	last.Summary.Faults = failures
	if err := f.outcome(last.Summary, s.Err); err != nil || !last.Summary.Cancelled {
		return err
	}
	console.PrintNote(s.Err, "the run was stopped before its budget was used up")
	return verdict(exitUnreachable)
}

// reported returns the run in a folder, with the place of its spec.
func (f *ciFlags) reported(ctx context.Context, s console.Streams, dir string) (reportedRun, error) {
	run, err := codec.OpenRun(dir)
	if err != nil {
		return reportedRun{}, err
	}
	course, err := codec.OpenHistory(dir)
	if err != nil {
		return reportedRun{}, err
	}
	r := reportedRun{StoredRun: run, history: course, report: reportOf(run, course), dir: dir, notes: s.Err}
	file := r.specFile(ctx)
	r.place = &file
	return r, nil
}

// ciFiles are the files of sonde ci, by the name of their format of sonde report.
var ciFiles = map[string]string{"junit": "junit.xml", "sarif": "sonde.sarif", "markdown": "summary.md", "html": "report.html"}

// codeQualityFile is the file that GitLab reads besides.
const codeQualityFile = "code-quality.json"

// removeReports removes the reports of an earlier run. If this run cannot begin, a CI system must not show those as its
// own.
func (f *ciFlags) removeReports() error {
	for _, name := range append(slices.Collect(maps.Values(ciFiles)), codeQualityFile) {
		if err := os.Remove(filepath.Join(f.folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// writeReports writes the reports, and what a CI system reads besides. It returns the paths of the files.
func (f *ciFlags) writeReports(ctx context.Context, r reportedRun, system ci.System) (files []string, err error) {
	write := func(name string, data []byte) error {
		file := filepath.Join(f.folder, name)
		files = append(files, file)
		return paths.WriteFile(file, data)
	}
	for _, kind := range reportFormats {
		name, ok := ciFiles[kind.name]
		if !ok {
			continue
		}
		var b bytes.Buffer
		if err := kind.write(r, ctx, &b); err != nil {
			return nil, err
		}
		if err := write(name, b.Bytes()); err != nil {
			return nil, err
		}
		if kind.name == "markdown" && system.Summary != "" {
			if err := system.AppendSummary(b.Bytes()); err != nil {
				console.PrintNote(r.notes, "%v", draw.Clean(err.Error()))
			}
		}
	}
	if system.GitLab {
		var b bytes.Buffer
		if err := export.WriteCodeQuality(&b, r.report, *r.place); err != nil {
			return nil, err
		}
		err = write(codeQualityFile, b.Bytes())
	}
	return files, err
}
