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

// If a folder has no room for the file, the file is created in the next folder. If no folder has room, there is
// an error of one line, and no file remains.
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

// room is the maximum size of a file, in bytes, after a call of full. It suffices for the files that the test program
// writes at the same time.
const room = 16 << 20

// full limits the size of files to room bytes until the test ends.
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
