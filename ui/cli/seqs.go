package cli

import (
	"fmt"
	"io"
	"strings"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/pane"

	"github.com/spf13/cobra"
)

func newSeqs(s streams) *cobra.Command {
	var f sourceFlags
	rule, o := string(distil.DC), distil.Options{}
	c := &cobra.Command{
		Use:   "seqs SPEC",
		Short: "List seqs: few calls in an order that passes values on",
		Args:  exactly("SPEC"),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if o.Rule, err = distil.ParseRule(rule); err != nil {
				return err
			}
			if o.Needed && o.Rule != distil.DC {
				return fmt.Errorf("--min-share is about what a seq shares: leave it out with --rule %s, which does not ask for that", o.Rule)
			}
			for flag, n := range map[string]int{"--length": o.Length, "--limit": o.Limit} {
				if n < 1 {
					return fmt.Errorf("%s is %d: it is at least 1", flag, n)
				}
			}
			spec, err := f.load(c.Context(), s, args[0])
			if err != nil {
				return err
			}
			table, err := f.table(c, spec)
			if err != nil {
				return err
			}
			list, err := distil.List(c.Context(), table, o)
			if err != nil {
				return err
			}
			if f.json {
				return printJSON(s.out, seqReport{append([]model.Seq{}, list.Seqs...), list.GaveUp})
			}
			return printSeqs(s, list)
		},
	}
	c.Flags().StringVar(&rule, "rule", rule, "dc (the paper's: what follows shares a value) or sc (whatever can run)")
	c.Flags().IntVar(&o.Length, "length", 3, "longest seq")
	c.Flags().IntVar(&o.Limit, "limit", 2000, "stop listing when there are more than this many")
	c.Flags().BoolVar(&o.Needed, "min-share", false, "let an operation follow only where it requires what it shares")
	f.addCase(c)
	return c
}

// seqReport is the JSON of seqs.
type seqReport struct {
	Seqs   []model.Seq `json:"seqs"`
	GaveUp bool        `json:"gave_up"`
}

func printSeqs(s streams, list distil.Listing) error {
	for _, seq := range list.Seqs {
		if _, err := fmt.Fprintln(s.out, chainText(seq)); err != nil {
			return err
		}
	}
	if list.GaveUp {
		tell(s.err, "there are more than these %d: --limit lists more", len(list.Seqs))
	}
	return nil
}

func chainText(seq model.Seq) string {
	var parts []string
	for _, op := range seq {
		parts = append(parts, pane.Clean(string(op)))
	}
	return strings.Join(parts, ", ")
}

// tell writes a remark that is no result.
func tell(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "sonde: %s\n", pane.Clean(fmt.Sprintf(format, args...)))
}
