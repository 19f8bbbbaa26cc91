package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/runner/instrument/probe"
)

// MaxSourceBytes is how large a source file may be to be shown.
const MaxSourceBytes = 16 << 20

// readSource reads a file that is no larger than what is shown.
func readSource(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxSourceBytes+1))
	if len(data) > MaxSourceBytes {
		return nil, fmt.Errorf("it is larger than %d MB", MaxSourceBytes>>20)
	}
	return data, err
}

// Builder is a Go service that is built with probes when a run begins.
type Builder struct {
	Service model.Service
	BaseURL string                 // the plan's base URL
	source  func(dir string) error // writes its source into a folder; nil where it is there
}

// BuilderOf is what a configuration has built, nil where it does not.
func BuilderOf(s *model.Service, base string) *Builder {
	if s == nil || s.Build == nil {
		return nil
	}
	return &Builder{Service: *s, BaseURL: base}
}

// DemoBuilder is the demo as a process of its own.
func DemoBuilder() *Builder {
	return &Builder{BaseURL: "http://127.0.0.1:" + model.PortPlaceholder, source: demo.WriteSource, Service: model.Service{
		Command: []string{model.BinaryPlaceholder, "--addr", "127.0.0.1:" + model.PortPlaceholder},
		Build:   &model.GoBuild{Package: demo.ServerPackage},
	}}
}

// demoHosts are those that the demo turns to where it has a virtual network.
var demoHosts = []string{
	"--payments", "http://payments.example/charge", "--stock", "stock.example:7000", "--metrics",
	"metrics.example:8125",
}

// UseOutsideHosts lets the demo turn to hosts outside.
func (b *Builder) UseOutsideHosts() { b.Service.Command = append(b.Service.Command, demoHosts...) }

// WithoutProbes is a service as it starts without probes, for those who do not look into
// it: go run builds it.
func WithoutProbes(s *model.Service) *model.Service {
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
	p.Command = ReplaceBinary(s.Command, append(words, s.Build.Package)...)
	return &p
}

// ReplaceBinary is a command with some words in the place of the binary.
func ReplaceBinary(command []string, words ...string) []string {
	var all []string
	for _, word := range command {
		if word == model.BinaryPlaceholder {
			all = append(all, words...)
		} else {
			all = append(all, strings.ReplaceAll(word, model.BinaryPlaceholder, strings.Join(words, " ")))
		}
	}
	return all
}

// Build builds the service in a folder; its queries are watched if that is asked
// for here or in the configuration, and it has a virtual network if it is to.
func (b *Builder) Build(ctx context.Context, dir string, sql, net bool) (*probe.Result, error) {
	o, err := b.Options(dir)
	if err != nil {
		return nil, err
	}
	o.Out, o.SQL, o.Net = filepath.Join(dir, "service"), o.SQL || sql, net
	return probe.Build(ctx, o)
}

// BuildPlain builds the service in a folder as go build -cover does, with a virtual network
// or not, and returns how it starts.
func (b *Builder) BuildPlain(ctx context.Context, dir string, net bool) (*model.Service, error) {
	o, err := b.Options(dir)
	if err != nil {
		return nil, err
	}
	o.Out, o.Net = filepath.Join(dir, "plain"), net
	return b.StartBinary(o.Out), probe.BuildWithCover(ctx, o)
}

// StartBinary is how a binary of the service starts.
func (b *Builder) StartBinary(binary string) *model.Service {
	start := b.Service
	start.Build, start.Command = nil, ReplaceBinary(start.Command, binary)
	return &start
}

// Options are how the service is built. Where its source is not on disk, it is
// written into a folder.
func (b *Builder) Options(dir string) (probe.Options, error) {
	of := *b.Service.Build
	o := probe.Options{Dir: b.Service.Dir, Package: of.Package, Cover: of.Cover, Tags: of.Tags, Vendor: of.Vendor, SQL: of.SQL}
	if b.source != nil {
		o.Dir = filepath.Join(dir, "source")
		if err := b.source(o.Dir); err != nil {
			return o, fmt.Errorf("the source cannot be written: %w", err)
		}
	}
	return o, nil
}

// ReadSource reads a file of the source: that of the demo is in the program, and gone
// from the disk when a run is over.
func (b *Builder) ReadSource(f model.SourceFile) ([]byte, error) {
	if b != nil && b.source != nil {
		return demo.ReadSource(strings.TrimPrefix(f.Name, "sonde/"))
	}
	return readSource(f.Path)
}

// ErrNotBuilt is the error of looking into a service that Sonde does not build.
var ErrNotBuilt = errors.New(
	"--white needs a Go service that Sonde builds: say sut: {build: ./cmd/server} in sonde.yaml; or a driver: docs/driver.md",
)

// DisplayName is how a person knows what is built.
func (b *Builder) DisplayName() string {
	if b.source != nil {
		return "the demo"
	}
	return cmp.Or(b.Service.Build.Package, "the service")
}
