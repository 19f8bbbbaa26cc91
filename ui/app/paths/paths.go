// Package paths names files and writes them: absolute paths, paths through links,
// files that are replaced as a whole.
package paths

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2/maybe"
)

// Absolute is a path from the root, as far as that can be told.
func Absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// ResolveLinks follows the links in as much of a path as is there: ".." means the
// folder above, not the one that a link came from.
func ResolveLinks(path string) string {
	if followed, err := filepath.EvalSymlinks(path); err == nil || !os.IsNotExist(err) || filepath.Dir(path) == path {
		if err != nil {
			return path
		}
		return followed
	}
	return filepath.Join(ResolveLinks(filepath.Dir(path)), filepath.Base(path))
}

// WriteFile writes a file whole or not at all, in place of what is there.
func WriteFile(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("-o %q is no file: name another, or leave it out and redirect", path)
	}
	if err := maybe.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("cannot write %q: %w; name another file with -o", path, WithoutPath(err))
	}
	return nil
}

// FirstMissing is the first of the files that is not there, seen from a folder; ""
// where all are.
func FirstMissing(folder string, files []string) string {
	for _, name := range files {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		if _, err := os.Stat(path); err != nil {
			return name
		}
	}
	return ""
}

// AbsoluteOrEmpty is a path that stays the same wherever we go, if there is one.
func AbsoluteOrEmpty(path string) string {
	if path == "" {
		return ""
	}
	return Absolute(path)
}

// Exists reports whether a file or folder is there.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// WithoutPath takes the names out of an error that will name the file anyway.
func WithoutPath(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
