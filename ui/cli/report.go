package cli

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/paths"
	"sonde/ui/app/suite"
	"sonde/ui/console"
	"sonde/ui/draw"

	"github.com/spf13/cobra"
)

// The formats of report, their file extensions and their names.
var (
	reportFormats = []string{"junit", "har", "wfc"}
	reportEndings = []console.FileExtension{{Ext: ".xml", Format: "junit"}, {Ext: ".har", Format: "har"}, {Ext: ".json", Format: "wfc"}}
	reportNames   = map[string]string{"junit": "JUnit XML", "har": "HAR", "wfc": "Web Fuzzing Commons report"}
)

func newReport(s console.Streams) *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Write a run's results for other programs: JUnit XML, HAR, or Web Fuzzing Commons",
		Long: `Write the results of a run in a format that other programs read.

junit  JUnit XML for CI systems: each fault is a failure, with the calls that
       show it, their answers, and curl commands; flaky faults and notes are
       skipped
har    HAR 1.2: the calls of the tests that were kept and of the faults, with
       their answers, and without credentials; each test and fault is a page
wfc    the report.json of Web Fuzzing Commons

The events of a run are in its folder, as lines of JSON: events.ndjson.`,
		Example: "  sonde report run -o junit.xml\n  sonde report run --format wfc -o report.json\n" +
			"  sonde report run --format har > traffic.har",
		Args: exactly("RUN"),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, s, args[0]) },
	}
	c.Flags().StringVar(
		&f.format, "format", reportFormats[0],
		console.JoinWithOr(reportFormats)+"; default: by the extension of -o: .xml, .har or .json",
	)
	c.Flags().StringVarP(&f.output, "output", "o", "", "file to write; an existing file is replaced (default: standard output)")
	return c
}

// reportFlags are the flags of sonde report.
type reportFlags struct{ format, output string }

func (f *reportFlags) run(c *cobra.Command, s console.Streams, dir string) error {
	if err := f.check(c); err != nil {
		return err
	}
	run, err := codec.OpenRun(dir)
	if err != nil {
		return err
	}
	course, err := codec.OpenHistory(dir)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := f.write(&b, dir, reportOf(run, course)); err != nil {
		return err
	}
	if course.Summary == nil {
		console.PrintNote(s.Err, "run %q %s", dir, noEnd)
	}
	if f.output != "" {
		if err := paths.WriteFile(f.output, b.Bytes()); err != nil {
			return err
		}
		_, err := fmt.Fprintf(s.Out, "%s in %s\n", reportNames[f.format], draw.Clean(f.output))
		return err
	}
	out := b.Bytes()
	if console.IsTerminal(s.Out) {
		out = []byte(draw.CleanLines(b.String()))
	}
	_, err = s.Out.Write(out)
	return err
}

// check sets the format if --format is missing. It returns an error if the format is unknown, or if the output file
// cannot be written.
func (f *reportFlags) check(c *cobra.Command) (err error) {
	if !c.Flags().Changed("format") {
		f.format, err = console.FormatOfFile(f.output, reportEndings)
		if err != nil {
			return err
		}
	}
	if !slices.Contains(reportFormats, f.format) {
		return fmt.Errorf("--format %q is not known: use %s", f.format, console.JoinWithOr(reportFormats))
	}
	return checkOutput(f.output)
}

func (f *reportFlags) write(w io.Writer, dir string, r export.Report) error {
	switch f.format {
	case "har":
		return writeTraffic(w, dir, r)
	case "wfc":
		files, err := testFiles(dir, f.output)
		if err != nil {
			return err
		}
		return export.WriteWFC(w, r, time.Now(), files)
	}
	return export.WriteJUnit(w, r)
}

// writeTraffic writes the run's HAR file with the faults. The first problem of the run becomes the comment
// of the file.
func writeTraffic(w io.Writer, dir string, r export.Report) error {
	log, err := codec.OpenRunHAR(dir)
	if err != nil {
		return err
	}
	if len(r.Trouble) > 0 {
		log.Comment = r.Trouble[0]
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
		Title: run.Title, Release: run.Release, Command: run.Command, BaseURL: run.BaseURL, Seed: run.Seed, Started: run.Started,
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
