package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	specsurvey "sonde/analysis/survey"
	"sonde/model/match"
	"sonde/ui/app/distributed"
	"sonde/ui/app/paths"
	"sonde/ui/app/survey"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/report"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

// paperWidth is the width of text that is not for a terminal.
const paperWidth = 100

func newSurvey(s console.Streams) *cobra.Command {
	var f surveyFlags
	c := &cobra.Command{
		Use:   "survey PATH…",
		Short: "Measure many specs: the tables and figures of the distiller paper",
		Long: `Measure many specs: the tables and figures of the distiller paper.

PATH is a spec or a folder. In a folder, every YAML and JSON file is read, also in
folders inside it, except hidden ones; links to folders are not followed. Files
without a spec are skipped. A spec that is reached twice counts once.

The name of a spec is its path inside the given folder, or PATH itself. If two specs
would get the same name, both names also include PATH.

Exit code: 0 at least one spec was read, 2 none, or usage.`,
		Example: "  sonde survey specs\n  sonde survey specs --values deep --match qualified -o survey.html",
		Args:    atLeast("PATH"),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if !c.Flags().Changed("format") {
				f.format, err = console.FormatOfFile(f.output, reportFileExtensions)
				if err != nil {
					return err
				}
			}
			if f.isOn() && !c.Flags().Changed("jobs") {
				f.jobs = 0 // this process only coordinates
			}
			return f.run(c.Context(), s, args)
		},
	}
	f.add(c)
	return c
}

// reportFileExtensions maps file extensions to the formats of package report.
var reportFileExtensions = []console.FileExtension{
	{Ext: ".txt", Format: string(report.TextFormat)},
	{Ext: ".csv", Format: string(report.CSVFormat)},
	{Ext: ".json", Format: string(report.JSONFormat)},
	{Ext: ".html", Format: string(report.HTMLFormat)},
	{Ext: ".htm", Format: string(report.HTMLFormat)},
}

// surveyFlags are the flags of sonde survey.
type surveyFlags struct {
	sourceFlags
	campaignFlags
	options        specsurvey.Options
	gaveUp         string
	format, output string
	jobs           int
}

func (f *surveyFlags) add(c *cobra.Command) {
	fl := c.Flags()
	f.campaignFlags.add(c)
	fl.StringVar(
		&f.values, "values", string(match.PaperMode.Values),
		"depth at which values are read from schemas: paper (items of arrays only), shallow (also properties of "+
			"objects) or deep (all levels)",
	)
	fl.StringVar(
		&f.matching, "match", string(match.PaperMode.Match),
		"when values are the same: by name, or by qualified name, which includes their resource",
	)
	addPrintedLines(fl, &f.options.AsPrinted)
	fl.StringVar(
		&f.gaveUp, "gave-up", string(specsurvey.OmitCase),
		"what the tables and figures leave out where a listing gave up: the case, or all cases of its service, as the paper's do",
	)
	fl.StringVar(
		&f.format, "format", string(report.TextFormat),
		"text, csv (one row for each case), json, or html (a page with figures); default: by the extension of -o",
	)
	fl.StringVarP(&f.output, "output", "o", "", "file to write; an existing file is replaced")
	fl.IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "number of specs to read in parallel")
}

func (f *surveyFlags) run(ctx context.Context, s console.Streams, paths []string) error {
	way, err := f.mode()
	if err != nil {
		return err
	}
	f.options.Mode = way
	f.options.Omission, err = specsurvey.ParseOmission(f.gaveUp)
	if err != nil {
		return fmt.Errorf("--gave-up: %w", err)
	}
	format, err := report.ParseFormat(f.format)
	if err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	if f.jobs < 1 && !f.isOn() {
		return fmt.Errorf("--jobs is %d: it is at least 1", f.jobs)
	}
	if err := errors.Join(checkOutput(f.output), f.check()); err != nil {
		return err
	}
	files, err := survey.FindSpecs(ctx, paths)
	if err != nil {
		return err
	}
	failure := func(r report.Report) error { return nothing(r, paths) }
	write := func(r report.Report) error { return f.write(s, format, r) }
	if f.isOn() {
		return f.distribute(ctx, s, files, failure, write)
	}
	r, err := survey.Measure(ctx, files, f.options, f.jobs, survey.NewMeter(s.Err))
	if err == nil {
		err = failure(r)
	}
	if err != nil {
		return err
	}
	return write(r)
}

