package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/model/openapi"
	"sonde/runner/search/oracle"
	"sonde/runner/target/client"
	"sonde/ui/app/paths"
	"sonde/ui/app/runreport"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/suite"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/report"

	"github.com/spf13/cobra"
)

// reportFormat is a format of sonde report.
type reportFormat struct {
	name  string
	ext   string // of files in this format
	title string // the name for people
	about string // lines for the help
	// write writes one run, and compare two; nil if the format is not for that.
	write   func(reportedRun, context.Context, io.Writer) error
	compare func(io.Writer, report.Comparison) error
}

// reportFormats are the formats of sonde report, the default first.
var reportFormats = []reportFormat{
	{
		name: "junit", ext: ".xml", title: "JUnit XML", write: reportedRun.writeJUnit,
		about: `JUnit XML for CI systems: each fault is a failure, with the calls that
show it, their answers, and curl commands; flaky faults and notes
are skipped`,
	},
	{
		name: "har", ext: ".har", title: "HAR", write: reportedRun.writeTraffic,
		about: `HAR 1.2: the calls of the tests that were kept and of the faults, with
their answers, and without credentials; each test and fault is a page`,
	},
	{
		name: "wfc", ext: ".json", title: "Web Fuzzing Commons report", write: reportedRun.writeWFC,
		about: `the report.json of Web Fuzzing Commons`,
	},
	{
		name: "sarif", ext: ".sarif", title: "SARIF", write: reportedRun.writeSARIF,
		about: `SARIF 2.1.0 for code scanning: each fault that counts, at the line of
its operation in the spec`,
	},
	{
		name: "markdown", ext: ".md", title: "Markdown summary", write: reportedRun.writeMarkdown,
		compare: report.WriteComparisonMarkdown,
		about: `a summary with the faults that count, for $GITHUB_STEP_SUMMARY; at
most 1 MiB; with --compare, what is different`,
	},
	{
		name: "html", ext: ".html", title: "Page", write: reportedRun.writeHTML, compare: report.WriteComparisonHTML,
		about: `one page for people that needs no network: faults with requests,
answers and curl commands, operations by status, the curve, coverage
by file, resources, and the tests with a filter; less than 5 MB`,
	},
	{
		name: "text", ext: ".txt", title: "Text", compare: report.WriteComparisonText,
		about: `text, for --compare`,
	},
}

// reportedRun is a run to report.
type reportedRun struct {
	codec.StoredRun
	history codec.RunHistory
	report  export.Report
	dir     string // the folder of the run
	output  string // the file to write, "" for standard output
	notes   io.Writer
	// place is the place of the spec, nil if it was not looked up.
	place *export.SpecFile
}

func newReport(s console.Streams) *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:     "report RUN, or report --compare OLD NEW",
		Short:   "Write a run's results as a page or for other programs, or compare two runs",
		Long:    reportHelp(),
		Example: reportExample,
		Args:    f.checkArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if f.compare {
				return f.runComparison(c, s, args[0], args[1])
			}
			return f.run(c, s, args[0])
		},
	}
	c.Flags().BoolVar(&f.compare, "compare", false, "compare two runs: faults, operations, targets, coverage and figures")
	c.Flags().StringVar(
		&f.format, "format", reportFormats[0].name,
		fmt.Sprintf("%s; default: by the extension of -o: %s", console.JoinWithOr(reportNames()), console.JoinWithOr(reportExtensions())),
	)
	c.Flags().StringVarP(&f.output, "output", "o", "", "file to write; an existing file is replaced (default: standard output)")
	return c
}

const reportExample = `  sonde report run -o run.html
  sonde report --compare before after
  sonde report --compare before after -o difference.html
  sonde report run -o junit.xml
  sonde report run --format wfc -o report.json
  sonde report run --format har > traffic.har
  sonde report run -o sonde.sarif
  sonde report run --format markdown >> "$GITHUB_STEP_SUMMARY"`

// reportHelp is the text of the command's help.
func reportHelp() string {
	return "Write the results of a run as a page, or in a format that other programs read.\n\n" + reportAbout() + `
With --compare, two runs are compared: which faults are new, gone and in both, which
operations and statuses were gained and lost, and the figures side by side. A fault is
the same if its operation, oracle and signature are. A fault that is gone may only have
been missed. The formats for this are text, the default, markdown and html.

The events of a run are in its folder, as lines of JSON: events.ndjson.`
}

// checkArgs returns an error if there are too many or too few runs.
func (f *reportFlags) checkArgs(c *cobra.Command, args []string) error {
	if f.compare {
		return exactly("OLD", "NEW")(c, args)
	}
	return exactly("RUN")(c, args)
}

// eachReportFormat returns a text of each format.
func eachReportFormat(text func(reportFormat) string) (all []string) {
	for _, format := range reportFormats {
		all = append(all, text(format))
	}
	return all
}

func reportNames() []string { return eachReportFormat(func(r reportFormat) string { return r.name }) }
func reportExtensions() []string {
	return eachReportFormat(func(r reportFormat) string { return r.ext })
}

