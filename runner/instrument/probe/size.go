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
func SourceSize(ctx context.Context, o Options) (size model.SourceSize, err error) {
	o, err = o.resolved()
	if err != nil {
		return size, err
	}
	t, err := openToolchain(ctx, o.Dir)
	if err != nil {
		return size, err
	}
	main, err := loadMain(ctx, o)
	if err != nil {
		return size, err
	}
	c, err := newChooser(main, o.Cover)
	if err != nil {
		return size, err
	}
	l := &loaded{main: main, dir: filepath.Dir(main.GoFiles[0])}
	paths := l.choose(c, t)
	var files []string
	packages.Visit([]*packages.Package{main}, nil, func(p *packages.Package) {
		if slices.Contains(paths, p.PkgPath) {
			files = append(files, p.GoFiles...)
		}
	})
	lines, err := CountLines(files)
	return model.SourceSize{Files: len(files), Lines: lines}, err
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
