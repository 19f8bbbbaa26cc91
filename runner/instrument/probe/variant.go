package probe

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// SourcePackage is a type-checked package of a service.
type SourcePackage struct {
	Path    string // import path of the package
	Folder  string
	Files   []*ast.File
	Package *types.Package
	Info    *types.Info
}

// VariantBuilder builds variants of a service, in which some files have other source. Variants have
// no probes. A VariantBuilder is safe for concurrent use.
type VariantBuilder struct {
	Fset    *token.FileSet
	Sources []SourcePackage // the packages that Options.Cover selects, sorted by import path
	Module  string          // the folder of the service's module, "" if it has none

	o     Options
	tools *toolchain
	main  string
	// library has the sources of the standard library that are changed for a virtual network, or for rows.
	library map[string][]byte
}

// NewVariantBuilder loads a main package and the packages that Options.Cover selects.
func NewVariantBuilder(ctx context.Context, o Options) (*VariantBuilder, error) {
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
	b := &VariantBuilder{Fset: l.fset, o: o, tools: t, main: l.main.PkgPath}
	if l.main.Module != nil {
		b.Module = l.main.Module.Dir
	}
	for _, p := range l.cover {
		b.Sources = append(
			b.Sources,
			SourcePackage{Path: p.PkgPath, Folder: filepath.Dir(p.GoFiles[0]), Files: p.Syntax, Package: p.Types, Info: p.TypesInfo},
		)
	}
	over := newOverlay(nil)
	err = over.changeLibrary(t, o)
	b.library = over.sources
	return b, err
}

// Go describes the Go installation that builds the service: its release and the system for which it builds.
func (b *VariantBuilder) Go() string { return b.tools.Version + " " + b.tools.OS + "/" + b.tools.Arch }

// reproducibleFlags are flags with which all sources that compile to the same code give the same binary. The binary
// contains no build ID, paths, times or symbols.
var reproducibleFlags = []string{"-trimpath", "-buildvcs=false", "-ldflags=-buildid= -s -w"}

// Build builds the service into the binary out. files has the source of the files that differ from those on
// disk, by path.
func (b *VariantBuilder) Build(ctx context.Context, out string, files map[string][]byte) error {
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
	args := append(append([]string{"build", "-o", out, "-overlay", list}, b.o.flags()...), reproducibleFlags...)
	err = over.run(ctx, b.tools, append(args, b.main))
	if other := otherNetwork(err, b.tools); b.o.Net && other != nil {
		return other
	}
	return err
}

// BuildWithCounts builds the service like BuildWithCover, with the coverage of b.Sources. The coverage
// has the number of times that each block was reached.
func (b *VariantBuilder) BuildWithCounts(ctx context.Context, out string) error {
	o := b.o
	o.Out, o.Cover = out, nil
	var paths []string
	for _, s := range b.Sources {
		paths = append(paths, s.Path)
	}
	return plain(ctx, b.tools, o, b.main, "-covermode=atomic", "-coverpkg="+strings.Join(paths, ","))
}
