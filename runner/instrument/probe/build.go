package probe

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sonde/runner/instrument/probedata"

	"golang.org/x/tools/go/packages"
)

// Options select what to build, and how.
type Options struct {
	Dir     string   // the folder that Package and Out are relative to; "" is the working folder
	Package string   // the service's main package
	Out     string   // the binary, or the folder for it; "" is Dir
	Cover   []string // patterns of the packages to probe; if empty, all packages of the main module
	Tags    string   // build tags, separated by commas
	Vendor  bool     // build with -mod=vendor
	SQL     bool     // probe the queries of database/sql
	Rows    bool     // let tests insert rows into databases of SQLite and PostgreSQL behind database/sql
	Panics  bool     // probe operations that panic for some operands
	Net     bool     // add the virtual network
	// ByRequest makes probes record which request reached what, for a probedata.Collector. It needs Net, because the
	// net/http of the virtual network knows which request a goroutine serves.
	ByRequest bool
	// Units makes the service record invocations of functions under test; see package sondeunits. The binary has no probes
	// then. Build also writes a unitdata.Manifest.
	Units bool
}

// Result is a build.
type Result struct {
	Binary   string
	Manifest *probedata.Manifest
	Took     time.Duration
}

// Build builds a main package with probes, and writes the manifest next to the binary. A file that
// does not compile with probes is built without them, and listed in the manifest. Errors have one
// line.
func Build(ctx context.Context, o Options) (*Result, error) {
	start := time.Now()
	o, err := o.resolved()
	if err != nil {
		return nil, err
	}
	t, err := openToolchain(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	l, err := load(ctx, o, t)
	if err != nil {
		return nil, err
	}
	o.Out = outFile(cmp.Or(o.Out, o.Dir), l.dir)
	if err := os.MkdirAll(filepath.Dir(o.Out), 0o755); err != nil {
		return nil, fmt.Errorf("%q cannot be written: %w", o.Out, err)
	}
	m, err := (&builder{options: o, tools: t, loaded: l}).build(ctx)
	if err != nil {
		return nil, err
	}
	return &Result{Binary: o.Out, Manifest: m, Took: time.Since(start)}, nil
}

// resolved returns the options with absolute paths.
func (o Options) resolved() (Options, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return o, err
	}
	o.Dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		return o, fmt.Errorf("%q is not a folder: %w", dir, err)
	}
	if o.Out != "" && !filepath.IsAbs(o.Out) {
		o.Out = filepath.Join(o.Dir, o.Out)
	}
	return o, nil
}

// outFile returns the path of the binary: the path out or, if out is a folder, a file in out. The file is named after
// dir, the folder of the package, and ends in ".probed".
func outFile(out, dir string) string {
	if s, err := os.Stat(out); err == nil && s.IsDir() {
		return filepath.Join(out, filepath.Base(dir)+".probed")
	}
	return out
}

// builder builds a loaded main package.
type builder struct {
	options Options
	tools   *toolchain
	loaded  *loaded
}

// build adds probes and compiles. As long as the compiler reports errors in files with probes, it
// does both again without probes in these files.
func (b *builder) build(ctx context.Context) (*probedata.Manifest, error) {
	for plain := map[string]string{}; ; {
		s, err := newProbedSource(b.loaded, b.options, plain)
		if err != nil {
			return nil, err
		}
		if b.options.SQL && s.targets.queries == 0 {
			return nil, errNoQuery
		}
		if b.options.Net {
			if err := s.addNetwork(b.tools); err != nil {
				return nil, err
			}
		}
		err = b.compile(ctx, s)
		if err == nil {
			return b.writeManifest(s)
		}
		if !s.leavePlain(err) {
			return nil, b.explain(ctx, err)
		}
	}
}