// reportAbout returns the lines of the help about the formats.
func reportAbout() string {
	return strings.Join(eachReportFormat(func(r reportFormat) string {
		return fmt.Sprintf("%-9s %s\n", r.name, strings.ReplaceAll(r.about, "\n", "\n"+strings.Repeat(" ", 10)))
	}), "")
}

// reportFlags are the flags of sonde report.
type reportFlags struct {
	format, output string
	compare        bool
}

func (f *reportFlags) run(c *cobra.Command, s console.Streams, dir string) error {
	format, err := f.check(c)
	if err != nil {
		return err
	}
	run, err := f.open(s, dir)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := format.write(run, c.Context(), &b); err != nil {
		return err
	}
	return f.print(s, format, b)
}

// runComparison compares two runs.
func (f *reportFlags) runComparison(c *cobra.Command, s console.Streams, older, newer string) error {
	format, err := f.check(c)
	if err != nil {
		return err
	}
	var runs [2]report.Run
	for i, dir := range []string{older, newer} {
		run, err := f.open(s, dir)
		if err != nil {
			return err
		}
		runs[i] = run.page(c.Context())
	}
	var b bytes.Buffer
	if err := format.compare(&b, report.Compare(runs[0], runs[1])); err != nil {
		return err
	}
	return f.print(s, format, b)
}

// open reads the run in a folder. It prints a note if the run is incomplete.
func (f *reportFlags) open(s console.Streams, dir string) (reportedRun, error) {
	run, err := codec.OpenRun(dir)
	if err != nil {
		return reportedRun{}, err
	}
	history, err := codec.OpenHistory(dir)
	if err != nil {
		return reportedRun{}, err
	}
	if history.Summary == nil {
		console.PrintNote(s.Err, "run %q %s", dir, noEnd)
	}
	return reportedRun{
		StoredRun: run, history: history, report: reportOf(run, history), dir: dir, output: f.output, notes: s.Err,
	}, nil
}

// print writes a report to its file, or to standard output.
func (f *reportFlags) print(s console.Streams, format reportFormat, b bytes.Buffer) error {
	if f.output != "" {
		if err := paths.WriteFile(f.output, b.Bytes()); err != nil {
			return err
		}
		_, err := fmt.Fprintf(s.Out, "%s in %s\n", format.title, draw.Clean(f.output))
		return err
	}
	out := b.Bytes()
	if console.IsTerminal(s.Out) {
		out = []byte(draw.CleanLines(b.String()))
	}
	_, err := s.Out.Write(out)
	return err
}

// check returns the format. It returns an error if the format is unknown or not for this use, or if the output file
// cannot be written.
func (f *reportFlags) check(c *cobra.Command) (reportFormat, error) {
	if !c.Flags().Changed("format") && f.output == "" && f.compare {
		f.format = "text"
	} else if !c.Flags().Changed("format") {
		var endings []console.FileExtension
		for _, format := range reportFormats {
			endings = append(endings, console.FileExtension{Ext: format.ext, Format: format.name})
		}
		name, err := console.FormatOfFile(f.output, endings)
		if err != nil {
			return reportFormat{}, err
		}
		f.format = name
	}
	at := slices.Index(reportNames(), f.format)
	if at < 0 {
		return reportFormat{}, fmt.Errorf("--format %q is not known: use %s", f.format, console.JoinWithOr(reportNames()))
	}
	format := reportFormats[at]
	switch {
	case f.compare && format.compare == nil:
		return format, fmt.Errorf("--format %s is not for --compare: use text, markdown or html", format.name)
	case !f.compare && format.write == nil:
		return format, fmt.Errorf("--format %s is only for --compare: sonde faults prints the faults of a run as text", format.name)
	}
	return format, checkOutput(f.output)
}

func (r reportedRun) writeHTML(ctx context.Context, w io.Writer) error {
	return report.WriteRunHTML(w, r.page(ctx))
}

// page returns what the page of the run shows. It reads the spec again.
func (r reportedRun) page(ctx context.Context) report.Run {
	spec, err := r.spec(ctx)
	run := runreport.New(r.dir, r.StoredRun, r.history, r.report, runreport.Spec{Spec: spec, Err: err})
	run.Rules = map[string]string{}
	for _, o := range oracle.AllOracles() {
		run.Rules[o.Name] = o.About
	}
	return run
}

// spec reads the spec of the run again. It returns nil if the run has no path of its spec.
func (r reportedRun) spec(ctx context.Context) (*model.Spec, error) {
	source := specOf(r.StoredRun)
	switch {
	case source == "":
		return nil, nil
	case source == service.DemoSource:
		return service.LoadDemo(ctx)
	case strings.Contains(source, "://"):
		return r.fetchSpec(ctx, source)
	}
	return openapi.Load(ctx, source, r.specOptions())
}

func (r reportedRun) specOptions() openapi.Options {
	return openapi.Options{MaxBytes: searchFlagsOf(r.StoredRun).MaxBytes}
}

