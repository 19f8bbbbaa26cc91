package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"sonde/model/config"
	"sonde/ui/app/distributed"
	"sonde/ui/app/experiment"
	"sonde/ui/app/version"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newWorker(s console.Streams) *cobra.Command {
	f := workerFlags{jobs: runtime.GOMAXPROCS(0)}
	c := &cobra.Command{
		Use:   "worker --nats URL",
		Short: "Work on what other machines distribute: sonde study, survey, mutate and search with --nats",
		Long: `Work on what other machines distribute: sonde study, survey, mutate and search with --nats.

The worker takes units of work from NATS servers with JetStream, does them and sends
the results. It ends when it is interrupted, after it has finished the units that it
has; a second interrupt ends it at once, and another worker gets its units.

A worker and those who distribute work must have the same version of Sonde.

Without further flags a worker reads specs and searches the built-in demo. It says
what it may do when it joins.

The token for the servers, if they need one, is in the environment variable
` + distributed.TokenVariable + `.`,
		Example: "  sonde worker --nats nats://host:4222 --jobs 4 --label cpu=arm64",
		Args:    exactly(),
		RunE:    func(c *cobra.Command, _ []string) error { return f.run(c.Context(), s) },
	}
	f.add(c, "URLs of the NATS servers, separated by commas")
	c.Flags().IntVar(&f.jobs, "jobs", f.jobs, "number of units to work on at the same time")
	c.Flags().BoolVar(&f.may.Build, "allow-build", false, "build and run Go services and tests from the sources that others send")
	c.Flags().StringVar(&f.commands, "allow-command", "", "YAML `FILE` with the commands that may start services, see docs/distributed.md")
	c.Flags().StringSliceVar(&f.may.Hosts, "allow-host", nil, "host that may be called, besides this machine (repeatable)")
	c.Flags().StringArrayVar(&f.labels, "label", nil, "NAME=VALUE to show for this worker, such as cpu=arm64")
	return c
}

// newUnit returns the hidden command that does one unit for sonde worker.
func newUnit(s console.Streams) *cobra.Command {
	return &cobra.Command{
		Use: distributed.UnitCommand, Hidden: true, Args: exactly(),
		RunE: func(c *cobra.Command, _ []string) error { return distributed.ServeUnit(c.Context(), s.In, s.Out) },
	}
}

// versionInterval is the time after which a worker looks for campaigns of other versions of Sonde again. It is long
// because the NATS servers must create a consumer for each look.
const versionInterval = 30 * time.Second

// workerFlags are the flags of sonde worker.
type workerFlags struct {
	natsFlags
	jobs     int
	labels   []string
	commands string
	may      experiment.Permissions
}

func (f *workerFlags) run(ctx context.Context, s console.Streams) (err error) {
	labels, err := distributed.ParseLabels(f.labels)
	switch {
	case err != nil:
		return err
	case f.URL == "":
		return errors.New("--nats is missing: give the URL of a NATS server, such as nats://host:4222")
	case f.IsEmbedded():
		return fmt.Errorf("--nats %q: a worker joins servers that run already", f.URL)
	case f.jobs < 1:
		return fmt.Errorf("--jobs is %d: it is at least 1", f.jobs)
	}
	if f.commands != "" {
		if f.may.Commands, err = config.LoadCommands(f.commands); err != nil {
			return err
		}
	}
	session, err := distributed.Open(ctx, f.Servers)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	console.PrintNote(s.Err, "joined; %s", strings.Join(f.promises(), "; "))
	others, err := session.OtherVersions(ctx)
	if err != nil {
		return err
	}
	watching, stop := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		f.noteVersions(watching, s, session, others)
	}()
	defer func() {
		stop()
		<-watched
	}()
	return session.Work(context.WithoutCancel(ctx), ctx, distributed.WorkerOptions{Jobs: f.jobs, Labels: labels, Permissions: f.may})
}

// noteVersions prints one note for each campaign that this version of Sonde cannot work on. others are the campaigns
// that are already known. noteVersions looks for further campaigns until ctx ends.
func (f *workerFlags) noteVersions(ctx context.Context, s console.Streams, session *distributed.Session, others []string) {
	noted := map[string]bool{}
	for {
		for _, name := range others {
			if !noted[name] {
				noted[name] = true
				console.PrintNote(s.Err, "it does not work on campaign %s: this is %s", name, version.Text())
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(versionInterval):
			others, _ = session.OtherVersions(ctx) // the next one may succeed
		}
	}
}

// promises describes what the worker will do.
func (f *workerFlags) promises() []string {
	all := []string{
		"it works on " + words.Plural(f.jobs, "unit") + " at the same time",
		"it reads specs and searches the built-in demo",
	}
	if f.may.Build {
		all = append(all, "it builds and runs Go services and tests that others send")
	} else {
		all = append(all, "it builds no services (--allow-build)")
	}
	if n := len(f.may.Commands); n > 0 {
		all = append(all, "it runs "+words.Plural(n, "command")+" of "+draw.Clean(f.commands))
	} else {
		all = append(all, "it runs no commands (--allow-command)")
	}
	if len(f.may.Hosts) > 0 {
		return append(all, "it calls this machine, "+draw.Clean(strings.Join(f.may.Hosts, ", ")))
	}
	return append(all, "it calls only this machine (--allow-host)")
}
