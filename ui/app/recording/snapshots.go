package recording

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
	// Every is the number of requests between two snapshots, counting only requests that change something.
	Every int
}

// CheckSnapshots returns an error if the options for snapshots are invalid or exclude each other.
func (f *Options) CheckSnapshots() error {
	switch s := f.Snapshots; {
	case s.Command != "" && len(s.Files) > 0:
		return errors.New("--snapshot and --snapshot-file exclude each other: let the command copy the files, too")
	case s.Command != "" && !strings.Contains(s.Command, model.SnapshotPlaceholder):
		return fmt.Errorf(
			"--snapshot %q does not name %s, the folder to write to: for example pg_dump shop > \"%s/shop.sql\"",
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
		for _, kept := range []string{f.Folder, service.StartDir(f.Service.StartCommand, nil)} {
			if kept != "" && paths.IsWithin(kept, file) {
				return fmt.Errorf(
					"--snapshot-file %q has the folder %q in it, and tests would replace that: name only what has the state",
					f.Snapshots.Files[i], kept,
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
			err = copyFiles(ctx, folder, f.stateFiles())
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
	if all, err := os.ReadDir(folder); err == nil && len(all) == 0 {
		return fmt.Errorf("--snapshot %q wrote nothing to the folder %s", f.Snapshots.Command, model.SnapshotPlaceholder)
	}
	return nil
}

// stateFiles returns the absolute paths, without symbolic links, of the files with the service's state. Relative ones are
// relative to the service's folder.
func (f *Options) stateFiles() []string {
	var all []string
	for _, file := range f.Snapshots.Files {
		if start := f.Service.StartCommand; start != nil && !filepath.IsAbs(file) {
			file = filepath.Join(service.StartDir(start, nil), file)
		}
		all = append(all, paths.ResolveLinks(paths.Absolute(file)))
	}
	return all
}
