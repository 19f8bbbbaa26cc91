// Package sources finds the files of a Go module that workers need, and packs them.
package sources

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sonde/runner/campaign"
)

// Module returns the root of the Go module around a folder, "" if there is none.
func Module(folder string) (root string, err error) {
	root, err = filepath.Abs(folder)
	for err == nil && !isFile(filepath.Join(root, "go.mod")) {
		if root == filepath.Dir(root) {
			return "", nil
		}
		root = filepath.Dir(root)
	}
	return root, err
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// OfModule returns the files of the Go module around a folder, chosen as by Below. It returns an error if the folder
// is in no module.
func OfModule(ctx context.Context, folder string, without ...string) ([]string, error) {
	root, err := Module(folder)
	if root == "" && err == nil {
		err = fmt.Errorf("there is no go.mod in %q or above", folder)
	}
	if err != nil {
		return nil, err
	}
	return Below(ctx, root, without...)
}

// Below returns the regular files in a folder and its subfolders, except hidden files and folders. It also leaves out
// the files and folders whose paths are in without.
func Below(ctx context.Context, folder string, without ...string) (all []string, err error) {
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	skipped := map[string]bool{}
	for _, path := range without {
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		skipped[path] = true
	}
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		out := path != folder && (strings.HasPrefix(d.Name(), ".") || skipped[path])
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case d.IsDir() && out:
			return fs.SkipDir
		case !out && d.Type().IsRegular():
			all = append(all, path)
		}
		return nil
	})
	return all, err
}

// Pack packs files, given by absolute paths. folder is the deepest folder that contains all of them; paths in the pack are
// relative to it.
func Pack(files []string) (packed []byte, folder string, err error) {
	folder = commonFolder(files)
	names := map[string]bool{}
	for _, f := range files {
		name, err := filepath.Rel(folder, f)
		if err != nil {
			return nil, "", err
		}
		names[filepath.ToSlash(name)] = true
	}
	packed, err = campaign.Pack(folder, slices.Sorted(maps.Keys(names)))
	return packed, folder, err
}

// commonFolder returns the deepest folder that contains all files.
func commonFolder(files []string) string {
	folder := filepath.Dir(files[0])
	for _, f := range files[1:] {
		for !strings.HasPrefix(f, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator)) {
			folder = filepath.Dir(folder)
		}
	}
	return folder
}
