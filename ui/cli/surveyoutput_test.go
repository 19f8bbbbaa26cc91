package cli_test

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

// -o never replaces anything but a regular file. /dev/null, for example, is not replaced.
func TestSurveyReplacesOnlyFiles(t *testing.T) {
	folder := t.TempDir()
	file, device := filepath.Join(folder, "a.yaml"), filepath.Join(folder, "s")
	if err := os.WriteFile(file, []byte("swagger: '2.0'\npaths: {/a: {get: {}}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", device)
	if err != nil {
		t.Skipf("no socket to use as a device: %v", err)
	}
	defer l.Close()
	code, _, errs := run(t, "survey", file, "-o", device)
	if info, err := os.Lstat(device); code != 2 || err != nil || info.Mode().IsRegular() {
		t.Errorf("got exit code %d and %q, and the socket is %v, %v", code, errs, info, err)
	}
}
