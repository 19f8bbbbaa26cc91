package gotest

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// snapshotFolder returns the absolute path of the snapshot with this name in a folder. It fails the test if the
// snapshot does not exist.
func snapshotFolder(t *testing.T, folder, snapshot string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(filepath.FromSlash(folder), snapshot))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("the snapshot of the recording cannot be read: %v", err)
	}
	return path
}

// withSnapshot replaces {snapshot} in the arguments of a command by the folder of a snapshot.
func withSnapshot(folder string, args ...string) []string {
	var all []string
	for _, a := range args {
		all = append(all, strings.ReplaceAll(a, "{snapshot}", folder))
	}
	return all
}

// restartFrom stops the service, replaces files and folders by their copies in the snapshot folder, and starts the
// service again.
func (p *program) restartFrom(t *testing.T, folder string, files ...string) {
	t.Helper()
	if p.exited == nil {
		t.Log("the service of SONDE_BASE_URL is not restarted, so its state remains: the tests may disturb each other")
		return
	}
	p.stop()
	for i, file := range files {
		if err := restoreFile(filepath.Join(folder, strconv.Itoa(i)), filepath.FromSlash(file)); err != nil {
			t.Fatalf("%s cannot be restored: %v", file, err)
		}
	}
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
}

// restoreFile replaces a file or folder by its copy in the folder from. If the file is a database of SQLite,
// restoreFile also replaces the files that belong to the database. It removes nothing before it has checked that
// everything can be copied.
func restoreFile(from, file string) error {
	info, err := os.Lstat(filepath.Join(from, filepath.Base(file)))
	if err != nil {
		return err
	}
	err = filepath.Walk(from, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s is not a file", path)
		}
		return err
	})
	if err != nil {
		return err
	}
	if info.IsDir() {
		err = os.RemoveAll(file)
	} else {
		err = removeDatabase(file)
	}
	if err != nil {
		return err
	}
	return filepath.Walk(from, func(path string, info os.FileInfo, err error) error {
		if err != nil || path == from {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		name = filepath.Join(filepath.Dir(file), name)
		if info.IsDir() {
			return os.Mkdir(name, info.Mode().Perm())
		}
		return copyFile(name, path, info.Mode().Perm())
	})
}

// removeDatabase removes a file. If the file is a database of SQLite, removeDatabase also removes the files that
// belong to the database.
func removeDatabase(file string) error {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		info, err := os.Lstat(file + suffix)
		if os.IsNotExist(err) || err == nil && suffix != "" && !info.Mode().IsRegular() {
			continue
		}
		if err == nil {
			err = os.Remove(file + suffix)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies a file. It overwrites a file that is at the destination.
func copyFile(to, from string, mode os.FileMode) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	copied, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(copied, source); err != nil {
		copied.Close()
		return err
	}
	return copied.Close()
}
