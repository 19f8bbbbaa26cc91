package probe

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"

	"sonde/model"

	"golang.org/x/tools/go/packages"
)

// SourceSize returns the size of the source of a service: of those packages that Build gives probes, without tests. It
// builds nothing.
func SourceSize(ctx context.Context, o Options) (model.SourceSize, error) {
	all, err := servicePackages(ctx, o)
	if err != nil {
		return model.SourceSize{}, err
	}
	var files []string
	for _, p := range all {
		files = append(files, p.GoFiles...)
	}
	lines, err := CountLines(files)
	return model.SourceSize{Files: len(files), Lines: lines}, err
}

// servicePackages returns the packages of a service that Build gives probes, with their files.
func servicePackages(ctx context.Context, o Options) (all []*packages.Package, err error) {
	o, err = o.resolved()
	if err != nil {
		return nil, err
	}
	t, err := openToolchain(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	main, err := loadMain(ctx, o)
	if err != nil {
		return nil, err
	}
	c, err := newChooser(main, o.Cover)
	if err != nil {
		return nil, err
	}
	l := &loaded{main: main, dir: filepath.Dir(main.GoFiles[0])}
	paths := l.choose(c, t)
	packages.Visit([]*packages.Package{main}, nil, func(p *packages.Package) {
		if slices.Contains(paths, p.PkgPath) {
			all = append(all, p)
		}
	})
	return all, nil
}

// CountLines returns the number of lines of files, comments and blank lines included.
func CountLines(files []string) (lines int, err error) {
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return 0, err
		}
		lines += bytes.Count(text, []byte{'\n'})
	}
	return lines, nil
}
