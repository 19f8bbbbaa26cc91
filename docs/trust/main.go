// Command trust measures whether the faults that Sonde reports are true, and whether
// the tests that it exports pass, on services that it starts in processes of their own:
//
//	runner/testdata/languages/install DIR
//	go run ./docs/trust -tools DIR -seeds 5 -calls 5000 runner/testdata/languages/services.yaml
//
// For each service, with and without its reset, and each seed, it starts the service, searches it, and exports the
// run in each format. It plays each suite three times in a row (-plays) on a new copy of the service, and the Go
// suite once more after a restart. It prints each fault that was not planted, except notes and flaky faults, each
// suite that failed, and a table.
//
// It runs from the root of the repository and calls only what it started itself.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "trust:", err)
		os.Exit(1)
	}
}

// options are the flags and arguments of the command line.
type options struct {
	tools   string   // the folder that replaces {tools}
	only    []string // names of services; empty for all
	modes   []string // withReset, withoutReset or both
	formats []string
	keep    string // folder for runs and suites, "" for a temporary one
	seeds   int
	calls   int
	plays   int      // how often each suite is played in a row on one copy of the service
	files   []string // lists of services
}

// The two modes in which a service is searched.
const (
	withReset    = "with"
	withoutReset = "without"
)

func parse(args []string) (options, error) {
	o := options{}
	fs := flag.NewFlagSet("trust", flag.ContinueOnError)
	fs.StringVar(&o.tools, "tools", "", "folder with what the services need, in which install put it")
	only := fs.String("only", "", "names of services, separated by commas (default: all)")
	modes := fs.String("reset", withReset+","+withoutReset, "search with the reset, without it, or both, separated by commas")
	formats := fs.String("formats", "go,pytest,node,hurl", "formats to export, separated by commas")
	fs.StringVar(&o.keep, "keep", "", "keep runs and suites in this folder")
	fs.IntVar(&o.seeds, "seeds", 1, "number of runs of each, with the seeds from 1 on")
	fs.IntVar(&o.calls, "calls", 500, "budget of each run in calls")
	fs.IntVar(&o.plays, "plays", 3, "number of times that each suite is played in a row")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	o.only, o.modes, o.formats, o.files = list(*only), list(*modes), list(*formats), fs.Args()
	for _, mode := range o.modes {
		if mode != withReset && mode != withoutReset {
			return o, fmt.Errorf("-reset %q: give %s, %s or both", mode, withReset, withoutReset)
		}
	}
	for _, f := range o.formats {
		if !slices.Contains(formatNames(), f) {
			return o, fmt.Errorf("-formats %q: the formats that can be run are %s", f, strings.Join(formatNames(), ", "))
		}
	}
	if len(o.files) == 0 || o.seeds < 1 || o.calls < 1 || o.plays < 1 {
		return o, errors.New("give a list of services, and at least 1 for -seeds, -calls and -plays")
	}
	return o, nil
}

// list splits a text at commas. It leaves out empty parts.
func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	work := o.keep
	if work == "" {
		work, err = os.MkdirTemp("", "sonde-trust-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(work)
	}
	work, err = filepath.Abs(work)
	if err != nil {
		return err
	}
	sonde := filepath.Join(work, "sonde")
	if text, err := goBuild(ctx, sonde); err != nil {
		return fmt.Errorf("go build: %w: %s", err, text)
	}
	results, err := campaign(ctx, o, sonde, work, log)
	if err != nil {
		return err
	}
	return table(out, results)
}

// goBuild builds Sonde from the root of the repository, without data for debuggers, which makes linking faster.
func goBuild(ctx context.Context, to string) ([]byte, error) {
	return exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-o", to, ".").CombinedOutput()
}

// campaign performs all trials, one after the other: each service in each mode with each seed.
func campaign(ctx context.Context, o options, sonde, work string, log io.Writer) ([]result, error) {
	var results []result
	for _, file := range o.files {
		services, err := readServices(file, o.tools)
		if err != nil {
			return nil, err
		}
		for _, s := range services {
			if len(o.only) > 0 && !slices.Contains(o.only, s.Name) {
				continue
			}
			for _, mode := range o.modes {
				for seed := 1; seed <= o.seeds; seed++ {
					r, err := o.newTrial(s, mode, seed, sonde, work, log).run(ctx)
					if err != nil {
						return nil, fmt.Errorf("%s %s reset, seed %d: %w", s.Name, mode, seed, err)
					}
					results = append(results, r)
				}
			}
		}
	}
	return results, nil
}

// newTrial returns a trial of a service, with a folder of its own below work.
func (o options) newTrial(s service, mode string, seed int, sonde, work string, log io.Writer) *trial {
	return &trial{
		service: s, mode: mode, seed: seed, calls: o.calls, plays: o.plays, formats: o.formats, sonde: sonde, log: log,
		dir: filepath.Join(work, fmt.Sprintf("%s-%s-%d", s.Name, mode, seed)),
	}
}
