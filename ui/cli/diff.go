package cli

import (
	"errors"

	"sonde/analysis"
	"sonde/analysis/specdiff"
	"sonde/ui/app/affected"
	"sonde/ui/console"
	"sonde/ui/results"

	"github.com/spf13/cobra"
)

func newDiff(s console.Streams) *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "List what changed between two versions of a spec, what breaks clients, and which tests are affected",
		Long: `List what changed between two versions of a spec: operations, with what breaks a
client of the old version; values that pass between other operations than before, and
inputs that lost the operation that feeds them; value-sharing groups and areas.

A path whose parameters only have other names is the same path. An operation with the
same operationId and method at another path has moved. The rules for parameters,
bodies, answers and security are those of oasdiff; --json names the rule of each
change. Descriptions, examples, tags and operationIds are not compared.

With --tests, the tests that call an operation which is removed, moved or changed in a
breaking way are listed. FILE is a run folder, a suite.json, a HAR file, a Go file that
sonde export wrote, or a folder with any of them below.

The exit code is 1 if a change is breaking or a test is affected, 0 if not, and 2 if a
spec or a test cannot be read or compared.`,
		Example: "  sonde diff v1.yaml v2.yaml\n  sonde diff https://example.com/openapi.json openapi.json --tests sonde-tests --json",
		Args:    exactly("OLD", "NEW"),
		RunE:    func(c *cobra.Command, args []string) error { return f.run(c, s, args[0], args[1]) },
	}
	f.add(c)
	c.Flags().StringArrayVar(&f.tests, "tests", nil, "a file or folder of kept tests (repeat for several)")
	c.Flags().BoolVar(&f.all, "all", false, "list all changes, also if there are very many")
	return c
}

// diffFlags are the flags of diff.
type diffFlags struct {
	sourceFlags
	tests []string
	all   bool
}

func (f *diffFlags) run(c *cobra.Command, s console.Streams, old, new string) error {
	if old == "-" && new == "-" {
		return errors.New("standard input can be read only once: give - once")
	}
	older, err := f.read(c, s, old)
	if err != nil {
		return err
	}
	newer, err := f.read(c, s, new)
	if err != nil {
		return err
	}
	d := specdiff.Compare(older, newer)
	var tests *affected.Tests
	if len(f.tests) > 0 {
		if tests, err = affected.Find(older, d, newer.Spec, f.tests); err != nil {
			return err
		}
	}
	r := results.NewDiffReport(older.Spec, newer.Spec, d, tests)
	if f.json {
		err = console.WriteJSON(s.Out, r)
	} else {
		err = results.PrintDiff(s.Out, r, f.all)
	}
	if err == nil {
		err = d.ContractError
	}
	if err == nil && (d.Breaking() || tests != nil && len(tests.Affected) > 0) {
		return verdict(exitFaults)
	}
	return err
}

func (f *diffFlags) read(c *cobra.Command, s console.Streams, source string) (*analysis.Analysis, error) {
	spec, err := f.loadSpec(c, s, source)
	if err != nil {
		return nil, err
	}
	return analysis.Analyze(spec, analysis.Options{}), nil
}
