package recording

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// copyFiles copies files and folders into the folder of a snapshot, each into a folder of its own with its number as the
// name.
func copyFiles(ctx context.Context, snapshot string, files []string) error {
	for i, file := range files {
		into := filepath.Join(snapshot, strconv.Itoa(i))
		info, err := os.Stat(file)
		if err == nil {
			err = os.MkdirAll(into, 0o700)
		}
		switch {
		case err != nil:
		case info.IsDir():
			err = copyFolder(ctx, filepath.Join(into, filepath.Base(file)), file)
		default:
			err = copyDatabase(ctx, into, file)
		}
		if err != nil {
			return fmt.Errorf("--snapshot-file %q cannot be copied: %w", file, err)
		}
	}
	return nil
}

// copyFolder copies a folder with everything in it, and keeps the permissions. It returns an error for a symbolic
// link.
func copyFolder(ctx context.Context, to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		name = filepath.Join(to, name)
		switch {
		case d.IsDir():
			return os.Mkdir(name, info.Mode().Perm()|0o700)
		case d.Type()&(fs.ModeSocket|fs.ModeNamedPipe) != 0:
			return nil // it has no content
		case !d.Type().IsRegular():
			return fmt.Errorf("%q is neither a file nor a folder: copy it with --snapshot COMMAND", path)
		}
		return copyFile(ctx, name, path)
	})
}

// databaseSuffixes are the suffixes of the files that belong to a database of SQLite and have content that is not in
// the database yet. When the last connection is closed, SQLite moves this content into the database. So these files
// are copied before the database.
var databaseSuffixes = []string{"-wal", "-journal"}

// maxCopies is how often the copy of a database is begun again because the database was changed meanwhile.
const maxCopies = 3

// copyDatabase copies a file, and the files that belong to it if it is a database of SQLite.
func copyDatabase(ctx context.Context, into, file string) error {
	for range maxCopies {
		before, err := versions(file)
		if err != nil {
			return err
		}
		for _, suffix := range slices.Concat(databaseSuffixes, []string{""}) {
			name := filepath.Join(into, filepath.Base(file)+suffix)
			err := copyFile(ctx, name, file+suffix)
			switch {
			case suffix != "" && errors.Is(err, os.ErrNotExist):
				if err := os.RemoveAll(name); err != nil { // left by an earlier attempt
					return err
				}
			case err != nil:
				return err
			}
		}
		after, err := versions(file)
		if err != nil {
			return err
		}
		if before == after {
			return nil
		}
	}
	return fmt.Errorf("it was changed during each of %d tries although no request was in progress", maxCopies)
}

// versions returns a text that changes when a file changes. If the file is a database of SQLite, the text also
// changes when one of the files that belong to the database changes.
func versions(file string) (text string, err error) {
	for _, suffix := range slices.Concat(databaseSuffixes, []string{""}) {
		info, err := os.Stat(file + suffix)
		switch {
		case err == nil:
			text += fmt.Sprint(suffix, info.Size(), info.ModTime().UnixNano(), " ")
		case suffix == "" || !errors.Is(err, os.ErrNotExist):
			return "", err
		}
	}
	return text, nil
}

// copyFile copies a file with its permissions. It stops if ctx ends.
func copyFile(ctx context.Context, to, from string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	info, err := source.Stat()
	if err != nil {
		return err
	}
	copied, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, copied.Close()) }()
	_, err = io.Copy(copied, contextReader{ctx, source})
	return err
}

// contextReader is a reader that fails once its context has ended.
type contextReader struct {
	ctx context.Context
	io.Reader
}

// Read reads unless the context has ended.
func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
