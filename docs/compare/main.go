// Command compare lets Sonde, Schemathesis and EvoMaster (black-box) search the same services through the same
// proxy, with the same number of requests, the same users and new data for each run. It prints what each tool
// reached and found, as medians, with the effect size Â12 of Vargha and Delaney and p of Mann and Whitney's test:
// statements of services in Go, operations with a 2xx and with a 5xx, pairs of operation and status, and faults that
// a service names in X-Fault.
//
//	pip install schemathesis==4.32.5
//	go run ./docs/compare -st "$(command -v st)"
//	go run ./docs/compare -st "$(command -v st)" -em evomaster.jar -requests 3000 -seeds 5 docs/compare/services.yaml
//	go run ./docs/compare -tools sonde-white,sonde-black
//
// Without an argument it compares on Sonde's own services, docs/compare/own.yaml. The form of such a file is
// explained in docs/compare/services.yaml.
//
// The command runs from the root of the repository, one tool at a time. With -keep FILE a run is only repeated
// if the tool or the service has changed. With -runs DIR the files of each run stay: what the tool and the service
// printed, and all exchanges.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// options are the flags and arguments.
type options struct {
	tools      []string
	st, extra  string // the command of Schemathesis, and additional flags for it
	em         string // the jar or the command of EvoMaster
	keep       string // file of runs, "" for none
	runs       string // folder for the files of runs, "" for none
	services   []string
	half       string
	seeds      int
	requests   int
	limit      time.Duration
	difference bool
	config     string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	entries, err := readConfig(o.config)
	if err != nil {
		return err
	}
	if entries, err = choose(entries, o.services, o.half); err != nil {
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
	tools, err := o.newTools(ctx, work)
	if err != nil {
		return err
	}
	var all []comparison
	for _, e := range entries {
		s, err := newService(ctx, e, work)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		c, err := o.compare(ctx, s, tools, k)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		if err := o.print(c); err != nil {
			return err
		}
		all = append(all, c)
	}
	return summary(os.Stdout, all)
}

func parse(args []string) (o options, err error) {
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	tools := fs.String("tools", "", "tools, separated by commas: sonde, sonde-white and sonde-black (which build the service with\n"+
		"probes; the latter does not use them), schemathesis, schemathesis-stopping (which tests an\n"+
		"operation no further once it failed), evomaster (default: sonde,schemathesis, and evomaster with -em)")
	fs.StringVar(&o.st, "st", "st", "the command of Schemathesis")
	fs.StringVar(&o.extra, "st-flags", "", "further flags for st run, separated by spaces; the last of a kind wins")
	fs.StringVar(&o.em, "em", "", "evomaster.jar, or the command of EvoMaster")
	fs.StringVar(&o.keep, "keep", "", "file in which runs are kept")
	fs.StringVar(&o.runs, "runs", "", "folder in which the files of each run stay")
	services := fs.String("services", "", "services of the configuration, separated by commas (default: all)")
	fs.StringVar(&o.half, "half", "", "only services of this half: tuned or \"held out\"")
	fs.IntVar(&o.seeds, "seeds", 10, "runs of each tool on each service, with the seeds from 1 on")
	fs.IntVar(&o.requests, "requests", 5000, "requests that a run may send")
	fs.DurationVar(&o.limit, "time", time.Hour, "time after which a run is ended")
	fs.BoolVar(&o.difference, "differences", false, "print which faults and pairs a tool met in more runs than another")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	switch {
	case *tools != "":
		o.tools = strings.Split(*tools, ",")
	case o.em != "":
		o.tools = []string{"sonde", "schemathesis", "evomaster"}
	default:
		o.tools = []string{"sonde", "schemathesis"}
	}
	if *services != "" {
		o.services = strings.Split(*services, ",")
	}
	o.config = cmp.Or(fs.Arg(0), filepath.Join("docs", "compare", "own.yaml"))
	if o.seeds < 1 || o.requests < 1 || o.limit <= 0 || fs.NArg() > 1 {
		return o, fmt.Errorf("-seeds %d, -requests %d, -time %s: each is more than 0, and at most one configuration follows",
			o.seeds, o.requests, o.limit)
	}
	return o, nil
}

// newTools returns the tools of the option -tools, ready to run. work is a folder for their files.
func (o options) newTools(ctx context.Context, work string) (tools []tool, err error) {
	extra := strings.Fields(o.extra)
	for _, name := range o.tools {
		var t tool
		switch name {
		case "sonde":
			t, err = sonde(ctx, work, plainWay)
		case "sonde-white":
			t, err = sonde(ctx, work, whiteWay)
		case "sonde-black":
			t, err = sonde(ctx, work, blackWay)
		case "schemathesis":
			t, err = schemathesis(ctx, o.st, extra, true)
		case "schemathesis-stopping":
			t, err = schemathesis(ctx, o.st, extra, false)
		case "evomaster":
			t, err = evomaster(o.em)
		default:
			err = fmt.Errorf("-tools: %q is not sonde, sonde-white, sonde-black, schemathesis, schemathesis-stopping or evomaster", name)
		}
		if err != nil {
			return nil, err
		}
		tools = append(tools, t)
	}
	return tools, nil
}

// compare runs the tools on a service in turns, once for each seed. So if the machine becomes slower, this
// affects all tools.
func (o options) compare(ctx context.Context, s service, tools []tool, k *kept) (comparison, error) {
	c := comparison{service: s, tools: tools, runs: make([][]result, len(tools))}
	for seed := range o.seeds {
		for i, t := range tools {
			j := job{seed: seed + 1, requests: o.requests, limit: o.limit}
			r, err := k.run(runOf(t, s, j), func() (result, error) { return o.search(ctx, t, s, j) })
			if err != nil {
				return c, fmt.Errorf("%s, seed %d: %w", t.name, j.seed, err)
			}
			fmt.Fprintf(os.Stderr, "%s, %s, seed %d: %s\n", s.Name, t.name, j.seed, progress(s, r))
			c.runs[i] = append(c.runs[i], r)
		}
	}
	return c, nil
}

// search runs a tool once, in a folder of its own.
func (o options) search(ctx context.Context, t tool, s service, j job) (result, error) {
	if o.runs == "" {
		dir, err := os.MkdirTemp("", "sonde-compare-run-")
		if err != nil {
			return result{}, err
		}
		defer os.RemoveAll(dir)
		return t.search(ctx, s, j, dir, false)
	}
	dir, err := filepath.Abs(filepath.Join(o.runs, s.Name, fmt.Sprintf("%s-%d", t.name, j.seed)))
	if err != nil {
		return result{}, err
	}
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil { // files of an earlier run could help the tool
		return result{}, err
	}
	return t.search(ctx, s, j, dir, true)
}

// progress describes a run in one line: its measures, without those that have found set and are 0.
func progress(s service, r result) string {
	var parts []string
	for _, m := range measures {
		if v, ok := m.value(s, r); ok && (!m.found || v > 0) {
			parts = append(parts, m.name+" "+short(v))
		}
	}
	if r.Late {
		parts = append(parts, "ended by time")
	}
	return strings.Join(parts, ", ")
}

// print prints the comparison on one service as a table and, if the options want it, the differences between the
// tools.
func (o options) print(c comparison) error {
	if err := c.table(os.Stdout); err != nil || !o.difference {
		return err
	}
	return c.differences(os.Stdout)
}