// compile writes probed source to a temporary folder, and compiles it.
func (b *builder) compile(ctx context.Context, s *probedSource) error {
	dir, err := os.MkdirTemp("", "sonde-probes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	list, err := s.write(dir, b.tools.Root, b.loaded.dir)
	if err != nil {
		return fmt.Errorf("the probed source cannot be written: %w", err)
	}
	flags := slices.Concat(b.options.flags(), inliningFlags(b.tools, b.loaded.cover), linkerFlags(b.tools))
	args := slices.Concat([]string{"build", "-overlay", list, "-o", b.options.Out}, flags)
	return s.run(ctx, b.tools, append(args, b.loaded.main.PkgPath))
}

// inliningFlags make calls cheap when the compiler decides whether to inline a function:
// probes are calls, and a function that is inlined without probes should be inlined with
// probes, too. Flags for the compiler in GOFLAGS take precedence.
func inliningFlags(t *toolchain, cover []*packages.Package) []string {
	if strings.Contains(t.Flags, "-gcflags") {
		return nil
	}
	var flags []string
	for _, p := range cover {
		flags = append(flags, "-gcflags="+p.PkgPath+"=-l=4")
	}
	return flags
}

// linkerFlags leave data for debuggers out of a binary, which makes linking faster. Flags for the
// linker in GOFLAGS take precedence.
func linkerFlags(t *toolchain) []string {
	if strings.Contains(t.Flags, "-ldflags") {
		return nil
	}
	return []string{"-ldflags=-w"}
}

// explain returns an error for a failed build. It says whether the build also fails without probes,
// or that the standard library differs from the one that the virtual network is made for.
func (b *builder) explain(ctx context.Context, err error) error {
	if other := otherNetwork(err, b.tools); b.options.Net && other != nil {
		return other
	}
	args := append([]string{"build", "-o", os.DevNull}, b.options.flags()...)
	if _, plain := b.tools.run(ctx, append(args, b.loaded.main.PkgPath)...); plain != nil {
		return fmt.Errorf("%q does not compile without probes: %w", b.loaded.main.PkgPath, plain)
	}
	return fmt.Errorf("%q does not compile with probes: %w", b.loaded.main.PkgPath, err)
}

// writeManifest writes the manifest of a build.
func (b *builder) writeManifest(s *probedSource) (*probedata.Manifest, error) {
	m := b.manifest(s)
	var err error
	m.Address, err = memoryAddress(b.options.Out)
	if err != nil {
		return nil, err
	}
	if s.units != nil {
		if err := s.units.manifest(b.loaded, s).Write(b.options.Out); err != nil {
			return nil, err
		}
	}
	return m, m.Write(b.options.Out)
}

func (b *builder) manifest(s *probedSource) *probedata.Manifest {
	skipped := slices.Concat(b.loaded.skipped, s.skipped)
	slices.SortFunc(skipped, func(a, b probedata.SkippedFile) int { return strings.Compare(a.Path, b.Path) })
	return &probedata.Manifest{
		Version:     probedata.FormatVersion,
		Build:       s.digest(),
		Go:          b.tools.Version,
		Package:     b.loaded.main.PkgPath,
		Net:         b.options.Net,
		Preds:       s.preds(),
		Hits:        s.targets.hits,
		Files:       s.files,
		Targets:     s.targets.sorted(),
		Skipped:     skipped,
		Constants:   s.constants.sorted(),
		Documents:   documentsOf(b.loaded.cover),
		Calls:       callsOf(slices.Concat(b.loaded.cover, b.loaded.clients)),
		StatusCodes: statusCodesOf(b.loaded.cover),
		Results:     resultsOf(b.loaded.cover),
		Drivers:     driversOf(b.loaded.main),
		Headers:     headersOf(b.loaded.cover),
		Readable:    readableOf(b.loaded.cover),
		Patterns:    patternsOf(b.loaded.cover),
		Lengths:     lengthsOf(b.loaded.cover),
		Separators:  separatorsOf(b.loaded.cover),
	}
}
