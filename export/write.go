package export

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// TestsFileName is the name of the Go file with the tests.
const TestsFileName = "sonde_test.go"

// WriteGoFile writes the Go file of a suite into a folder, which it creates if necessary, and returns the
// path of the file. It never leaves an incomplete file.
//
// If the file exists and force is not set, WriteGoFile changes nothing and returns fs.ErrExist. Other
// errors are those of GoFile and of the file system.
func WriteGoFile(dir string, s Suite, force bool) (path string, err error) {
	text, err := GoFile(s)
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, TestsFileName)
	if err := WriteFile(path, text, force); err != nil {
		return "", err
	}
	return path, nil
}

// WriteFile writes a file, and creates its folder if necessary. If the file exists and force is not set, it
// changes nothing and returns fs.ErrExist. It never leaves an incomplete file.
func WriteFile(path string, text []byte, force bool) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cannot create the folder %q for the tests: %w", dir, err)
	}
	err := place(path, text, force)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%q exists already: add --force to replace it: %w", path, fs.ErrExist)
	}
	if err != nil {
		return fmt.Errorf("cannot write %q: %w", path, err)
	}
	return nil
}

// place writes a temporary file in the same folder and renames it. Unless force is set, it fails if
// path exists. (Package renameio does not support Windows.)
func place(path string, text []byte, force bool) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // has no effect after the rename
	if err := fill(temp, text); err != nil {
		return err
	}
	if force {
		return os.Rename(temp.Name(), path)
	}
	return moveNew(temp.Name(), path)
}

func fill(f *os.File, text []byte) error {
	_, err := f.Write(text)
	return errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
}

// moveNew renames a file to a name that must not exist. It uses a hard link, which fails if the name
// exists. On a file system without links there is a race between the check and the rename.
func moveNew(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return cmp.Or(err, fs.ErrExist)
	}
	return os.Rename(from, to)
}
