package recording

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/replay/record"
	"sonde/ui/app/service"
)

// put writes files into a folder. The key of a file is its path in the folder.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o640)); err != nil {
			t.Fatal(err)
		}
	}
}

// below returns the files below a folder, each as PATH=CONTENT, in order.
func below(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all = append(all, filepath.ToSlash(name)+"="+string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// A snapshot has a folder for each file or folder with the service's state. The files that belong to a database of SQLite are
// copied with it, and permissions are kept.
func TestCopyFiles(t *testing.T) {
	dir, snapshot := t.TempDir(), t.TempDir()
	put(t, dir, map[string]string{
		"shop.db": "pages", "shop.db-wal": "newer pages", "shop.db-shm": "index", "shop.dba": "other",
		"photos/a": "1", "photos/2026/b": "2", "photos-journal": "other",
	})
	files := []string{filepath.Join(dir, "shop.db"), filepath.Join(dir, "photos")}
	if err := copyFiles(t.Context(), snapshot, files); err != nil {
		t.Fatal(err)
	}
	want := []string{"0/shop.db-wal=newer pages", "0/shop.db=pages", "1/photos/2026/b=2", "1/photos/a=1"}
	if got := below(t, snapshot); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	info, err := os.Stat(filepath.Join(snapshot, "1", "photos", "a"))
	if err != nil || info.Mode().Perm()&0o077 != 0o040 {
		t.Errorf("permissions %v, %v", info.Mode(), err)
	}
	// The database is closed before its second copy, which therefore has no log.
	if err := os.Remove(filepath.Join(dir, "shop.db-wal")); err != nil {
		t.Fatal(err)
	}
	if err := copyDatabase(t.Context(), filepath.Join(snapshot, "0"), files[0]); err != nil {
		t.Fatal(err)
	}
	if got := below(t, filepath.Join(snapshot, "0")); !slices.Equal(got, []string{"shop.db=pages"}) {
		t.Errorf("without a log: %q", got)
	}
}

// If a file is missing, if a folder contains a symbolic link, or if the copy is cancelled, the error names the file.
func TestCopyFilesFails(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"linked/a": "1"})
	if err := os.Symlink("a", filepath.Join(dir, "linked", "b")); err != nil {
		t.Skip(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		file string
		want string
	}{
		"missing":   {t.Context(), "none.db", "no such file"},
		"linked":    {t.Context(), "linked", "neither a file nor a folder"},
		"cancelled": {cancelled, "linked/a", "canceled"},
	} {
		err := copyFiles(c.ctx, t.TempDir(), []string{filepath.Join(dir, c.file)})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.file) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A snapshot is taken by a command or of files, not both. The files must not contain the folder of the recording, or
// that of the service.
func TestCheckSnapshots(t *testing.T) {
	dir := t.TempDir()
	started := service.Service{StartCommand: &model.Service{Command: []string{"./x"}, Dir: filepath.Join(dir, "app")}}
	for name, c := range map[string]struct {
		snapshots Snapshots
		want      string
	}{
		"none":            {Snapshots{Every: 10}, ""},
		"a command":       {Snapshots{Command: "cp x {snapshot}", Every: 1}, ""},
		"a file":          {Snapshots{Files: []string{"shop.db"}, Every: 1}, ""},
		"both":            {Snapshots{Command: "cp x {snapshot}", Files: []string{"a"}, Every: 1}, "exclude each other"},
		"no placeholder":  {Snapshots{Command: "cp x y", Every: 1}, "does not name {snapshot}"},
		"never":           {Snapshots{Files: []string{"a"}}, "--snapshot-every is 0"},
		"the recording's": {Snapshots{Files: []string{filepath.Join(dir, "rec")}, Every: 1}, "replace that"},
		"the service's":   {Snapshots{Files: []string{"."}, Every: 1}, "replace that"},
	} {
		o := Options{Snapshots: c.snapshots, Folder: filepath.Join(dir, "rec", "new"), Service: started}
		err := o.CheckSnapshots()
		if (c.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	o := Options{Snapshots: Snapshots{Files: []string{"shop.db"}}, Service: started}
	if got := o.stateFiles(); len(got) != 1 || filepath.Base(filepath.Dir(got[0])) != "app" || !filepath.IsAbs(got[0]) {
		t.Errorf("a relative file is %q", got)
	}
}

// A command writes a snapshot into a folder of the recording. A snapshot that fails, or that is empty, leaves no folder.
func TestTakeSnapshots(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("the commands are those of a Unix shell")
	}
	rec, err := codec.CreateRecording(filepath.Join(t.TempDir(), "rec"), codec.RecordingHeader{Title: "A"}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	for i, c := range []struct{ command, want string }{
		{`echo "$PORT {port}" > "{snapshot}/all"`, ""},
		{`: "{snapshot}"`, "wrote nothing"},
		{`echo broken >&2; echo x > "{snapshot}/all"; exit 3`, "broken"},
	} {
		f := Options{Snapshots: Snapshots{Command: c.command, Every: 7}, baseURL: "http://127.0.0.1:8080"}
		f.Service.StartCommand = &model.Service{Command: []string{"./x"}}
		var o record.Options
		f.TakeSnapshots(&o, rec)
		name := fmt.Sprint("0a1b2c-", i)
		err := o.TakeSnapshot(t.Context(), name)
		folder, _ := rec.CreateSnapshot(name) // for its path
		got := below(t, folder)
		if c.want == "" && (err != nil || o.SnapshotEvery != 7 || !slices.Equal(got, []string{"all=8080 8080\n"})) ||
			c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || len(got) > 0) {
			t.Errorf("%s: %v, files %q", c.command, err, got)
		}
	}
}
