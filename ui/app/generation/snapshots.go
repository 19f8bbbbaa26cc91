package generation

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/replay/generate"
	"sonde/ui/app/command"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/words"
)

// ChooseSnapshots sets how tests restore the service's state. With State, they run this command, which may restore a
// snapshot of the recording. With Restore, they replace files by the copies in a snapshot. With neither, nothing
// changes. note is the reason why the snapshots of the recording are not used; it is "" if they are used, or if the
// recording has none.
func (o *Options) ChooseSnapshots(rec *model.Recording) (note string, err error) {
	named := strings.Contains(o.State, model.SnapshotPlaceholder)
	switch {
	case named && len(rec.StateSnapshots) == 0:
		return "", fmt.Errorf(
			"--state %q names %s, but the recording has no snapshots: they are taken by sonde record --snapshot COMMAND",
			o.State, model.SnapshotPlaceholder,
		)
	case o.Restore && o.State != "":
		return "", errors.New("--state and --restore-files exclude each other: give one of them")
	case o.Restore && len(rec.StateSnapshots)*len(rec.StateFiles) == 0:
		return "", errors.New(
			"--restore-files needs a recording with snapshots of files: they are taken by sonde record --snapshot-file FILE",
		)
	case o.Restore && rec.Service == nil:
		return "", errors.New("--restore-files needs tests that start the service: set sut in sonde.yaml")
	case o.Restore && o.checkStateFiles(*rec) != nil:
		return "", o.checkStateFiles(*rec)
	case named:
		rec.Reset = &model.Reset{Command: command.Shell(o.State), Snapshots: rec.SnapshotFolder}
	case o.State != "":
		rec.Reset = &model.Reset{Command: command.Shell(o.State)}
	case o.Restore:
		rec.Reset = &model.Reset{Restart: true, Snapshots: rec.SnapshotFolder, Files: rec.StateFiles}
	default:
		return unusedSnapshots(*rec), nil
	}
	o.Choice.Snapshot = SnapshotUseOf(rec.Reset)
	return "", nil
}

// checkStateFiles returns an error if a state file has a folder in it that tests must not replace. The recording may come
// from another user.
func (o *Options) checkStateFiles(rec model.Recording) error {
	home, _ := os.UserHomeDir()
	for _, file := range rec.StateFiles {
		for _, kept := range []string{rec.SnapshotFolder, o.Dir, service.StartDir(rec.Service, nil), ".", home} {
			if kept != "" && paths.IsWithin(kept, file) {
				return fmt.Errorf("--restore-files would replace %q, which has the folder %q in it", file, paths.Absolute(kept))
			}
		}
	}
	return nil
}

// ReplacedFiles returns lines that list the files which the tests of a recording would replace, for a confirmation. It
// returns no lines if tests do not replace files, or if all these files are in one folder, whose path is here.
func (o *Options) ReplacedFiles(rec model.Recording, here string) (all []string) {
	isHere := func(file string) bool { return paths.IsWithin(file, here) }
	if !o.Restore || !slices.ContainsFunc(rec.StateFiles, func(file string) bool { return !isHere(file) }) {
		return nil
	}
	all = append(all, "each of the tests would replace what is now in")
	for _, file := range rec.StateFiles {
		all = append(all, "  "+model.Printable(file, command.MaxShownBytes))
	}
	return all
}

// unusedSnapshots returns a note about the snapshots of a recording that the tests do not restore, "" if it has none.
func unusedSnapshots(rec model.Recording) string {
	if len(rec.StateSnapshots) == 0 {
		return ""
	}
	text := "the tests do not use the recording's " + words.Plural(len(rec.StateSnapshots), "snapshot") + " of the service's state: "
	if len(rec.StateFiles) > 0 {
		return text + "--restore-files lets each test replace " + strings.Join(rec.StateFiles, ", ") + " by a copy"
	}
	return text + "--state COMMAND restores the one in the folder " + model.SnapshotPlaceholder
}

// SnapshotUseOf returns which snapshots a reset restores before a test of a recording.
func SnapshotUseOf(r *model.Reset) generate.SnapshotUse {
	switch {
	case r == nil:
		return generate.NoSnapshot
	case r.Snapshots != "":
		return generate.NearestSnapshot
	case len(r.Command) > 0:
		return generate.OneSnapshot
	}
	return generate.NoSnapshot
}
