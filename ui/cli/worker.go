package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"sonde/ui/app/distributed"
	"sonde/ui/console"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newWorker(s console.Streams) *cobra.Command {
	f := workerFlags{jobs: runtime.GOMAXPROCS(0)}
	c := &cobra.Command{
		Use:   "worker --nats URL",
		Short: "Work on what other machines distribute: sonde study and sonde survey with --nats",
		Long: `Work on what other machines distribute: sonde study and sonde survey with --nats.

The worker takes units of work from NATS servers with JetStream, does them and sends
the results. It ends when it is interrupted, after it has finished the units that it
has; a second interrupt ends it at once, and another worker gets its units.

A worker and those who distribute work must have the same version of Sonde.

The token for the servers, if they need one, is in the environment variable
` + distributed.TokenVariable + `.`,
		Example: "  sonde worker --nats nats://host:4222 --jobs 4 --label cpu=arm64",
		Args:    exactly(),
		RunE:    func(c *cobra.Command, _ []string) error { return f.run(c.Context(), s) },
	}
	f.add(c, "URLs of the NATS servers, separated by commas")
	c.Flags().IntVar(&f.jobs, "jobs", f.jobs, "number of units to work on at the same time")
	c.Flags().StringArrayVar(&f.labels, "label", nil, "NAME=VALUE to show for this worker, such as cpu=arm64")
	return c
}

// workerFlags are the flags of sonde worker.
type workerFlags struct {
	natsFlags
	jobs   int
	labels []string
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
	session, err := distributed.Open(ctx, f.Servers)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	console.PrintNote(s.Err, "joined; %s", strings.Join(f.promises(), "; "))
	return session.Work(context.WithoutCancel(ctx), ctx, distributed.WorkerOptions{Jobs: f.jobs, Labels: labels})
}

// promises describes what the worker will do.
func (f *workerFlags) promises() []string {
	return []string{
		"it works on " + words.Plural(f.jobs, "unit") + " at the same time",
		"it reads specs and makes studies of the built-in demo",
		"it builds no services, runs no commands and calls no other hosts",
	}
}
