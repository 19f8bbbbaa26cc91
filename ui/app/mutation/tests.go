package mutation

import (
	"context"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"sonde/ui/app/sources"
)

// packTests packs a folder of tests. inside is the folder in the pack. If the folder is in a Go module, the pack also
// has files of the module. These are the files that select the version of Go, or the whole module if the tests import
// packages outside the standard library.
func packTests(ctx context.Context, dir string, without []string) (packed []byte, inside string, err error) {
	files, err := sources.Below(ctx, dir, without...)
	if err != nil {
		return nil, "", err
	}
	root, err := sources.Module(dir)
	if err != nil {
		return nil, "", err
	}
	if root != "" {
		alone, err := importOnlyStandard(dir, root)
		switch {
		case err != nil:
			return nil, "", err
		case !alone:
			files, err = sources.OfModule(ctx, root, without...)
			if err != nil {
				return nil, "", err
			}
		default:
			files = append(files, versionFiles(root)...)
		}
	}
	packed, folder, err := sources.Pack(files)
	if err != nil {
		return nil, "", err
	}
	inside, err = filepath.Rel(folder, dir)
	return packed, filepath.ToSlash(inside), err
}

// versionFiles returns the files of a module that select the version of Go and of other modules.
func versionFiles(root string) (all []string) {
	for _, name := range []string{"go.mod", "go.sum"} {
		path := filepath.Join(root, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			all = append(all, path)
		}
	}
	return all
}

// moduleLine matches the line of a go.mod that names the module.
var moduleLine = regexp.MustCompile(`(?m)^\s*module\s+"?([^\s"]+)`)

// importOnlyStandard reports whether the test files in a folder of a module import only the standard library.
func importOnlyStandard(dir, root string) (bool, error) {
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return false, err
	}
	module := ""
	if m := moduleLine.FindSubmatch(data); m != nil {
		module = string(m[1])
	}
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return false, err
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return false, err
		}
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value) // the parser has checked it
			first, _, _ := strings.Cut(path, "/")
			if strings.Contains(first, ".") || path == module || strings.HasPrefix(path, module+"/") {
				return false, nil
			}
		}
	}
	return true, nil
}
