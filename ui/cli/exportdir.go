package cli

import (
	"os"
	"path/filepath"

	"sonde/export"
	"sonde/model"
)

// startDir is the folder in which commands start, whole; "" where there are
// none.
func startDir(start *model.Service, reset *model.Reset) string {
	dir := ""
	switch {
	case start != nil:
		dir = start.Dir
	case reset == nil || len(reset.Command) == 0:
		return ""
	}
	return whole(dir)
}

// whole is a path from the root, as far as that can be told.
func whole(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// placed lets the commands of a suite that is written into a folder start where
// they did, and find the files of TLS, seen from there: a repository may be somewhere else tomorrow.
func placed(s export.Suite, out string) export.Suite {
	base, err := filepath.Abs(out)
	if err != nil {
		return s
	}
	for _, path := range append(s.TLS.Paths(), &s.Dir) {
		if *path == "" {
			continue
		}
		if seen, err := filepath.Rel(real(base), real(*path)); err == nil {
			*path = filepath.ToSlash(seen)
		}
	}
	return s
}

// wholeTLS are the same files by names from the root, where they are seen from a
// folder; "" is the one in which Sonde is.
func wholeTLS(t model.TLS, folder string) model.TLS {
	for _, path := range t.Paths() {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = whole(filepath.Join(folder, *path))
		}
	}
	return t
}

// real follows the links in as much of a path as is there: ".." means the
// folder above, not the one that a link came from.
func real(path string) string {
	if followed, err := filepath.EvalSymlinks(path); err == nil || !os.IsNotExist(err) || filepath.Dir(path) == path {
		if err != nil {
			return path
		}
		return followed
	}
	return filepath.Join(real(filepath.Dir(path)), filepath.Base(path))
}
