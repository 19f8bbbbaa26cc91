package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"sonde/runner/campaign"
	"sonde/ui/app/distributed"
	"sonde/ui/app/usecase"
	"sonde/ui/console"
	"sonde/ui/tui"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const natsUsage = "URLs of the NATS servers, separated by commas"

// newCampaigns returns the command that lists campaigns.
func newCampaigns(s console.Streams) *cobra.Command {
	var f natsFlags
	asJSON := false
	c := &cobra.Command{
		Use:   "campaigns --nats URL",
		Short: "List the work that is distributed over NATS servers, or cancel it",
		Long: `List the campaigns on NATS servers: work that sonde study and sonde survey distribute over
workers. The state says whether the coordinator lives: it is observed for up to four seconds.

sonde --nats URL shows a campaign live.`,
		Example: "  sonde campaigns --nats nats://host:4222\n  sonde campaigns cancel study-1a2b3c4d5e --nats nats://host:4222",
		Args:    exactly(),
		RunE:    func(c *cobra.Command, _ []string) error { return f.list(c.Context(), s.Out, asJSON) },
	}
	f.add(c, natsUsage)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON for programs")
	c.AddCommand(newCampaignsCancel(s))
	return c
}

func newCampaignsCancel(s console.Streams) *cobra.Command {
	var f natsFlags
	yes := false
	c := &cobra.Command{
		Use:   "cancel ID --nats URL",
		Short: "Remove a campaign and its results from NATS servers",
		Long: `Remove a campaign, its units and its results from NATS servers. Its coordinator ends with an
error, and workers finish the units that they have.`,
		Example: "  sonde campaigns cancel study-1a2b3c4d5e --nats nats://host:4222",
		Args:    exactly("ID"),
		RunE:    func(c *cobra.Command, args []string) error { return f.cancel(c.Context(), s, args[0], yes) },
	}
	f.add(c, natsUsage)
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

// checkServers returns an error if --nats is missing, or if it is "embedded", which starts a new server. The parameter
// what names the command in the text of the error.
func (f *natsFlags) checkServers(what string) error {
	switch {
	case f.URL == "":
		return errors.New("--nats is missing: give the URL of a NATS server, such as nats://host:4222")
	case f.IsEmbedded():
		return fmt.Errorf("--nats %q: %s needs servers that run already", f.URL, what)
	}
	return nil
}

// campaignEntry is a campaign in the JSON of sonde campaigns.
type campaignEntry struct {
	ID          string    `json:"id"`
	Kind        string    `json:"kind"`
	Sonde       string    `json:"sonde"`
	Units       int       `json:"units"`
	Done        int       `json:"done"`
	Failed      int       `json:"failed"`
	State       string    `json:"state"` // running, silent or ended
	Coordinator string    `json:"coordinator"`
	LastSign    time.Time `json:"last_sign_of_life"` // by the servers' clock
}

func (f *natsFlags) list(ctx context.Context, out io.Writer, asJSON bool) error {
	if err := f.checkServers("sonde campaigns"); err != nil {
		return err
	}
	all, err := distributed.List(ctx, f.Servers)
	if err != nil {
		return err
	}
	if asJSON {
		entries := []campaignEntry{}
		for _, c := range all {
			entries = append(entries, campaignEntry{
				ID: c.ID, Kind: c.Kind, Sonde: c.Version, Units: c.Units, Done: c.Done, Failed: c.Failed,
				State: campaignState(c), Coordinator: c.Coordinator, LastSign: c.LastWrittenAt,
			})
		}
		return console.WriteJSON(out, entries)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(out, "no campaigns: sonde survey and sonde study begin one with --nats")
		return err
	}
	t := console.NewTable(out)
	t.Row("campaign", "kind", "units", "done", "failed", "state", "last sign", "coordinator")
	for _, c := range all {
		t.Row(
			c.ID, c.Kind, words.Count(c.Units), words.Count(c.Done), words.Count(c.Failed),
			campaignState(c), day(c.LastWrittenAt), c.Coordinator,
		)
	}
	return t.Flush()
}

// campaignState returns the state of a campaign in one word.
func campaignState(c usecase.Campaign) string {
	switch {
	case c.Ended:
		return "ended"
	case c.Life == usecase.Alive:
		return "running"
	}
	return "silent"
}

func (f *natsFlags) cancel(ctx context.Context, s console.Streams, id string, yes bool) (err error) {
	if err := f.checkServers("sonde campaigns cancel"); err != nil {
		return err
	}
	if err := campaign.CheckID(id); err != nil {
		return err
	}
	session, err := distributed.Open(ctx, f.Servers)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	all, err := session.Store.Campaigns(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(c campaign.State) bool { return c.ID == id })
	if i < 0 {
		return unknownCampaign(id)
	}
	line := fmt.Sprintf("campaign %s (%s, %s) is removed from the servers: %d units have a result, %d have failed",
		id, all[i].Kind, words.Plural(all[i].Units, "unit"), all[i].Done, all[i].Dead)
	if err := console.Confirm(s, []string{line}, yes); err != nil {
		return fmt.Errorf("campaign %q was not cancelled: --yes does it without a question", id)
	}
	if err := session.Store.Cancel(ctx, id); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.Out, "campaign %s is cancelled\n", id)
	return err
}

func unknownCampaign(id string) error {
	return fmt.Errorf("campaign %q: %w: sonde campaigns lists those that the servers have", id, campaign.ErrNoCampaign)
}

// onlyForCampaigns are the flags of the app that may be combined with --nats. All but the last two, --theme and
// --ascii, have no use without --nats.
var onlyForCampaigns = []string{"nats", "nats-creds", "nats-nkey", "nats-ca", "nats-cert", "nats-key", "campaign", "theme", "ascii"}

// checkWatch checks the flags and operands of the app. With --nats, it returns an error for operands and for flags
// that campaigns do not use. Without --nats, it returns an error for flags that only campaigns use.
func (f *campaignFlags) checkWatch(c *cobra.Command, args []string) (err error) {
	if f.URL != "" && len(args) > 0 {
		return fmt.Errorf("--nats shows campaigns, which have no spec: leave out %q or --nats", args[0])
	}
	c.Flags().Visit(func(flag *pflag.Flag) {
		isOurs := slices.Contains(onlyForCampaigns[:7], flag.Name)
		switch {
		case err != nil:
		case f.URL == "" && isOurs:
			err = fmt.Errorf("--%s is for campaigns: it needs --nats", flag.Name)
		case f.URL != "" && flag.Name == "plain":
			err = errors.New("--nats shows campaigns on a screen: leave it out with --plain; sonde campaigns lists them")
		case f.URL != "" && !slices.Contains(onlyForCampaigns, flag.Name):
			err = fmt.Errorf("--nats shows campaigns, which have no spec and no service: leave out --%s", flag.Name)
		}
	})
	return err
}

// watch shows campaigns in the app.
func (f *campaignFlags) watch(ctx context.Context, prefs screen.Preferences) error {
	if err := f.checkServers("the app"); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	monitor, done, err := distributed.NewMonitor(ctx, f.Servers)
	if err != nil {
		stop()
		return err
	}
	defer func() {
		stop()
		<-done
	}()
	known := slices.ContainsFunc(monitor.Look("").Campaigns, func(c usecase.Campaign) bool { return c.ID == f.id })
	if f.id != "" && !known {
		return unknownCampaign(f.id)
	}
	source := usecase.Campaigns{
		Look:   monitor.Look,
		Cancel: func(id string) error { return monitor.Cancel(ctx, id) },
	}
	return tui.RunCampaigns(ctx, source, prefs, f.Name(), f.id)
}
