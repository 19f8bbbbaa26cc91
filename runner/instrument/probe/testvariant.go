package probe

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// NewTestBuilder loads the packages with the given import paths. The builder builds their tests, not a service.
func NewTestBuilder(ctx context.Context, o Options, paths []string) (*VariantBuilder, error) {
	o, err := o.resolved()
	if err != nil {
		return nil, err
	}
	t, err := openToolchain(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	b := &VariantBuilder{Fset: token.NewFileSet(), o: o, tools: t}
	all, err := packages.Load(o.config(ctx, whole|packages.NeedModule, b.Fset), paths...)
	if err != nil {
		return nil, loadError(ctx, err)
	}
	if err := broken(all); err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	for _, p := range all {
		if len(p.GoFiles) == 0 {
			return nil, fmt.Errorf("%q has no Go files", p.PkgPath)
		}
		if p.Module != nil {
			b.Module = p.Module.Dir
		}
		b.Sources = append(
			b.Sources,
			SourcePackage{Path: p.PkgPath, Folder: filepath.Dir(p.GoFiles[0]), Files: p.Syntax, Package: p.Types, Info: p.TypesInfo},
		)
	}
	return b, nil
}

// BuildTests compiles the tests of a package into the binary out. files has the source of the files that differ from
// those on disk, by path.
func (b *VariantBuilder) BuildTests(ctx context.Context, pkg, out string, files map[string][]byte) error {
	dir, err := os.MkdirTemp("", "sonde-variant-")
	if err != nil {
		return fmt.Errorf("the source cannot be written: %w", err)
	}
	defer os.RemoveAll(dir)
	over := newOverlay(files)
	maps.Copy(over.sources, b.library)
	list, err := over.save(dir)
	if err != nil {
		return err
	}
	args := []string{"test", "-c", "-vet=off", "-o", out, "-overlay", list}
	return over.run(ctx, b.tools, slices.Concat(args, b.o.flags(), reproducibleFlags, []string{pkg}))
}

// BuildTestsWithCounts compiles the tests of a package so that they count how often each block of the package runs. The
// binary writes the counts if it is run with -test.coverprofile.
func (b *VariantBuilder) BuildTestsWithCounts(ctx context.Context, pkg, out string) error {
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-o", out}, b.o.selection())
	_, err := b.tools.run(ctx, append(args, "-covermode=atomic", "-coverpkg="+pkg, pkg)...)
	return err
}

// ReadProfile returns the blocks of the coverage that a test binary wrote into a file.
func ReadProfile(file string) ([]CoverBlock, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errors.New("the tests wrote no coverage: they must end by themselves")
	}
	return blocks(text), err
}