// fetchSpec fetches the spec of the run if it is on this machine: a report calls no other. The error has neither the
// user nor the query of the URL, which may be secrets.
func (r reportedRun) fetchSpec(ctx context.Context, source string) (*model.Spec, error) {
	public := specfile.PublicURL(source)
	if u, err := url.Parse(source); err != nil || !client.IsLoopback(u) {
		return nil, fmt.Errorf("it is at %s, and a report calls no other machine", public)
	}
	spec, err := openapi.Load(ctx, source, r.specOptions())
	if err != nil {
		return nil, fmt.Errorf("%s cannot be reached, or is no spec", public)
	}
	return spec, nil
}

func (r reportedRun) writeJUnit(_ context.Context, w io.Writer) error {
	return export.WriteJUnit(w, r.report)
}

func (r reportedRun) writeMarkdown(_ context.Context, w io.Writer) error {
	return export.WriteMarkdown(w, r.report)
}

func (r reportedRun) writeWFC(_ context.Context, w io.Writer) error {
	files, err := testFiles(r.dir, r.output)
	if err != nil {
		return err
	}
	return export.WriteWFC(w, r.report, time.Now(), files)
}

func (r reportedRun) writeSARIF(ctx context.Context, w io.Writer) error {
	return export.WriteSARIF(w, r.report, export.SARIFSource{Rules: sarifRules(), Spec: r.specFile(ctx)})
}

// sarifRules returns all oracles as rules.
func sarifRules() (rules []export.Rule) {
	for _, o := range oracle.AllOracles() {
		rules = append(
			rules, export.Rule{Name: o.Name, Severity: o.Severity, About: o.About, Security: oracle.JudgesSecurity(o.Name)},
		)
	}
	return rules
}

// specFile returns the spec of the run as a file of the repository. It reads the spec again for the lines of
// operations. It prints a note if the file or its lines are not known.
func (r reportedRun) specFile(ctx context.Context) export.SpecFile {
	if r.place != nil {
		return *r.place
	}
	const noFile = "run %q has no file of its spec: code scanning of GitHub needs one to show results"
	source := specOf(r.StoredRun)
	switch {
	case source == "" || source == service.DemoSource:
		console.PrintNote(r.notes, noFile, r.dir)
		return export.SpecFile{}
	case strings.Contains(source, "://"):
		console.PrintNote(r.notes, noFile, r.dir)
		return export.SpecFile{URI: specfile.PublicURL(source)}
	}
	file := export.SpecFile{URI: specfile.PathInRepository(source)}
	spec, err := r.spec(ctx)
	if err != nil {
		console.PrintNote(r.notes, "results have no lines, because the spec cannot be read: %v", err)
		return file
	}
	file.Lines = map[model.OpID]int{}
	for _, op := range spec.Operations {
		file.Lines[op.ID] = op.Line
	}
	return file
}

// writeTraffic writes the run's HAR file with the faults. The first problem of the run becomes the comment
// of the file.
func (r reportedRun) writeTraffic(_ context.Context, w io.Writer) error {
	log, err := codec.OpenRunHAR(r.dir)
	if err != nil {
		return err
	}
	if len(r.report.Trouble) > 0 {
		log.Comment = r.report.Trouble[0]
	}
	log.AddFaults(r.Faults, r.BaseURL, r.Started)
	return log.Write(w)
}

// testFiles returns the paths of a run's tests, relative to the report.
func testFiles(dir, output string) (export.TestPaths, error) {
	base, err := filepath.Abs(filepath.Dir(output))
	if err != nil {
		return export.TestPaths{}, err
	}
	run, err := filepath.Abs(dir)
	if err != nil {
		return export.TestPaths{}, err
	}
	if relative, err := filepath.Rel(base, run); err == nil {
		run = relative
	}
	path := func(name string) string { return filepath.ToSlash(filepath.Join(run, name)) }
	return export.TestPaths{Suite: path(codec.SuiteFile), Faults: path(codec.FaultsFile)}, nil
}

// Problems of a run.
const (
	noEnd    = "is incomplete: it was killed, or is still running"
	no2xx    = "no call was answered 2xx: check the URL, the log-in and the reset"
	stopped  = "the run was stopped before its budget was used up"
	noReason = "the run ended early: "
)

// reportOf returns the report of a run.
func reportOf(run codec.StoredRun, course codec.RunHistory) export.Report {
	r := export.Report{
		Title: run.Title, Release: run.Release, Command: run.Command, BaseURL: run.BaseURL, Spec: run.Spec, Seed: run.Seed,
		Started:    run.Started,
		Operations: run.Operations, Tests: run.Tests, Faults: run.Faults, Summary: model.Summary{Calls: course.Last.Call},
		Reproduce: suite.Reproducer(run.RunHeader),
	}
	if course.Summary == nil {
		r.Trouble = []string{"the run " + noEnd}
		return r
	}
	r.Summary = *course.Summary
	r.Trouble = trouble(r.Summary)
	return r
}

// trouble returns a text for each problem of a finished run.
func trouble(s model.Summary) (all []string) {
	if s.Trouble != "" {
		all = append(all, noReason+s.Trouble)
	}
	if s.Cancelled {
		all = append(all, stopped)
	}
	if s.With2xx == 0 {
		all = append(all, no2xx)
	}
	return all
}
