// Package probe sees into a Go service: it builds it with probes, and reads from
// the memory that the probes share which statements and branches a test
// reached, and how near it came to the others. The source of the service, its
// go.mod and go.sum stay as they are: probes are put in on the way to the
// compiler. It runs no service and knows no search.
package probe

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

// Options say what to build.
type Options struct {
	Dir     string // where Package and Out are relative to; "" is the working folder
	Package string // the service's main package
	Out     string // the binary, or the folder for it; "" is Dir
	Cover   []string
	Tags    string
	Vendor  bool
	SQL     bool // watch the queries of database/sql, too
	Net     bool // add the virtual network
}

// Result is what was built.
type Result struct {
	Binary   string
	Manifest *Manifest
	Took     time.Duration
}

// Build builds a main package with probes, and writes the manifest beside the
// binary. A file that does not compile with probes is left plain and named in
// the manifest; the error is of one line.
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
	m, err := (&builder{Options: o, tools: t, loaded: l}).build(ctx)
	if err != nil {
		return nil, err
	}
	return &Result{Binary: o.Out, Manifest: m, Took: time.Since(start)}, nil
}

// resolved makes the paths absolute.
func (o Options) resolved() (Options, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return o, err
	}
	o.Dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		return o, fmt.Errorf("%q is no folder: %w", dir, err)
	}
	if o.Out != "" && !filepath.IsAbs(o.Out) {
		o.Out = filepath.Join(o.Dir, o.Out)
	}
	return o, nil
}

// outFile is where the binary of the package in a folder is to be: in a folder it
// is named after its own.
func outFile(out, dir string) string {
	if s, err := os.Stat(out); err == nil && s.IsDir() {
		return filepath.Join(out, filepath.Base(dir)+".probed")
	}
	return out
}

// builder builds what was loaded.
type builder struct {
	Options
	tools *toolchain
	*loaded
}

// build probes and compiles, again without the probes of the files that the
// compiler complains of, until it does not.
func (b *builder) build(ctx context.Context) (*Manifest, error) {
	for plain := map[string]string{}; ; {
		o, err := newOverlay(b.loaded, b.SQL, plain)
		if err != nil {
			return nil, err
		}
		if b.SQL && o.queries == 0 {
			return nil, errNoQuery
		}
		if b.Net {
			if err := o.addNetwork(b.tools); err != nil {
				return nil, err
			}
		}
		err = b.compile(ctx, o)
		if err == nil {
			return b.written(o)
		}
		if !o.blame(err) {
			return nil, b.explain(ctx, err)
		}
	}
}

// compile builds an overlay; what it needs for that is gone afterwards.
func (b *builder) compile(ctx context.Context, o *overlay) error {
	dir, err := os.MkdirTemp("", "sonde-probes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	list, err := o.write(dir, b.tools.Root, b.dir)
	if err != nil {
		return fmt.Errorf("the probed source cannot be written: %w", err)
	}
	args := slices.Concat([]string{"build", "-overlay", list, "-o", b.Out}, b.flags(), inlining(b.tools, b.cover))
	return o.run(ctx, b.tools, append(args, b.main.PkgPath))
}

// run runs the go command on an overlay that was written.
func (o *overlay) run(ctx context.Context, t *toolchain, args []string) error {
	_, err := t.run(ctx, args...)
	var failed *toolError
	if errors.As(err, &failed) {
		o.name(failed, t.dir)
	}
	return err
}

// inlining makes a call count little when the compiler looks whether a function is
// small enough to be put into its callers, for probes are calls: what was small
// shall stay so. Whoever has flags of their own for the compiler keeps these.
func inlining(t *toolchain, cover []*packages.Package) []string {
	if strings.Contains(t.Flags, "-gcflags") {
		return nil
	}
	var flags []string
	for _, p := range cover {
		flags = append(flags, "-gcflags="+p.PkgPath+"=-l=4")
	}
	return flags
}

// complaint is a line of the compiler's.
var complaint = regexp.MustCompile(`(?m)^(.+?\.go)(:\d+(?::\d+)?: )(.*)$`)

// name makes the compiler name the service's files where it names ours, from the
// folder on that it ran in.
func (o *overlay) name(e *toolError, dir string) {
	e.text = complaint.ReplaceAllStringFunc(e.text, func(line string) string {
		m := complaint.FindStringSubmatch(line)
		file := m[1]
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		return cmp.Or(o.replaced[file], file) + m[2] + m[3]
	})
}

// blame marks the probed files that the compiler complains of as plain, and
// reports whether there were any.
func (o *overlay) blame(err error) bool {
	var failed *toolError
	if !errors.As(err, &failed) {
		return false
	}
	found := false
	for _, m := range complaint.FindAllStringSubmatch(failed.text, -1) {
		if o.isProbed(m[1]) && o.plain[m[1]] == "" {
			o.plain[m[1]] = "it does not compile with probes: " + m[3]
			found = true
		}
	}
	return found
}

// isProbed reports whether a file is one of the service's that has probes.
func (o *overlay) isProbed(path string) bool {
	return slices.ContainsFunc(o.files, func(f File) bool { return f.Path == path })
}

// explain says whether a build fails without probes, too.
func (b *builder) explain(ctx context.Context, err error) error {
	if other := otherNetwork(err, b.tools); b.Net && other != nil {
		return other
	}
	args := append([]string{"build", "-o", os.DevNull}, b.flags()...)
	if _, plain := b.tools.run(ctx, append(args, b.main.PkgPath)...); plain != nil {
		return fmt.Errorf("%q does not compile without probes: %w", b.main.PkgPath, plain)
	}
	return fmt.Errorf("%q does not compile with probes: %w", b.main.PkgPath, err)
}

// written writes the manifest of what was compiled.
func (b *builder) written(o *overlay) (*Manifest, error) {
	m := b.manifest(o)
	var err error
	m.Address, err = memoryOf(b.Out)
	if err != nil {
		return nil, err
	}
	return m, m.write(b.Out)
}

func (b *builder) manifest(o *overlay) *Manifest {
	skipped := slices.Concat(b.skipped, o.skipped)
	slices.SortFunc(skipped, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	return &Manifest{
		Version: FormatVersion, Build: o.digest(), Go: b.tools.Version, Package: b.main.PkgPath,
		Net: b.Net, Preds: max(o.preds, 1), Hits: o.hits, Files: o.files, Targets: o.sorted(), Skipped: skipped, Constants: o.constants.sorted(), Shapes: shapesOf(b.cover), Headers: headersOf(b.cover), Readable: readableOf(b.cover), Patterns: patternsOf(b.cover), Lengths: lengthsOf(b.cover), Separators: separatorsOf(b.cover),
	}
}

// write writes a manifest beside its binary.
func (m *Manifest) write(binary string) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile(ManifestPath(binary), data, 0o644)
}
