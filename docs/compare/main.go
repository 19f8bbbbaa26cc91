// Command compare lets Sonde and Schemathesis search the same services through the same proxy, with the
// same number of requests, and prints what each tool found: distinct faults, and distinct pairs of an
// operation and a status.
//
//	pip install schemathesis==4.32.5
//	go run ./docs/compare -st "$(command -v st)"
//
// It runs from the root of the repository, one tool at a time. With -keep FILE a run is only repeated
// if the tool or the service has changed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// options are the values of the flags.
type options struct {
	st, extra string // the command of Schemathesis, and more flags for it
	keep      string // file of runs, "" for none
	services  []string
	seeds     int
	requests  int
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	k, err := readKept(o.keep)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "sonde-compare-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	tools, err := newTools(ctx, o.st, strings.Fields(o.extra), work)
	if err != nil {
		return err
	}
	for _, name := range o.services {
		s, err := newService(ctx, name, work)
		if err != nil {
			return err
		}
		if err := o.compare(ctx, s, tools, k); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func parse(args []string) (o options, err error) {
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	fs.StringVar(&o.st, "st", "st", "the command of Schemathesis")
	fs.StringVar(&o.extra, "st-flags", "", "further flags for st run, separated by spaces; the last of a kind wins")
	fs.StringVar(&o.keep, "keep", "", "file in which runs are kept")
	services := fs.String("services", "demo,flat,deep,nolocation", "services, separated by commas")
	fs.IntVar(&o.seeds, "seeds", 10, "runs of each tool on each service, with the seeds from 1 on")
	fs.IntVar(&o.requests, "requests", 5000, "requests that a run may send")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	o.services = strings.Split(*services, ",")
	o.st, err = exec.LookPath(o.st)
	if err == nil {
		o.st, err = filepath.Abs(o.st)
	}
	if err != nil {
		return o, fmt.Errorf("there is no Schemathesis (%w): pip install schemathesis, and name its command with -st", err)
	}
	if o.seeds < 1 || o.requests < 1 {
		return o, fmt.Errorf("-seeds %d, -requests %d: each is at least 1", o.seeds, o.requests)
	}
	return o, nil
}

// compare makes the tools search a service in turn with each seed, and prints a table. Because of the
// turns, a machine that becomes slower affects both tools.
func (o options) compare(ctx context.Context, s service, tools []tool, k *kept) error {
	runs := make([][]result, len(tools))
	for seed := range o.seeds {
		for i, t := range tools {
			j := job{seed: seed + 1, requests: o.requests}
			r, err := k.run(runOf(t, s, j), func() (result, error) { return t.search(ctx, s, j) })
			if err != nil {
				return fmt.Errorf("%s, seed %d: %w", t.name, j.seed, err)
			}
			fmt.Fprintf(os.Stderr, "%s, %s, seed %d: %d faults, %d pairs, %d requests in %.0f s\n",
				s.name, t.name, j.seed, len(r.Faults), len(r.Pairs), r.Requests, r.Took.Seconds())
			runs[i] = append(runs[i], r)
		}
	}
	return table(os.Stdout, s, tools, runs)
}
