package probe

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"sonde/runner/instrument/probedata"

	"golang.org/x/tools/go/packages"
)

// loaded is a main package with the packages to probe.
type loaded struct {
	main    *packages.Package
	dir     string // the folder of main
	fset    *token.FileSet
	cover   []*packages.Package     // the packages to probe, type-checked
	clients []*packages.Package     // other packages with clients of gRPC, type-checked
	skipped []probedata.SkippedFile // packages that cannot be probed
}

// outline selects what is loaded for all packages: their files and imports.
const outline = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule

// whole selects what is loaded for the packages to probe. The types of their imports are read from
// compiled packages.
const whole = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedModule |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo

// load loads a main package and the packages to probe.
func load(ctx context.Context, o Options, t *toolchain) (*loaded, error) {
	main, err := loadMain(ctx, o)
	if err != nil {
		return nil, err
	}
	c, err := newChooser(main, o.Cover)
	if err != nil {
		return nil, err
	}
	l := &loaded{main: main, dir: filepath.Dir(main.GoFiles[0]), fset: token.NewFileSet()}
	paths := l.choose(c, t)
	if err := c.unused(o.Cover); err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("there is nothing to probe in %q: %s", main.PkgPath, l.first())
	}
	all, err := packages.Load(o.config(ctx, whole, l.fset), slices.Concat(paths, clientPackages(main, paths))...)
	if err != nil {
		return nil, loadError(ctx, err)
	}
	for _, p := range all {
		switch {
		case slices.Contains(paths, p.PkgPath):
			l.cover = append(l.cover, p)
		case len(p.Errors) == 0:
			l.clients = append(l.clients, p)
		}
	}
	slices.SortFunc(l.cover, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	return l, broken(l.cover)
}

// loadMain loads the outline of a main package and its imports.
func loadMain(ctx context.Context, o Options) (*packages.Package, error) {
	all, err := packages.Load(o.config(ctx, outline, nil), o.Package)
	if err != nil {
		return nil, loadError(ctx, err)
	}
	if err := broken(all); err != nil {
		return nil, err
	}
	switch {
	case len(all) != 1:
		return nil, fmt.Errorf("%q is %d packages: give one main package", o.Package, len(all))
	case all[0].Name != "main":
		return nil, fmt.Errorf("%q is package %s: give the service's main package", o.Package, all[0].Name)
	case len(all[0].GoFiles) == 0 || all[0].PkgPath == "command-line-arguments":
		return nil, fmt.Errorf("%q are files: give the folder or the import path of the main package", o.Package)
	}
	return all[0], nil
}

// config returns a configuration that loads packages in the way in which they are built.
func (o Options) config(ctx context.Context, mode packages.LoadMode, fset *token.FileSet) *packages.Config {
	return &packages.Config{Context: ctx, Mode: mode, Dir: o.Dir, BuildFlags: o.flags(), Fset: fset}
}

// flags returns the flags of the go command that select what is built. They switch off -cover, which GOFLAGS
// may contain, because with -cover the go command ignores the overlay.
func (o Options) flags() []string { return append([]string{"-cover=false"}, o.selection()...) }

// selection returns the flags of the go command that select the files of a build.
func (o Options) selection() (flags []string) {
	if o.Tags != "" {
		flags = append(flags, "-tags="+o.Tags)
	}
	if o.Vendor {
		flags = append(flags, "-mod=vendor")
	}
	return flags
}

func loadError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	_, output, ok := strings.Cut(err.Error(), "stderr: ") // the output of the go command
	if !ok {
		output = err.Error()
	}
	if strings.Contains(output, "go.mod file not found") {
		return errors.New("there is no Go module here: go to the folder of the service's go.mod, " +
			"or name it in sonde.yaml, as in sut: {dir: ../server, build: .}")
	}
	return fmt.Errorf("the packages cannot be read: %s", complaintOf(output))
}

// broken returns an error if one of the packages does not exist or does not compile.
func broken(all []*packages.Package) error {
	at := slices.IndexFunc(all, func(p *packages.Package) bool { return len(p.Errors) > 0 })
	if at < 0 {
		return nil
	}
	p, e := all[at], all[at].Errors[0]
	line := complaintOf(e.Msg)
	switch {
	case e.Pos != "" && e.Pos != "-":
		return fmt.Errorf("%q does not compile without probes: %s: %s", p.PkgPath, e.Pos, line)
	case strings.HasPrefix(e.Msg, "#"): // a heading of the compiler's output
		return fmt.Errorf("%q does not compile without probes: %s", p.PkgPath, line)
	}
	return errors.New(line)
}

// choose returns the sorted import paths of the packages to probe. It adds packages that cannot be
// probed to l.skipped.
func (l *loaded) choose(c *chooser, t *toolchain) []string {
	var paths []string
	packages.Visit([]*packages.Package{l.main}, nil, func(p *packages.Package) {
		if len(p.GoFiles) == 0 || !c.covers(p) {
			return
		}
		if reason := t.closed(p); reason != "" {
			l.skipped = append(l.skipped, probedata.SkippedFile{Path: p.PkgPath, Why: reason})
			return
		}
		paths = append(paths, p.PkgPath)
	})
	slices.Sort(paths)
	return paths
}

// first returns the reason why the first skipped package cannot be probed, or says that there are
// no Go files if none was skipped.
func (l *loaded) first() string {
	if len(l.skipped) == 0 {
		return "it has no Go files"
	}
	return l.skipped[0].Path + ": " + l.skipped[0].Why
}