// distribute lets workers examine the files.
func (f *surveyFlags) distribute(
	ctx context.Context, s console.Streams, files []survey.SpecFile, failure, write func(report.Report) error,
) error {
	return f.coordinate(ctx, s, survey.CampaignKind, func(c *distributed.Session) (campaignPlan, error) {
		d, err := survey.Distribute(ctx, c.Store, files, f.options)
		if err != nil {
			return campaignPlan{}, err
		}
		about, err := d.Describe()
		return campaignPlan{
			description: about, work: d.Work(), things: "file", of: len(files), perUnit: survey.FilesPerUnit,
			jobs: f.jobs, failure: func() error { return failure(d.Report()) }, write: func() error { return write(d.Report()) },
		}, err
	})
}

// checkOutput checks the path of -o before the work begins.
func checkOutput(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("-o %q is a folder: name a file in it", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("-o %q: no folder %q", path, filepath.Dir(path))
	}
	return nil
}

// nothing returns the error for a survey in which no spec was found.
func nothing(r report.Report, paths []string) error {
	switch n := len(r.Problems); {
	case r.Specs > 0:
		return nil
	case n == 1:
		return errors.New(r.Problems[0].Text)
	case n > 1:
		return fmt.Errorf("none of %d specs can be read; the first: %s", n, r.Problems[0].Text)
	}
	var quoted []string
	for _, p := range paths {
		quoted = append(quoted, strconv.Quote(p))
	}
	return fmt.Errorf("no spec in %s: give a folder with OpenAPI files, in YAML or JSON", strings.Join(quoted, ", "))
}

func (f *surveyFlags) write(s console.Streams, format report.Format, r report.Report) error {
	var b bytes.Buffer
	if err := report.WriteReport(&b, format, r, widthOf(s.Out, f.output)); err != nil {
		return err
	}
	if format == report.CSVFormat { // a CSV file has no room for problems
		for _, p := range r.Problems {
			console.PrintNote(s.Err, "%s", p.Text)
		}
	}
	if f.output == "" {
		_, err := s.Out.Write(safe(b.Bytes(), format, console.IsTerminal(s.Out)))
		return err
	}
	if err := paths.WriteFile(f.output, plain(b.Bytes(), format)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(
		s.Out, "%s, %s in %s\n", words.Plural(r.Specs, "spec"), words.Plural(len(r.Survey.Cases), "case"),
		draw.Clean(f.output),
	)
	return err
}

// safe removes control characters from data for a terminal. It returns the text format, and data that is
// not for a terminal, unchanged.
func safe(data []byte, format report.Format, terminal bool) []byte {
	if format == report.TextFormat || !terminal {
		return data
	}
	return []byte(draw.CleanLines(string(data)))
}

// plain removes colours from the text format. It returns other formats unchanged.
func plain(data []byte, format report.Format) []byte {
	if format != report.TextFormat {
		return data
	}
	return []byte(ansi.Strip(string(data)))
}

// widthOf returns the width of text: that of the terminal, or paperWidth if the text is not for a terminal.
func widthOf(out any, file string) int {
	if f, ok := out.(*os.File); ok && file == "" && console.IsTerminal(out) {
		if width, _, err := term.GetSize(f.Fd()); err == nil && width > 0 {
			return width
		}
	}
	return paperWidth
}

// atLeast returns a check that there is at least one operand. name describes the operand.
func atLeast(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return exactly(name)(c, args)
		}
		return nil
	}
}
