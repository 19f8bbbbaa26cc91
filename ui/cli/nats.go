package cli

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"sonde/runner/campaign"
	"sonde/ui/app/distributed"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

// natsFlags are the flags of commands that connect to NATS servers.
type natsFlags struct {
	distributed.Servers
}

func (f *natsFlags) add(c *cobra.Command, usage string) {
	fl := c.Flags()
	fl.StringVar(&f.URL, "nats", "", usage)
	fl.StringVar(&f.CredentialsFile, "nats-creds", "", "file with the JWT and the NKey of a NATS user")
	fl.StringVar(&f.NKeyFile, "nats-nkey", "", "file with the seed of the NKey of a NATS user")
	fl.StringVar(&f.TLS.CACert, "nats-ca", "", "PEM file with the authority of the NATS servers' certificates")
	fl.StringVar(&f.TLS.Cert, "nats-cert", "", "PEM file with a certificate for the NATS servers")
	fl.StringVar(&f.TLS.Key, "nats-key", "", "PEM file with the key of --nats-cert")
}

// checkLogin returns an error if a flag for the log-in to NATS servers is set, but --nats is not.
func (f *natsFlags) checkLogin() error {
	for _, given := range []struct{ flag, file string }{
		{"--nats-creds", f.CredentialsFile},
		{"--nats-nkey", f.NKeyFile},
		{"--nats-ca", f.TLS.CACert},
		{"--nats-cert", f.TLS.Cert},
		{"--nats-key", f.TLS.Key},
	} {
		switch {
		case given.file != "" && f.URL == "":
			return fmt.Errorf("%s %q is for NATS servers: it needs --nats", given.flag, given.file)
		case given.file != "" && f.IsEmbedded():
			return fmt.Errorf("%s %q has no effect with --nats %q: a server in this process takes the token in %s only",
				given.flag, given.file, f.URL, distributed.TokenVariable)
		}
	}
	return nil
}

// campaignFlags are the flags of commands that can distribute their work.
type campaignFlags struct {
	natsFlags
	id    string
	alone bool // this process does all work, so nothing is printed about workers that could join
}

func (f *campaignFlags) add(c *cobra.Command) {
	f.natsFlags.add(c, "distribute the work over sonde workers by these NATS servers, or by one in this process: embedded[:PORT]; "+
		"this process then only coordinates, unless --jobs is given")
	c.Flags().StringVar(&f.id, "campaign", "", "name of the distributed work, to resume it later (default: a new one)")
}

// isOn reports whether the work is to be distributed.
func (f *campaignFlags) isOn() bool { return f.URL != "" }

// check returns an error if --nats is not set, but flags that need it are.
func (f *campaignFlags) check() error {
	if f.id != "" && !f.isOn() {
		return fmt.Errorf("--campaign %q names distributed work: it needs --nats", f.id)
	}
	if err := f.checkLogin(); err != nil {
		return err
	}
	if f.id == "" {
		return nil
	}
	return campaign.CheckID(f.id)
}

// open connects, and prints how workers join and how the campaign is resumed.
func (f *campaignFlags) open(ctx context.Context, s console.Streams, kind string) (*distributed.Session, error) {
	if f.id == "" {
		f.id = campaign.NewID(kind)
	}
	session, err := distributed.OpenFor(ctx, f.Servers, f.id)
	if err != nil {
		return nil, err
	}
	if join := session.Join(); join != "" && !f.alone {
		console.PrintNote(s.Err, "workers join with: %s", join)
	}
	return session, nil
}

// campaignPlan is the plan of a campaign: its units, and what happens with their results.
type campaignPlan struct {
	description campaign.Description // the ID is empty
	work        campaign.Work
	things      string // what a unit consists of, such as "file"
	of, perUnit int    // number of things in all, and number of things in a unit
	skipped     int    // number of units that need no work, because nothing reads their results
	// count returns the number of things that are done. If count is nil, this number follows from the number of
	// finished units.
	count func() int
	jobs  int // number of units on which this process works
	// failure returns the reason why the results must not be written, or nil if they may be written.
	failure func() error
	write   func() error // writes the results
}

// coordinate connects to the servers, lets workers do the work of a plan, and writes the results. If the work is
// interrupted, or if the results cannot be written, the servers keep the results, and the campaign can be resumed.
func (f *campaignFlags) coordinate(
	ctx context.Context, s console.Streams, kind string, plan func(*distributed.Session) (campaignPlan, error),
) (err error) {
	session, err := f.open(ctx, s, kind)
	if err != nil {
		return err
	}
	ended := false
	defer func() {
		end := session.Close
		if ended {
			end = session.Remove
		}
		err = errors.Join(err, end())
	}()
	p, err := plan(session)
	if err != nil {
		return err
	}
	p.description.ID = f.id
	c, err := session.Coordinate(ctx, p.description)
	if err != nil {
		return err
	}
	if c.Resumed {
		console.PrintNote(s.Err, "resuming campaign %s", f.id)
	}
	if err := f.gather(ctx, s, c, p); err != nil {
		return err
	}
	err = p.failure()
	if err == nil {
		err = p.write()
		if _, isVerdict := errors.AsType[verdict](err); err != nil && !isVerdict {
			return err // the servers keep the results
		}
	}
	ended = true
	return errors.Join(err, c.End(ctx))
}

// gather waits until all units are done, and shows the progress. If the work is interrupted, the error says how to
// resume the campaign.
func (f *campaignFlags) gather(ctx context.Context, s console.Streams, c *distributed.Coordination, p campaignPlan) error {
	var done, dead atomic.Int64
	p.work.Progress = func(finished, failed int) {
		done.Store(int64(finished))
		dead.Store(int64(failed))
	}
	start, before := time.Now(), -1
	err := console.ShowProgress(s, func() error { return c.Run(ctx, p.work, p.jobs) }, func() string {
		n := max(0, int(done.Load()+dead.Load())-p.skipped) * p.perUnit
		if p.count != nil {
			n = p.count()
		}
		n = min(n, p.of)
		if before < 0 {
			before = n
		}
		line := paceOf(p.things, before, n, p.of, time.Since(start)) + ", " + draw.Clean(c.Workers())
		if failed := dead.Load(); failed > 0 {
			line += fmt.Sprintf(", %s failed", words.Plural(int(failed), "unit"))
		}
		return line
	})
	switch {
	case !errors.Is(err, context.Canceled):
		return err
	case f.IsEmbedded():
		return fmt.Errorf("interrupted: the same command with --campaign %s resumes", f.id)
	}
	return fmt.Errorf("interrupted: the workers continue; the same command with --campaign %s resumes", f.id)
}
