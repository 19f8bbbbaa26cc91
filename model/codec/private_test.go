//go:build unix

package codec_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/codec"
)

// TestFilesArePrivate checks that only the user can read runs and recordings, for any umask, and that the
// mode of an existing folder is not changed.
func TestFilesArePrivate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	writers := map[string]func(t *testing.T, dir string){
		"run": func(t *testing.T, dir string) {
			w, err := codec.CreateRun(dir, codec.RunHeader{}, true)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			w, err = codec.ResumeRun(dir, model.Limits{}, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"recording": func(t *testing.T, dir string) {
			r, err := codec.CreateRecording(dir, recordHeader(), true)
			if err != nil {
				t.Fatal(err)
			}
			body := []byte(strings.Repeat("large ", 10_000))
			x := model.Exchange{Reply: model.Reply{Status: 200, Body: body}, Took: time.Second}
			err = r.WriteServed(model.ServedRequest{Exchange: x})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, write := range writers {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "new")
			write(t, dir)
			modes(t, dir, 0o700)
			open := t.TempDir()
			if err := os.Chmod(open, 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, open)
			loosen(t, open)
			write(t, open)
			modes(t, open, 0o755)
		})
	}
}

// modes checks that a folder has the mode top, and that only the owner may use the files and folders below it.
func modes(t *testing.T, dir string, top fs.FileMode) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		switch {
		case path == dir:
			want = top
		case d.IsDir():
			want = 0o700
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// loosen sets the modes of files to those that older versions used.
func loosen(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Type().IsRegular() && e.Name() != ".lock" {
			if err := os.Chmod(filepath.Join(dir, e.Name()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
