package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sonde/model/codec"
)

// pythonShop returns a folder with a copy of the driver that docs/driver.md shows.
func pythonShop(t *testing.T) string {
	t.Helper()
	if err := exec.Command("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))").Run(); err != nil {
		t.Skip("no Python 3.10 or later: the driver of docs/driver.md is not tried")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../docs/driver")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sonde runs a command with the expected exit code and returns its output.
func sonde(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main(args, strings.NewReader(""), &out, &errs); code != want {
		t.Fatalf("%q: exit code %d, want %d: %s%s", args, code, want, &out, &errs)
	}
	return out.String() + errs.String()
}

// A search with the driver of docs/driver.md starts the service and reads its coverage. A second search finds the
// same, and so does a search with two copies of the service.
func TestPythonDriver(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs other programs: left out by -short")
	}
	t.Chdir(pythonShop(t))
	if text := sonde(t, 0, "check", "--sut"); !strings.Contains(text, "answers, shop, Python") ||
		!strings.Contains(text, "43 known, 43 of them for statements") {
		t.Error(text)
	}
	for _, workers := range []string{"1", "2"} {
		run, again := "run"+workers, "again"+workers
		text := sonde(t, 0, "search", "--calls", "250", "--workers", workers, "-o", run)
		if !regexp.MustCompile(`source +(9[0-9]|100)\.[0-9]% of statements \(4[0-9] of 43\)`).MatchString(text) ||
			strings.Contains(text, "warning") {
			t.Error(text)
		}
		if text := sonde(t, 0, "search", "--replay", run, "-o", again); !strings.Contains(text, "the same tests as in "+run) {
			t.Error(text)
		}
		for _, name := range []string{"code.json", "cover.out"} {
			if first, second := fileOf(t, run, name), fileOf(t, again, name); first != second {
				t.Errorf("%s:\n%s\nthen\n%s", name, first, second)
			}
		}
	}
	if profile := fileOf(t, "run1", "cover.out"); !strings.Contains(profile, "./shop.py:19.1,") {
		t.Error(profile)
	}
	read, err := codec.OpenRun("run1")
	if err != nil || read.Service != nil || len(read.Code) == 0 {
		t.Errorf("%v, %+v", err, read.RunHeader)
	}
	if text := sonde(t, 0, "search", "--resume", "run1", "--calls", "300"); !strings.Contains(text, "of 43)") {
		t.Error(text)
	}
	if text := sonde(t, 0, "search", "--black", "--calls", "150", "-o", "black"); !strings.Contains(text, "of 43)") ||
		strings.Contains(fileOf(t, "black", "suite.json"), `"code"`) {
		t.Error(text)
	}
}

func fileOf(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
