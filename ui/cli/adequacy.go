package cli

import (
	"errors"
	"slices"

	"sonde/analysis/distil"
	"sonde/ui/app/adequacy"
	"sonde/ui/console"
	"sonde/ui/results"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newAdequacy(s console.Streams) *cobra.Command {
	var f adequacyFlags
	c := &cobra.Command{
		Use:   "adequacy SPEC FILE…",
		Short: "Report how much of an API the given tests reach, and the fewest seqs that would cover the rest",
		Long: `Report how much of an API the given tests reach: how many groups each seq touches (one
is best), which groups, operations and values they cover together, what is missing,
and the fewest seqs that would cover the rest.

FILE is a run folder, a suite.json, what sonde seqs prints (also with --json), a
HAR file (a page is a seq), or a Go file that sonde export wrote. The type is
recognised by its content. - is standard input. Nothing is ever called.

In a HAR file, only requests to a server of the spec or to a --host count. If there
are none, the requests to the host with the most known operations count.`,
		Example: "  sonde adequacy petstore.yaml run\n  sonde seqs petstore.yaml | sonde adequacy petstore.yaml -\n" +
			"  sonde adequacy petstore.yaml session.har --rest",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return exactly("SPEC", "FILE")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, s, args[0], args[1:]) },
	}
	f.addCase(c)
	c.Flags().StringSliceVar(&f.hosts, "host", nil, "a host that the requests in a HAR file went to, such as 127.0.0.1:8080")
	c.Flags().BoolVar(&f.rest, "rest", false, "print only the seqs that would cover the rest, as sonde seqs does")
	return c
}

// adequacyFlags are the flags of sonde adequacy.
type adequacyFlags struct {
	sourceFlags
	hosts []string
	rest  bool
}

func (f *adequacyFlags) run(c *cobra.Command, s console.Streams, source string, files []string) error {
	notDash := func(name string) bool { return name != "-" }
	if len(slices.DeleteFunc(append([]string{source}, files...), notDash)) > 1 {
		return errors.New("standard input can be read only once: give - once")
	}
	spec, err := f.loadSpec(c, s, source)
	if err != nil {
		return err
	}
	whole, err := f.analyze(c, spec)
	if err != nil {
		return err
	}
	e := adequacy.NewEvidence(spec, whole.ValuesTable(), f.hosts)
	for _, file := range files {
		if err := e.Read(file, s.In); err != nil {
			return err
		}
	}
	a, err := adequacy.Assess(c.Context(), whole, e)
	if err != nil {
		return err
	}
	switch {
	case f.rest && f.json:
		return console.WriteJSON(s.Out, results.NewSeqReport(whole, distil.Listing{Seqs: a.Rest.Seqs}))
	case f.rest:
		if none := len(a.Rest.Operations); none > 0 {
			console.PrintNote(s.Err, "%s in no seq: sonde adequacy without --rest names them", words.Plural(none, "operation"))
		}
		return results.PrintSeqs(s, distil.Listing{Seqs: a.Rest.Seqs})
	case f.json:
		return console.WriteJSON(s.Out, results.NewAdequacyReport(a))
	}
	return results.PrintAdequacy(s.Out, a)
}
