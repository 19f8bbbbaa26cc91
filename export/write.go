package export

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// FileName is what Write calls the file.
const FileName = "sonde_test.go"

// Write writes a suite's Go file into dir, which it makes if need be, and
// returns the file's path. The file is there whole or not at all.
//
// An existing file stays as it is unless force is set: the error then is
// fs.ErrExist. Other errors are Go's and the file system's.
func Write(dir string, s Suite, force bool) (path string, err error) {
	text, err := Go(s)
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, FileName)
	if err := Place(path, text, force); err != nil {
		return "", err
	}
	return path, nil
}

// Place writes a file as Write does, and makes its folder.
func Place(path string, text []byte, force bool) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("no folder %q for the tests: %w", dir, err)
	}
	err := place(path, text, force)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%q is there already: say --force to replace it: %w", path, fs.ErrExist)
	}
	if err != nil {
		return fmt.Errorf("%q could not be written: %w", path, err)
	}
	return nil
}

// place writes to a file beside path, then moves that file to its place.
// (renameio would do, but does not exist for Windows.)
func place(path string, text []byte, force bool) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // gone already if all went well
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

// moveNew gives a file a name that must be free. A link fails if it is not;
// where the file system has no links, looking first has to do.
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
