//go:build linux || darwin || freebsd

package probedata

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Where there is no room for the file it is made in the next folder; where there is
// none at all, one line says so, and nothing is left behind.
func TestNoRoom(t *testing.T) {
	m, dir := &Manifest{Preds: 1000, Hits: 2 * room}, t.TempDir()
	mem, err := newMemory(m, []string{filepath.Join(dir, "none"), dir})
	if err != nil || filepath.Dir(mem.path) != dir {
		t.Fatalf("got %v, %v", mem, err)
	}
	if err := mem.Close(); err != nil {
		t.Error(err)
	}
	full(t)
	mem, err = newMemory(m, []string{dir, dir})
	if err == nil || !strings.Contains(err.Error(), "the probes' file of ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, %v", mem, err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// room is how long a file may become where there is no room: long enough for what
// the test's own machinery writes meanwhile.
const room = 16 << 20

// full lets no file become longer than that until the test ends.
func full(t *testing.T) {
	t.Helper()
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Skip(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	less := was
	less.Cur = room
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &less); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
			t.Error(err)
		}
		signal.Reset(syscall.SIGXFSZ)
	})
}
