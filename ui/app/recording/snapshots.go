package recording

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/replay/record"
	"sonde/runner/target/sut"
	"sonde/ui/app/command"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
)

// Snapshots says how snapshots of the service's state are taken during a recording. The zero value takes none.
type Snapshots struct {
	// Command is a shell command that writes a snapshot to the folder model.SnapshotPlaceholder.
	Command string
	// Files are files and folders with the service's state, which Sonde copies.
	Files []string
	// Every is the number of requests that change something between one snapshot and the next.
	Every int
}

// CheckSnapshots returns an error if the options for snapshots are invalid or exclude each other.
func (f *Options) CheckSnapshots() error {
	switch s := f.Snapshots; {
	case s.Command != "" && len(s.Files) > 0:
		return errors.New("--snapshot and --snapshot-file exclude each other: let the command copy the files, too")
	case s.Command != "" && !strings.Contains(s.Command, model.SnapshotPlaceholder):
		return fmt.Errorf(
			"--snapshot %q does not name %s, the folder to write to: for example pg_dump shop > %s/shop.sql",
			s.Command, model.SnapshotPlaceholder, model.SnapshotPlaceholder,
		)
	case s.Every < 1:
		return fmt.Errorf("--snapshot-every is %d: give a number from 1 on", s.Every)
	}
	return f.checkFiles()
}

// checkFiles returns an error if a folder of Files contains the recording or the service's folder. Tests replace a
// folder of Files as a whole, so they would also replace what it contains.
func (f *Options) checkFiles() error {
	for i, file := range f.stateFiles() {
		for what, inside := range map[string]string{
			"the recording's": paths.Absolute(f.Folder), "the service's": service.StartDir(f.Service.StartCommand, nil),
		} {
			rel, err := filepath.Rel(paths.ResolveLinks(file), paths.ResolveLinks(inside))
			if inside != "" && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
				return fmt.Errorf(
					"--snapshot-file %q has %s folder in it, and tests would replace that: name only what has the state",
					f.Snapshots.Files[i], what,
				)
			}
		}
	}
	return nil
}

// maxSnapshot is how long the command of a snapshot may take.
const maxSnapshot = 10 * time.Minute

// TakeSnapshots sets how the monitor takes snapshots into a recording.
func (f *Options) TakeSnapshots(o *record.Options, rec *codec.RecordingWriter) {
	s := f.Snapshots
	if s.Command == "" && len(s.Files) == 0 {
		return
	}
	o.SnapshotEvery = s.Every
	o.TakeSnapshot = func(ctx context.Context, name string) error {
		folder, err := rec.CreateSnapshot(name)
		if err != nil {
			return err
		}
		if s.Command != "" {
			err = f.runSnapshot(ctx, folder)
		} else {
			err = copyFiles(folder, f.stateFiles())
		}
		if err != nil {
			return errors.Join(err, os.RemoveAll(folder))
		}
		return nil
	}
}

// runSnapshot runs the command that takes a snapshot.
func (f *Options) runSnapshot(ctx context.Context, folder string) error {
	args := command.Shell(strings.ReplaceAll(f.Snapshots.Command, model.SnapshotPlaceholder, folder))
	plan := model.Plan{Service: f.Service.StartCommand, Users: f.Service.Users}
	if err := sut.RunCommand(ctx, plan, f.baseURL, args, maxSnapshot); err != nil {
		return fmt.Errorf("--snapshot %q %w", f.Snapshots.Command, err)
	}
	return nil
}

// stateFiles returns the absolute paths of the files with the service's state. Relative ones are relative to the
// service's folder.
func (f *Options) stateFiles() []string {
	var all []string
	for _, file := range f.Snapshots.Files {
		if start := f.Service.StartCommand; start != nil && !filepath.IsAbs(file) {
			file = filepath.Join(service.StartDir(start, nil), file)
		}
		all = append(all, paths.Absolute(file))
	}
	return all
}

// databaseSuffixes are what SQLite adds to the name of a database for the files that belong to it.
var databaseSuffixes = []string{"-wal", "-shm", "-journal"}

// copyFiles copies files and folders into the folder of a snapshot. There, each has its own folder, which is named by
// the index in files.
func copyFiles(snapshot string, files []string) error {
	for i, file := range files {
		into := filepath.Join(snapshot, strconv.Itoa(i))
		if err := os.MkdirAll(into, 0o700); err != nil {
			return err
		}
		info, err := os.Stat(file)
		switch {
		case err != nil:
			return fmt.Errorf("--snapshot-file %q cannot be copied: %w", file, err)
		case info.IsDir():
			err = os.CopyFS(filepath.Join(into, filepath.Base(file)), os.DirFS(file))
		default:
			err = copyDatabase(into, file)
		}
		if err != nil {
			return fmt.Errorf("--snapshot-file %q cannot be copied: %w", file, err)
		}
	}
	return nil
}

// copyDatabase copies a file, and the files that belong to it if it is a database of SQLite.
func copyDatabase(into, file string) error {
	for _, suffix := range slices.Concat([]string{""}, databaseSuffixes) {
		data, err := os.ReadFile(file + suffix)
		if suffix != "" && errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(into, filepath.Base(file)+suffix), data, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
