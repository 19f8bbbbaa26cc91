package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"sonde/runner/lab/mutate"
	"sonde/ui/app/generation"
	"sonde/ui/app/paths"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/report"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

// mutantsFile is the name of the file in the folder of the tests that has the results of sonde mutate.
const mutantsFile = "mutants.ndjson"

func newEvaluate(s console.Streams) *cobra.Command {
	var f evaluateFlags
	c := &cobra.Command{
		Use:   "evaluate TESTS…",
		Short: "Show how good the tests of recordings are: the tables of the RICK paper",
		Long: `Show how good the tests of recordings are: the tables of the RICK paper.

TESTS is a folder that sonde generate wrote, one for each service. The tables are
those of the paper: the services (Table 1), the recorded traffic (2), the tests of each
service by operation (3 to 5), and how many mimic, of those with outward calls and of
those without. If the folder has ` + mutantsFile + `, the file of sonde mutate -o, Figure 5
is there, too: the mutants by the oracles that notice them.`,
		Example: "  sonde generate rec -o tests\n" +
			"  sonde mutate --tests tests --build ./cmd/server -o tests/" + mutantsFile + "\n" +
			"  sonde evaluate tests -o evaluation.html",
		Args: atLeast("TESTS"),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, s, args) },
	}
	c.Flags().StringVar(
		&f.format, "format", string(report.TextFormat),
		"text, csv (one row for each operation), json, or html (a page with figures); default: by the extension of -o",
	)
	c.Flags().StringVarP(&f.output, "output", "o", "", "file to write; an existing file is replaced")
	return c
}

// evaluateFlags are the flags of sonde evaluate.
type evaluateFlags struct{ format, output string }

func (f *evaluateFlags) run(c *cobra.Command, s console.Streams, folders []string) (err error) {
	if !c.Flags().Changed("format") {
		f.format, err = console.FormatOfFile(f.output, reportFileExtensions)
		if err != nil {
			return err
		}
	}
	format, err := report.ParseFormat(f.format)
	if err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	if err := checkOutput(f.output); err != nil {
		return err
	}
	var all []report.CaseStudy
	for _, dir := range folders {
		one, err := openCaseStudy(dir)
		if err != nil {
			return err
		}
		all = append(all, one)
	}
	nameCaseStudies(all, folders)
	var b bytes.Buffer
	if err := report.WriteEvaluation(&b, format, all, widthOf(s.Out, f.output)); err != nil {
		return err
	}
	if f.output == "" {
		_, err := s.Out.Write(safe(b.Bytes(), format, console.IsTerminal(s.Out)))
		return err
	}
	if err := paths.WriteFile(f.output, plain(b.Bytes(), format)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.Out, "%s in %s\n", words.Plural(len(all), "service"), draw.Clean(f.output))
	return err
}

// openCaseStudy reads the report of sonde generate in a folder, and the results of sonde mutate if it has them.
func openCaseStudy(dir string) (c report.CaseStudy, err error) {
	c.Mimics, err = generation.OpenReport(dir)
	if err != nil {
		return c, err
	}
	head, all, err := mutate.ReadLog(filepath.Join(dir, mutantsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	c.Mutants = report.NewMutantResults(head, all)
	for i := range c.Mimics.Rows {
		c.Mimics.Rows[i].Lines = head.Code.Operations[string(c.Mimics.Rows[i].Operation)]
	}
	return c, err
}

// nameCaseStudies names each service by the title of its spec, and by its folder, too, if other services have the
// same title.
func nameCaseStudies(all []report.CaseStudy, folders []string) {
	count := map[string]int{}
	for _, c := range all {
		count[c.Mimics.Title]++
	}
	for i := range all {
		title := all[i].Mimics.Title
		all[i].Name = title
		if title == "" || count[title] > 1 {
			all[i].Name = strings.TrimSpace(title + " " + folders[i])
		}
	}
}
