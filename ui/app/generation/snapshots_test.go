package generation

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/replay/generate"
)

// The flags and the recording decide which snapshots the tests restore. If the tests restore none, a note says which
// flag is missing, or an error says why they cannot.
func TestChooseSnapshots(t *testing.T) {
	dir := t.TempDir()
	taken := []model.StateSnapshot{{Name: "0a1b2c-0", At: time.Now()}}
	app := &model.Service{Command: []string{"./x"}, Dir: filepath.Join(dir, "app")}
	byCommand := model.Recording{StateSnapshots: taken, SnapshotFolder: filepath.Join(dir, "rec", "snapshots"), Service: app}
	ofFiles := byCommand
	ofFiles.StateFiles = []string{filepath.Join(dir, "state", "shop.db")}
	ofApp, notStarted := ofFiles, ofFiles
	ofApp.StateFiles, notStarted.Service = []string{dir}, nil
	for name, c := range map[string]struct {
		rec        model.Recording
		options    Options
		use        generate.SnapshotUse
		says       string // text of the note or of the error
		isError    bool
		restarting bool
	}{
		"nothing":            {rec: model.Recording{Service: app}},
		"one snapshot":       {rec: byCommand, options: Options{State: "psql shop < all.sql"}, use: generate.OneSnapshot},
		"the nearest":        {rec: byCommand, options: Options{State: "psql shop < {snapshot}/all.sql"}, use: generate.NearestSnapshot},
		"files":              {rec: ofFiles, options: Options{Restore: true}, use: generate.NearestSnapshot, restarting: true},
		"unused, by command": {rec: byCommand, says: "--state COMMAND"},
		"unused, of files":   {rec: ofFiles, says: "--restore-files lets each test replace " + ofFiles.StateFiles[0]},
		"none recorded":      {options: Options{State: "cp {snapshot} x"}, says: "has no snapshots", isError: true},
		"both":               {rec: ofFiles, options: Options{State: "true", Restore: true}, says: "exclude each other", isError: true},
		"no files":           {rec: byCommand, options: Options{Restore: true}, says: "needs a recording with", isError: true},
		"not started":        {rec: notStarted, options: Options{Restore: true}, says: "start the service", isError: true},
		"too much":           {rec: ofApp, options: Options{Restore: true}, says: "has the folder", isError: true},
	} {
		rec, o := c.rec, c.options
		note, err := o.ChooseSnapshots(&rec)
		if err != nil {
			note = err.Error()
		}
		if (err != nil) != c.isError || !strings.Contains(note, c.says) || c.says == "" && note != "" || o.Choice.Snapshot != c.use {
			t.Errorf("%s: %v, note or error %q", name, o.Choice.Snapshot, note)
		}
		r := rec.Reset
		if (r != nil) != (c.use != generate.NoSnapshot) {
			t.Errorf("%s: reset %+v", name, r)
		}
		if r != nil && (r.Restart != c.restarting || (r.Snapshots != "") != (c.use == generate.NearestSnapshot)) {
			t.Errorf("%s: reset %+v", name, *r)
		}
	}
}

// Files outside the current folder are listed for a confirmation.
func TestReplacedFiles(t *testing.T) {
	here := t.TempDir()
	rec := model.Recording{StateFiles: []string{filepath.Join(here, "shop.db")}}
	o := Options{Restore: true}
	if got := o.ReplacedFiles(rec, here); got != nil {
		t.Errorf("a file in the folder: %q", got)
	}
	rec.StateFiles = append(rec.StateFiles, filepath.Join(t.TempDir(), "a\x1b.db"))
	got := strings.Join(o.ReplacedFiles(rec, here), "\n")
	if !strings.Contains(got, rec.StateFiles[0]) || !strings.Contains(got, ".db") || strings.Contains(got, "\x1b") {
		t.Errorf("got %q", got)
	}
	o.Restore = false
	if got := o.ReplacedFiles(rec, here); got != nil {
		t.Errorf("without --restore-files: %q", got)
	}
}
