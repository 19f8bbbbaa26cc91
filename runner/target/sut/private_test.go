//go:build unix

package sut

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"sonde/runner/target/redact"
)

// Only the user can read the log, whatever the umask is.
func TestLogIsPrivate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	path := filepath.Join(t.TempDir(), "run", "service.log")
	j, err := openLog(path, &redact.Matcher{}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer j.close()
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
}
