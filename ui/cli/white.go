package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/runner/probe"

	"github.com/spf13/cobra"
)

// building is a Go service that is built with probes when a run begins.
type building struct {
	service model.Service
	base    string                 // the plan's base URL
	source  func(dir string) error // writes its source into a folder; nil where it is there
}

// buildingOf is what a configuration has built, nil where it does not.
func buildingOf(s *model.Service, base string) *building {
	if s == nil || s.Build == nil {
		return nil
	}
	return &building{service: *s, base: base}
}

// demoBuilding is the demo as a process of its own.
func demoBuilding() *building {
	return &building{base: "http://127.0.0.1:" + model.PortHere, source: demo.WriteSource, service: model.Service{
		Command: []string{model.BinaryHere, "--addr", "127.0.0.1:" + model.PortHere}, Build: &model.Build{Package: demo.ServerPackage},
	}}
}

// demoHosts are those that the demo turns to where it has a virtual network.
var demoHosts = []string{"--payments", "http://payments.example/charge", "--stock", "stock.example:7000", "--metrics", "metrics.example:8125"}

// outside lets the demo turn to hosts outside.
func (b *building) outside() { b.service.Command = append(b.service.Command, demoHosts...) }

// unprobed is a service as it starts without probes, for those who do not look into
// it: go run builds it.
func unprobed(s *model.Service) *model.Service {
	if s == nil || s.Build == nil {
		return s
	}
	p := *s
	p.Build = nil
	words := []string{"go", "run"}
	if s.Build.Tags != "" {
		words = append(words, "-tags="+s.Build.Tags)
	}
	if s.Build.Vendor {
		words = append(words, "-mod=vendor")
	}
	p.Command = started(s.Command, append(words, s.Build.Package)...)
	return &p
}

// started is a command with some words in the place of the binary.
func started(command []string, words ...string) []string {
	var all []string
	for _, word := range command {
		if word == model.BinaryHere {
			all = append(all, words...)
		} else {
			all = append(all, strings.ReplaceAll(word, model.BinaryHere, strings.Join(words, " ")))
		}
	}
	return all
}

// see builds the service of a plan with probes, if it is one to be built, and lets
// the run see into it. What was built is gone after end.
func (s settings) see(ctx context.Context, p *model.Plan) (left []probe.Skipped, end func(), err error) {
	b := s.service.build
	if d := s.service.driver; d != nil {
		sees := *d
		sees.Blind = s.black
		p.Driver = &sees
	}
	if b == nil {
		p.Net, err = s.surround(ctx)
		return nil, func() {}, err
	}
	dir, err := os.MkdirTemp("", "sonde-build-")
	if err != nil {
		return nil, nil, fmt.Errorf("there is no place to build the service: %w", err)
	}
	end = func() { _ = os.RemoveAll(dir) } // it is only a temporary folder
	p.Net, err = s.net.network(ctx, s.config.Net)
	if err != nil {
		end()
		return nil, nil, err
	}
	r, err := b.build(ctx, dir, s.sql, p.Net != nil)
	if err != nil {
		end()
		return nil, nil, err
	}
	p.BaseURL, p.Service = b.base, b.started(r.Binary)
	p.Probes = &model.Probes{Binary: r.Binary, Blind: s.black}
	return r.Manifest.Skipped, end, nil
}

// build builds the service in a folder; its queries are watched if that is asked
// for here or in the configuration, and it has a virtual network if it is to.
func (b *building) build(ctx context.Context, dir string, sql, net bool) (*probe.Result, error) {
	o, err := b.options(dir)
	if err != nil {
		return nil, err
	}
	o.Out, o.SQL, o.Net = filepath.Join(dir, "service"), o.SQL || sql, net
	return probe.Build(ctx, o)
}

// plain builds the service in a folder as go build -cover does, with a virtual network
// or not, and returns how it starts.
func (b *building) plain(ctx context.Context, dir string, net bool) (*model.Service, error) {
	o, err := b.options(dir)
	if err != nil {
		return nil, err
	}
	o.Out, o.Net = filepath.Join(dir, "plain"), net
	return b.started(o.Out), probe.Plain(ctx, o)
}

// started is how a binary of the service starts.
func (b *building) started(binary string) *model.Service {
	start := b.service
	start.Build, start.Command = nil, started(start.Command, binary)
	return &start
}

// options are how the service is built. Where its source is not on disk, it is
// written into a folder.
func (b *building) options(dir string) (probe.Options, error) {
	of := *b.service.Build
	o := probe.Options{Dir: b.service.Dir, Package: of.Package, Cover: of.Cover, Tags: of.Tags, Vendor: of.Vendor, SQL: of.SQL}
	if b.source != nil {
		o.Dir = filepath.Join(dir, "source")
		if err := b.source(o.Dir); err != nil {
			return o, fmt.Errorf("the source cannot be written: %w", err)
		}
	}
	return o, nil
}

// read reads a file of the source: that of the demo is in the program, and gone
// from the disk when a run is over.
func (b *building) read(f model.SourceFile) ([]byte, error) {
	if b != nil && b.source != nil {
		return demo.ReadSource(strings.TrimPrefix(f.Name, "sonde/"))
	}
	return readSmall(f.Path)
}

// addProbes adds the flags that say whether the search sees into the service.
func (f *searchFlags) addProbes(c *cobra.Command) {
	fl := c.Flags()
	fl.BoolVar(&f.white, "white", false, "see into the service: with --demo, build it with probes first, which takes a Go toolchain; what sonde.yaml builds is seen into anyway")
	fl.BoolVar(&f.black, "black", false, "do not let the search see into the service that sonde.yaml builds, or has a driver for: its coverage is only told")
	fl.BoolVar(&f.sql, "sql", false, "watch the queries of database/sql in the service that sonde.yaml builds: whether they return rows and, with SQLite, how near they came")
}

// errNotBuilt is the error of looking into a service that Sonde does not build.
var errNotBuilt = errors.New("--white needs a Go service that Sonde builds: say sut: {build: ./cmd/server} in sonde.yaml; or a driver: docs/driver.md")

// checkProbes says what is wrong with those flags.
func (f *searchFlags) checkProbes() error {
	builds := f.config.builds()
	switch {
	case f.white && f.black && !f.demo:
		return errors.New("--white lets the search see into the service and --black does not: say one of them")
	case f.white && !f.demo && !f.config.sees():
		return errNotBuilt
	case f.sql && (f.demo || !builds):
		return errors.New("--sql needs a Go service that Sonde builds, and the demo has no database: say sut: {build: ./cmd/server} in sonde.yaml")
	case f.black && !f.config.sees() && !(f.demo && f.white):
		return errors.New("--black has nothing to leave out: no service is built with probes or has a driver")
	}
	return nil
}

// tellLeft tells of files that could not be given probes.
func tellLeft(s streams, left []probe.Skipped) {
	if len(left) == 0 {
		return
	}
	paths := make([]string, len(left))
	for i, skipped := range left {
		paths[i] = filepath.Base(skipped.Path)
	}
	slices.Sort(paths)
	const most = 3
	more := ""
	if len(paths) > most {
		more = fmt.Sprintf(" and %d more", len(paths)-most)
	}
	tell(s.err, "left without probes: %s%s; sonde build says why", strings.Join(paths[:min(most, len(paths))], ", "), more)
}

// name is how a person knows what is built.
func (b *building) name() string {
	if b.source != nil {
		return "the demo"
	}
	return cmp.Or(b.service.Build.Package, "the service")
}
