package probe

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// loaded is a main package and the packages to be covered, type-checked.
type loaded struct {
	main    *packages.Package
	dir     string // main's folder
	fset    *token.FileSet
	cover   []*packages.Package
	skipped []Skipped
}

// outline is what is read of all packages: what they are and import.
const outline = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule

// whole is what is read of the packages to be covered; what they import is read
// as compiled.
const whole = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedModule |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo

// load reads a main package and chooses what to cover.
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
		return nil, fmt.Errorf("there is nothing to cover of %q: %s", main.PkgPath, l.first())
	}
	l.cover, err = packages.Load(o.config(ctx, whole, l.fset), paths...)
	if err != nil {
		return nil, loadError(ctx, err)
	}
	slices.SortFunc(l.cover, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	return l, broken(l.cover)
}

// loadMain reads what there is of a main package.
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

// config is how to read packages as the build will.
func (o Options) config(ctx context.Context, mode packages.LoadMode, fset *token.FileSet) *packages.Config {
	return &packages.Config{Context: ctx, Mode: mode, Dir: o.Dir, BuildFlags: o.flags(), Fset: fset}
}

// flags are those of the go command that choose what is built. With -cover, which
// may be in GOFLAGS, the overlay would be left out.
func (o Options) flags() []string {
	flags := []string{"-cover=false"}
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
	_, said, ok := strings.Cut(err.Error(), "stderr: ") // the go command's own words
	if !ok {
		said = err.Error()
	}
	if strings.Contains(said, "go.mod file not found") {
		return errors.New("there is no Go module here: go to the folder of the service's go.mod, or name it in sonde.yaml, as in sut: {dir: ../server, build: .}")
	}
	return fmt.Errorf("the packages cannot be read: %s", complaintOf(said))
}

// broken says what is wrong with packages that do not compile by themselves, or
// are not there.
func broken(all []*packages.Package) error {
	for _, p := range all {
		for _, e := range p.Errors {
			line := complaintOf(e.Msg)
			switch {
			case e.Pos != "" && e.Pos != "-":
				return fmt.Errorf("%q does not compile without probes: %s: %s", p.PkgPath, e.Pos, line)
			case strings.HasPrefix(e.Msg, "#"): // as the compiler says it
				return fmt.Errorf("%q does not compile without probes: %s", p.PkgPath, line)
			}
			return errors.New(line)
		}
	}
	return nil
}

// choose lists the import paths of the packages to cover.
func (l *loaded) choose(c *chooser, t *toolchain) []string {
	var paths []string
	packages.Visit([]*packages.Package{l.main}, nil, func(p *packages.Package) {
		if len(p.GoFiles) == 0 || !c.covers(p) {
			return
		}
		if reason := t.closed(p); reason != "" {
			l.skipped = append(l.skipped, Skipped{p.PkgPath, reason})
			return
		}
		paths = append(paths, p.PkgPath)
	})
	slices.Sort(paths)
	return paths
}

// first is why the first package cannot be covered.
func (l *loaded) first() string {
	if len(l.skipped) == 0 {
		return "it has no Go files"
	}
	return l.skipped[0].Path + ": " + l.skipped[0].Why
}
