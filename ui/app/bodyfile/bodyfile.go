// Package bodyfile reads the files that a user sends as bodies of requests, and writes bodies to temporary files for an
// editor.
package bodyfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sonde/ui/words"
)

// MaxSize is the maximum number of bytes of a file.
const MaxSize = 32 << 20

// maxNames is the maximum number of completions of a path, and maxEntries the maximum number of entries of a folder that
// are read to find them.
const (
	maxNames   = 200
	maxEntries = 10_000
)

// Size returns the size of a file. The error says why the file cannot be sent.
func Size(path string) (int64, error) {
	info, err := os.Stat(expanded(path))
	switch {
	case err != nil:
		return 0, problem(path, reason(err))
	case info.IsDir():
		return 0, problem(path, "it is a folder")
	case !info.Mode().IsRegular():
		return 0, problem(path, "it is not a regular file")
	case info.Size() > MaxSize:
		size, most := words.Count(int(info.Size())), words.Count(MaxSize)
		return 0, problem(path, fmt.Sprintf("it has %s bytes, and at most %s are sent", size, most))
	}
	return info.Size(), nil
}

// Read returns the content of a file.
func Read(path string) (string, error) {
	if _, err := Size(path); err != nil { // opening a pipe would wait for its writer
		return "", err
	}
	file, err := os.Open(expanded(path))
	if err != nil {
		return "", problem(path, reason(err))
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, MaxSize+1))
	switch {
	case err != nil:
		return "", problem(path, reason(err))
	case len(content) > MaxSize:
		return "", problem(path, "it grows while it is read")
	}
	return string(content), nil
}

// problem returns the error for a file that cannot be sent.
func problem(path, why string) error { return fmt.Errorf("the file %q cannot be sent: %s", path, why) }

// reason returns the reason of an error without the name of the file.
func reason(err error) string {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err.Error()
	}
	return err.Error()
}

// expanded replaces ~ at the beginning of a path by the user's home.
func expanded(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	if home, err := os.UserHomeDir(); ok && err == nil {
		return filepath.Join(home, rest)
	}
	return path
}

// Complete returns the paths that begin with a text, sorted. The path of a folder ends with a slash. Hidden files are
// left out unless the text has the dot at their beginning.
func Complete(typed string) (paths []string) {
	at := strings.LastIndexByte(typed, '/') + 1
	dir, begin := typed[:at], typed[at:]
	folder, err := os.Open(filepath.Clean(expanded(dir)))
	if err != nil {
		return nil
	}
	defer folder.Close()
	entries, _ := folder.ReadDir(maxEntries) // the entries before an error can be completed
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, begin) || strings.HasPrefix(name, ".") && begin == "" {
			continue
		}
		if isFolder(folder.Name(), e) {
			name += "/"
		}
		paths = append(paths, dir+name)
	}
	slices.Sort(paths)
	return paths[:min(len(paths), maxNames)]
}

// isFolder reports whether an entry is a folder or a link to one.
func isFolder(dir string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(filepath.Join(dir, e.Name()))
	return err == nil && info.IsDir()
}

// WriteTemporary writes a text to a new file in a new folder, which only the user can read, and returns its path. name is
// the name of the file.
func WriteTemporary(name, text string) (path string, err error) {
	dir, err := os.MkdirTemp("", "sonde-")
	if err != nil {
		return "", fmt.Errorf("the body cannot be written for the editor: %w", err)
	}
	path = filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", errors.Join(fmt.Errorf("the body cannot be written for the editor: %w", err), os.RemoveAll(dir))
	}
	return path, nil
}

// TakeTemporary returns the text of a file of WriteTemporary, and removes the file and its folder.
func TakeTemporary(path string) (string, error) {
	text, err := Read(path)
	return text, errors.Join(err, os.RemoveAll(filepath.Dir(path)))
}
