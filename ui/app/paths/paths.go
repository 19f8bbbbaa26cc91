// Package paths has helpers for file paths, and for writing files atomically.
package paths

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2/maybe"
)

// Absolute returns the absolute path, or path itself if the current folder is unknown.
func Absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// ResolveLinks follows the symbolic links in the part of a path that exists, so that ".." means the
// real parent folder.
func ResolveLinks(path string) string {
	if followed, err := filepath.EvalSymlinks(path); err == nil || !os.IsNotExist(err) || filepath.Dir(path) == path {
		if err != nil {
			return path
		}
		return followed
	}
	return filepath.Join(ResolveLinks(filepath.Dir(path)), filepath.Base(path))
}

// IsWithin reports whether a path is a folder or below it. Symbolic links are followed in the parts of both that exist.
func IsWithin(path, folder string) bool {
	rel, err := filepath.Rel(ResolveLinks(Absolute(folder)), ResolveLinks(Absolute(path)))
	return err == nil && filepath.IsLocal(rel)
}

// WriteFile writes or replaces a file atomically.
func WriteFile(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("-o %q is not a regular file: name another, or leave out -o and redirect the output", path)
	}
	if err := maybe.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("cannot write %q: %w; name another file with -o", path, WithoutPath(err))
	}
	return nil
}

// FirstMissing returns the first of the files that does not exist, or "" if all exist. Relative paths are relative to
// the folder.
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

// AbsoluteOrEmpty returns the absolute path, or "" if the path is "".
func AbsoluteOrEmpty(path string) string {
	if path == "" {
		return ""
	}
	return Absolute(path)
}

// Exists reports whether a file or folder exists.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// WithoutPath returns the cause of a file error, for a message that names the file itself. It returns any other error
// unchanged.
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
