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

// Source is a package of a service as it is written, with its types.
type Source struct {
	Path    string // its import path
	Folder  string
	Files   []*ast.File
	Package *types.Package
	Info    *types.Info
}

// Bare builds a service without probes, once as it is and then with other source for
// some of its files. It may be used by several goroutines.
type Bare struct {
	Fset    *token.FileSet
	Sources []Source // of the packages that were chosen, by import path
	Module  string   // the folder of the service's module, "" for none

	o     Options
	tools *toolchain
	main  string
	net   map[string][]byte // what the virtual network replaces
}

// OpenBare reads a main package and the packages of it that Cover names.
func OpenBare(ctx context.Context, o Options) (*Bare, error) {
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
	b := &Bare{Fset: l.fset, o: o, tools: t, main: l.main.PkgPath}
	if l.main.Module != nil {
		b.Module = l.main.Module.Dir
	}
	for _, p := range l.cover {
		b.Sources = append(b.Sources, Source{Path: p.PkgPath, Folder: filepath.Dir(p.GoFiles[0]), Files: p.Syntax, Package: p.Types, Info: p.TypesInfo})
	}
	if !o.Net {
		return b, nil
	}
	over := &overlay{sources: map[string][]byte{}}
	err = over.addNetwork(t)
	b.net = over.sources
	return b, err
}

// bareFlags make the same binary of what compiles to the same: nothing in it tells of
// when, where, or of which text it was made.
var bareFlags = []string{"-trimpath", "-buildvcs=false", "-ldflags=-buildid= -s -w"}

// Build builds the service with other source for some files, by their paths.
func (b *Bare) Build(ctx context.Context, out string, files map[string][]byte) error {
	dir, err := os.MkdirTemp("", "sonde-bare-")
	if err != nil {
		return fmt.Errorf("there is no place for the source: %w", err)
	}
	defer os.RemoveAll(dir)
	over := &overlay{sources: maps.Clone(files), replaced: map[string]string{}}
	if over.sources == nil {
		over.sources = map[string][]byte{}
	}
	maps.Copy(over.sources, b.net)
	list, err := over.save(dir)
	if err != nil {
		return err
	}
	args := append(append([]string{"build", "-o", out, "-overlay", list}, b.o.flags()...), bareFlags...)
	err = over.run(ctx, b.tools, append(args, b.main))
	if other := otherNetwork(err, b.tools); b.o.Net && other != nil {
		return other
	}
	return err
}

// Counting builds the service so that it counts what is reached of it, as Plain does,
// and each time.
func (b *Bare) Counting(ctx context.Context, out string) error {
	o := b.o
	o.Out, o.Cover = out, nil
	var paths []string
	for _, s := range b.Sources {
		paths = append(paths, s.Path)
	}
	return plain(ctx, b.tools, o, b.main, "-covermode=atomic", "-coverpkg="+strings.Join(paths, ","))
}
