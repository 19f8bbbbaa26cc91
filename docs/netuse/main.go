// Command netuse measures, on public Go modules, how common the use of the network is, how they use it, and whether the
// virtual network handles it. These are RQ1 and RQ2 of the paper Generating TCP/UDP Network Data for Automated Unit
// Test Generation.
//
//	go run ./docs/netuse                # reads the modules
//	go run ./docs/netuse -tests         # also runs tests of them, plain and with the virtual network built in
//
// It fetches the modules of docs/netuse/modules.txt and what they require by the go command, as GOPROXY and GOFLAGS
// say, into GOMODCACHE. These are several gigabytes, so name a folder that can be deleted later. With -tests it runs code
// of these modules: in a network namespace without other machines, but with access to your files.
//
// A module uses the network if one of its functions refers to a function that opens a socket, accepts a connection,
// looks up a name or lists network interfaces; class.go lists them. What its functions refer to in other modules is
// followed, too. Not everything that a function refers to runs, so a use may be one that no program makes. Calls
// through interfaces and reflection are followed only to types that a function names. Tests, examples, and code for
// other systems do not count.
//
// It runs from the root of the repository.
package main

import (
	"context"
	"encoding/json"
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

	"sonde/runner/network/netns"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == netns.KeeperCommand { // netns.CheckSupport starts this program
		os.Exit(netns.RunKeeper(os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "netuse:", err)
		os.Exit(1)
	}
}

// options are the flags of the command line.
type options struct {
	list     string
	only     []string // paths of modules; empty for all
	work     string   // the folder for copies and results, "" for a temporary one
	most     int      // the number of packages of a module that are read
	places   bool     // print each use of the network
	tests    bool
	sample   int // the number of modules whose tests run
	packages int // the number of packages of a module whose tests run
}

func parse(args []string) (options, error) {
	o := options{}
	fs := flag.NewFlagSet("netuse", flag.ContinueOnError)
	fs.StringVar(&o.list, "list", "docs/netuse/modules.txt", "file with the modules")
	only := fs.String("only", "", "modules to read, separated by commas (default: all of the list)")
	fs.StringVar(&o.work, "work", "", "folder for copies of modules and for results, which a later run reads (default: temporary)")
	fs.IntVar(&o.most, "most", 120, "read this many packages of a module at most, at even distances")
	fs.BoolVar(&o.places, "places", false, "print each place that uses the network")
	fs.BoolVar(&o.tests, "tests", false, "run tests of modules that are handled wholly, plain and with the virtual network")
	fs.IntVar(&o.sample, "sample", 100, "run tests of this many modules at most, the first of the list")
	fs.IntVar(&o.packages, "packages", 3, "run tests of this many packages of a module at most, the first by name")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	o.only = strings.FieldsFunc(*only, func(r rune) bool { return r == ',' })
	if fs.NArg() > 0 || min(o.most, o.sample, o.packages) < 1 {
		return o, errors.New("there are no arguments, and -most, -sample and -packages are at least 1")
	}
	return o, nil
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	modules, err := o.modules()
	if err != nil {
		return err
	}
	if o.work == "" {
		o.work, err = os.MkdirTemp("", "sonde-netuse-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(o.work)
	}
	o.work, err = filepath.Abs(o.work)
	if err != nil {
		return err
	}
	if err := announce(ctx, log, len(modules)); err != nil {
		return err
	}
	readings, err := o.read(ctx, modules, log)
	if err != nil {
		return err
	}
	if o.places {
		printPlaces(out, readings)
	}
	printReadings(out, readings)
	if !o.tests {
		return nil
	}
	trials, err := o.try(ctx, readings, log)
	if err != nil {
		return err
	}
	printTrials(out, trials)
	return nil
}

// modules returns the modules to read: those in the list, or only those of them that the options name. It returns an
// error if there are none.
func (o options) modules() ([]module, error) {
	text, err := os.ReadFile(o.list)
	if err != nil {
		return nil, err
	}
	all, err := readList(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.list, err)
	}
	all = slices.DeleteFunc(all, func(m module) bool { return len(o.only) > 0 && !slices.Contains(o.only, m.Path) })
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no such module", o.list)
	}
	return all, nil
}

// announce logs how many modules the program fetches, from which proxy and into which folder.
func announce(ctx context.Context, log io.Writer, n int) error {
	c := exec.CommandContext(ctx, "go", "env", "GOPROXY", "GOMODCACHE")
	c.Env = environment()
	text, err := c.Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	proxy, cache, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	fmt.Fprintf(log, "fetches %d modules and what they require from GOPROXY=%s into %s, unless they are there\n", n, proxy, cache)
	return nil
}

// read reads all modules, one after the other. It keeps each reading in a file, and reads no module again that has
// one.
func (o options) read(ctx context.Context, modules []module, log io.Writer) (all []*reading, err error) {
	for i, m := range modules {
		dir := o.folder("read", m)
		r, err := kept(filepath.Join(dir, fmt.Sprintf("reading-%d.json", o.most)), func() (*reading, error) {
			r, err := readModule(ctx, dir, m, o.most)
			if err != nil {
				r.Failure = err.Error()
			}
			r.Module = m
			return &r, ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		all = append(all, r)
		fmt.Fprintf(log, "%d of %d: %s: %s\n", i+1, len(modules), m, r.summary())
	}
	return all, nil
}

func readModule(ctx context.Context, dir string, m module, most int) (reading, error) {
	s, err := requiring(ctx, dir, m)
	if err != nil {
		return reading{}, err
	}
	return s.read(ctx, most)
}

// folder returns the folder of a module for this purpose. The folder may not exist yet.
func (o options) folder(purpose string, m module) string {
	return filepath.Join(o.work, purpose, strings.ReplaceAll(m.String(), "/", "_"))
}

// kept returns the value in a file, which an earlier run wrote. If there is no such file, it makes the value and
// writes the file.
func kept[T any](file string, produce func() (T, error)) (value T, err error) {
	text, err := os.ReadFile(file)
	if err == nil {
		return value, json.Unmarshal(text, &value)
	}
	value, err = produce()
	if err != nil {
		return value, err
	}
	text, err = json.MarshalIndent(value, "", "\t")
	if err != nil {
		return value, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return value, err
	}
	return value, os.WriteFile(file, text, 0o600)
}
