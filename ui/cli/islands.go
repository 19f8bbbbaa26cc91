package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/app/distributed"
	"sonde/ui/app/islandrun"
	"sonde/ui/app/searchrun"
	"sonde/ui/console"
	"sonde/ui/draw"

	"github.com/spf13/cobra"
)

// islandFlags are the flags of a search that is divided into islands.
type islandFlags struct {
	campaignFlags
	jobs     int
	topology string
}

func (f *searchFlags) addIslands(c *cobra.Command) {
	f.islands.add(c)
	fl, n := c.Flags(), &f.Islands
	fl.IntVar(
		&n.Number, "islands", 0,
		"divide the search over this many copies of the service, which workers start; see docs/distributed.md",
	)
	fl.IntVar(&n.Every, "migrate-every", 0, "number of calls of an island between two migrations (default: a tenth of its calls)")
	fl.IntVar(&n.Migrants, "migrants", searchrun.DefaultMigrants, "maximum number of tests that leave an island in one migration")
	fl.StringVar(
		&f.islands.topology, "topology", searchrun.DefaultTopology, "where they go: to the next island (ring), to all (full) or none",
	)
	fl.IntVar(&f.islands.jobs, "jobs", 0, "number of islands that this process is itself (default: all without --nats, else none)")
}

// checkIslands returns an error for invalid flags of islands.
func (f *searchFlags) checkIslands(c *cobra.Command) error {
	if f.Resumed != "" { // the islands have ended
		f.Islands.Number = 0
		return nil
	}
	n := &f.Islands
	if !c.Flags().Changed("islands") {
		for _, name := range []string{"migrate-every", "migrants", "topology", "jobs", "nats", "campaign"} {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--%s is for a search that is divided: give --islands, too", name)
			}
		}
		return nil
	}
	switch {
	case n.Number < 1 || n.Number > model.MaxCount:
		return fmt.Errorf("--islands is %d: give a number from 1 to %d", n.Number, model.MaxCount)
	case n.Every < 0 || n.Migrants < 1:
		return errors.New("--migrate-every and --migrants are at least 1")
	case f.IsSet():
		return errors.New("credentials of flags are not sent to workers: write them into sonde.yaml, as ${NAME}")
	}
	if err := n.SetTopology(f.islands.topology); err != nil {
		return err
	}
	if f.islands.isOn() {
		n.Servers = f.islands.Redacted()
		return f.islands.check()
	}
	f.islands.URL, f.islands.alone = distributed.Embedded, true
	if !c.Flags().Changed("jobs") {
		f.islands.jobs = n.Number
	}
	return f.islands.check()
}

// exploreIslands lets workers run the islands of the search, and writes the results of all islands as one run. It
// then changes the settings, so that the search resumes this run.
func (f *searchFlags) exploreIslands(ctx context.Context, s console.Streams, spec *model.Spec) error {
	return f.islands.coordinate(ctx, s, islandrun.CampaignKind, func(session *distributed.Session) (campaignPlan, error) {
		d, err := islandrun.Distribute(ctx, session.Store, f.Settings)
		if err != nil {
			return campaignPlan{}, err
		}
		if err := d.WatchCalls(ctx, f.islands.id); err != nil {
			return campaignPlan{}, err
		}
		about, err := d.Describe()
		return campaignPlan{
			description: about, work: d.Work(), things: "call", of: d.MaxCalls(), count: d.Calls, jobs: f.islands.jobs,
			failure: func() error { return nil },
			write: func() error {
				for _, line := range d.Failures() {
					console.PrintNote(s.Err, "%s", draw.Clean(strings.TrimSpace(line)))
				}
				found, err := d.Merge(ctx, f.islands.id)
				if err != nil {
					return err
				}
				return f.WriteExplored(spec, found)
			},
		}, err
	})
}
