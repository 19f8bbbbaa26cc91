package cli

import (
	"fmt"
	"time"

	"sonde/ui/app/recent"
	"sonde/ui/app/userdata"
	"sonde/ui/console"

	"github.com/spf13/cobra"
)

// newRecent returns the command that lists recent specs and searches.
func newRecent(s console.Streams) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "recent",
		Short: "List recent specs and searches",
		Long: `List the specs that were opened in the app, and the searches that the app or search -o
started, the most recent first. Use the folder of a search with report, export, search --resume
or sonde --run, which opens it in the app. sonde --open asks which of the specs to open.`,
		Args: exactly(),
		RunE: func(*cobra.Command, []string) error {
			specs, runs := recent.ReadRecent()
			if asJSON {
				return console.WriteJSON(s.Out, newRecentReport(specs, runs))
			}
			if len(specs)+len(runs) == 0 {
				_, err := fmt.Fprintln(s.Out, "nothing recent: sonde SPEC opens a spec")
				return err
			}
			t := console.NewTable(s.Out)
			for _, x := range specs {
				t.Row("spec", day(x.When), recent.SpecTitle(x), x.Source)
			}
			for _, x := range runs {
				t.Row("search", day(x.When), x.Title, x.Folder)
			}
			return t.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON for programs")
	return c
}

func day(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// recentReport is the JSON of sonde recent.
type recentReport struct {
	Specs []recentSpec         `json:"specs"`
	Runs  []userdata.RecentRun `json:"runs"`
}

type recentSpec struct {
	Source string    `json:"source"`
	Title  string    `json:"title"`
	When   time.Time `json:"when"`
}

func newRecentReport(specs []userdata.RecentSpec, runs []userdata.RecentRun) recentReport {
	r := recentReport{Specs: []recentSpec{}, Runs: append([]userdata.RecentRun{}, runs...)}
	for _, s := range specs {
		r.Specs = append(r.Specs, recentSpec{Source: s.Source, Title: s.Title, When: s.When})
	}
	return r
}
