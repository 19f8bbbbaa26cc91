package export

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestWriteMakesTheFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	path, err := WriteGoFile(dir, shop(), false)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "sonde_test.go"); path != want {
		t.Errorf("got path %s, want %s", path, want)
	}
	got, _ := os.ReadFile(path)
	if want, _ := GoFile(shop()); string(got) != string(want) {
		t.Errorf("the file is not what Go writes:\n%s", got)
	}
	wantOnly(t, dir, TestsFileName)
}

func TestWriteOverwritesOnlyByForce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, TestsFileName)
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := WriteGoFile(dir, shop(), false)
	if !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "--force") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got error %v, want fs.ErrExist that says --force", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "mine" {
		t.Errorf("the file was changed: %s", got)
	}
	if _, err := WriteGoFile(dir, shop(), true); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) == "mine" {
		t.Error("the file was not replaced by force")
	}
	wantOnly(t, dir, TestsFileName)
}

func TestWriteDoesNotFollowALink(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("elsewhere", filepath.Join(dir, TestsFileName)); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if _, err := WriteGoFile(dir, shop(), false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got error %v, want fs.ErrExist", err)
	}
	wantOnly(t, dir, TestsFileName)
}

func TestWriteNothingIfItCannot(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if _, err := WriteGoFile(dir, Suite{}, false); !errors.Is(err, ErrEmpty) {
		t.Errorf("an empty suite: got error %v, want %v", err, ErrEmpty)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty suite made a folder: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteGoFile(file, shop(), false); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a file for a folder: got error %v, want one line", err)
	}
	dir = t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, TestsFileName, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteGoFile(dir, shop(), true); err == nil {
		t.Error("a folder was replaced by force")
	}
	wantOnly(t, dir, TestsFileName)
}

func TestOneOfManyWritersWins(t *testing.T) {
	dir := t.TempDir()
	var won atomic.Int32
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if _, err := WriteGoFile(dir, shop(), false); err == nil {
				won.Add(1)
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if won.Load() != 1 {
		t.Errorf("%d writers were told that they wrote the file, want 1", won.Load())
	}
	wantOnly(t, dir, TestsFileName)
}

// wantOnly fails if the folder has files other than names.
func wantOnly(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("in the folder: got %v, want %v", got, names)
	}
}

// Linking a missing file fails, as linking does on a file system without links.
func TestMoveNewWithoutLinks(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	if err := moveNew(from, to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("to a free name: got error %v, want fs.ErrNotExist", err)
	}
	if err := os.WriteFile(to, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := moveNew(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("to a taken name: got error %v, want fs.ErrExist", err)
	}
}
