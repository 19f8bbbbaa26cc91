package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/runner/instrument/probe"
)

// MaxSourceBytes is the maximum size of a source file that is shown.
const MaxSourceBytes = 16 << 20

// readSource reads a source file of at most MaxSourceBytes.
func readSource(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
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

// Builder builds a Go service with probes when a run begins.
type Builder struct {
	Service model.Service
	BaseURL string // the service's base URL, in the form of model.Plan.BaseURL
	demo    bool   // the service is the demo, whose source is embedded in Sonde
}

// BuilderOf returns the builder of a configured service, or nil if the configuration does not build it.
func BuilderOf(s *model.Service, base string) *Builder {
	if s == nil || s.Build == nil {
		return nil
	}
	return &Builder{Service: *s, BaseURL: base}
}

// DemoBuilder returns the builder of the demo as a separate process.
func DemoBuilder() *Builder {
	return &Builder{BaseURL: "http://127.0.0.1:" + model.PortPlaceholder, demo: true, Service: model.Service{
		Command: []string{model.BinaryPlaceholder, "--addr", "127.0.0.1:" + model.PortPlaceholder},
		Build:   &model.GoBuild{Package: demo.ServerPackage},
	}}
}

// demoHosts are the flags that make the demo call other hosts, which needs a virtual network.
var demoHosts = []string{
	"--payments", "http://payments.example/charge", "--stock", "stock.example:7000", "--metrics",
	"metrics.example:8125",
}

// UseOutsideHosts makes the demo call other hosts.
func (b *Builder) UseOutsideHosts() { b.Service.Command = append(b.Service.Command, demoHosts...) }

// WithoutProbes returns the way to start a service without probes. A service that Sonde builds is started by go run;
// any other service is returned unchanged. If another program starts the binary, such as a shell, go run starts that
// program: ["sh", "-c", `exec "$0"`, "{binary}"] becomes
// ["go", "run", "-exec", `'sh' '-c' 'exec "$0"'`, "./cmd/server"].
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
	at := slices.Index(s.Command, model.BinaryPlaceholder)
	once := strings.Count(strings.Join(s.Command, " "), model.BinaryPlaceholder) == 1
	if at > 0 && once {
		if starter, ok := execFlag(s.Command[:at]); ok {
			p.Command = slices.Concat(words, []string{"-exec", starter, s.Build.Package}, s.Command[at+1:])
			return &p
		}
	}
	p.Command = ReplaceBinary(s.Command, append(words, s.Build.Package)...)
	return &p
}

// execFlag returns the value of the flag -exec of go run for a program and its arguments. ok is false if an argument
// contains both single and double quotes, because the value has no escapes.
func execFlag(command []string) (value string, ok bool) {
	var words []string
	for _, word := range command {
		switch {
		case !strings.Contains(word, "'"):
			word = "'" + word + "'"
		case !strings.Contains(word, `"`):
			word = `"` + word + `"`
		default:
			return "", false
		}
		words = append(words, word)
	}
	return strings.Join(words, " "), true
}

// ReplaceBinary returns a command in which words replace model.BinaryPlaceholder.
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

// Additions are what a build contains besides the usual probes. The configuration may also ask for SQL and Panics.
type Additions struct {
	SQL    bool // probes of SQL queries
	Rows   bool // rows that tests insert, and resets by clean
	Panics bool // probes of operations that may panic
	Net    bool // a virtual network
}

// Build builds the service with probes in a folder.
func (b *Builder) Build(ctx context.Context, dir string, a Additions) (*probe.Result, error) {
	o, err := b.Options(dir)
	if err != nil {
		return nil, err
	}
	o.Out, o.SQL, o.Panics, o.Net = filepath.Join(dir, "service"), o.SQL || a.SQL, o.Panics || a.Panics, a.Net
	o.Rows = a.Rows
	return probe.Build(ctx, o)
}

// BuildRecorded builds the service in a folder for a recording: with a virtual network, and with probes that record
// which request reached which code. With units, it records invocations of functions under test instead.
func (b *Builder) BuildRecorded(ctx context.Context, dir string, units bool) (*probe.Result, error) {
	o, err := b.Options(dir)
	if err != nil {
		return nil, err
	}
	o.Out, o.Panics, o.Net, o.ByRequest, o.Units = filepath.Join(dir, "service"), false, true, true, units
	o.SQL = o.SQL && !units // a build that records units has no probes
	return probe.Build(ctx, o)
}

// BuildPlain builds the service in a folder with go build -cover, with or without a virtual network. It
// returns how to start the service.
func (b *Builder) BuildPlain(ctx context.Context, dir string, net bool) (*model.Service, error) {
	o, err := b.Options(dir)
	if err != nil {
		return nil, err
	}
	o.Out, o.Net = filepath.Join(dir, "plain"), net
	return b.StartBinary(o.Out), probe.BuildWithCover(ctx, o)
}

// SourceSize returns the size of the service's source. It builds nothing.
func (b *Builder) SourceSize(ctx context.Context) (model.SourceSize, error) {
	dir, err := os.MkdirTemp("", "sonde-source-")
	if err != nil {
		return model.SourceSize{}, err
	}
	defer os.RemoveAll(dir)
	o, err := b.Options(dir)
	if err != nil {
		return model.SourceSize{}, err
	}
	return probe.SourceSize(ctx, o)
}

// StartBinary returns how to start a binary of the service.
func (b *Builder) StartBinary(binary string) *model.Service {
	start := b.Service
	start.Build, start.Command = nil, ReplaceBinary(start.Command, binary)
	return &start
}

// Options returns the options of the build. The demo's source is in DemoFolder(dir).
func (b *Builder) Options(dir string) (probe.Options, error) {
	of := *b.Service.Build
	o := probe.Options{
		Dir: b.Service.Dir, Package: of.Package, Cover: of.Cover, Tags: of.Tags, Vendor: of.Vendor, SQL: of.SQL, Panics: of.Panics,
	}
	if !b.demo {
		return o, nil
	}
	source, err := DemoFolder(dir)
	o.Dir = source
	return o, err
}

// ReadSource reads a source file of the service. It reads the demo's files from Sonde itself, because the
// copy on disk may be removed when a run ends.
func (b *Builder) ReadSource(f model.SourceFile) ([]byte, error) {
	if b != nil && b.demo {
		return demo.ReadSource(strings.TrimPrefix(f.Name, "sonde/"))
	}
	return readSource(f.Path)
}

// ErrNotBuilt is the error for a white-box search of a service that Sonde does not build.
var ErrNotBuilt = errors.New(
	"--white needs a Go service that Sonde builds: set sut: {build: ./cmd/server} in sonde.yaml; or a driver: docs/driver.md",
)

// DisplayName returns the name of the service for messages.
func (b *Builder) DisplayName() string {
	if b.demo {
		return "the demo"
	}
	return cmp.Or(b.Service.Build.Package, "the service")
}
