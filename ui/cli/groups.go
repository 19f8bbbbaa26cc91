package cli

import (
	"bytes"
	"errors"
	"io"

	"sonde/analysis"
	"sonde/ui/console"
	"sonde/ui/results"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newGroups(s console.Streams) *cobra.Command {
	var f groupsFlags
	c := &cobra.Command{
		Use:   "groups [SPEC]",
		Short: "List the value-sharing groups: which operations pass values to each other",
		Long: `List the value-sharing groups: which operations pass values to each other, as text or JSON,
or draw them as Figure 1 of the distiller paper does.

A picture has all groups side by side, each in a frame: operations, the values that they
exchange in dashed boxes, and dashed arrows for the flow of values. --all-values adds the
values that no operation of the group emits (given) and those that none takes (unused);
they may be in several groups.`,
		Example: "  sonde groups shop.yaml\n  sonde groups shop.yaml --why\n  sonde groups shop.yaml -o groups.svg\n" +
			"  sonde groups shop.yaml --values paper --match name --all-values --format mermaid",
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			args, err := withSpec(c, s, args, "SPEC")
			if err != nil {
				return err
			}
			return f.run(c, s, args[0])
		},
	}
	f.pictureFlags.add(c.Flags())
	c.Flags().BoolVar(&f.why, "why", false, "list only exchanged values, each with its locations and the evidence that they are the same")
	c.Flags().BoolVar(&f.allValues, "all-values", false, "draw given and unused values, too")
	f.addCase(c)
	return c
}

// groupsFlags are the flags of sonde groups.
type groupsFlags struct {
	sourceFlags
	pictureFlags
	why, allValues bool
}

func (f *groupsFlags) run(c *cobra.Command, s console.Streams, source string) error {
	if err := f.check(c); err != nil {
		return err
	}
	a, err := f.loadAnalysis(c, s, source)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := f.print(&b, s.Err, a); err != nil {
		return err
	}
	return f.write(s, &b, words.Plural(len(a.ValueGroups()), "group"))
}

// check sets the format. It returns an error if flags exclude each other.
func (f *groupsFlags) check(c *cobra.Command) error {
	if err := f.pictureFlags.check(c, f.json); err != nil {
		return err
	}
	switch {
	case f.why && f.isPicture():
		return errors.New("--why has no picture: leave it out, or give --format text")
	case f.allValues && !f.isPicture():
		return errors.New("--all-values is for pictures: text and JSON always have all values; add -o FILE.svg, or leave it out")
	}
	return nil
}

// print writes the groups in the chosen format. It prints a note to errs if a picture is incomplete.
func (f *groupsFlags) print(w, errs io.Writer, a *analysis.Analysis) error {
	if f.isPicture() {
		return f.draw(w, errs, results.GroupsPicture(a, f.allValues, f.limits()))
	}
	groups := results.GroupReports(a)
	switch {
	case f.format == "json":
		return console.WriteJSON(w, groups)
	case f.why:
		return results.PrintEvidence(w, groups)
	}
	return results.PrintGroups(w, groups)
}
