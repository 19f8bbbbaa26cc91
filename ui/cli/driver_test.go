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
	if err != nil || read.Service != nil || read.Driver == nil || len(read.Driver.Run.Command) != 4 || len(read.Code) == 0 {
		t.Errorf("%v, %+v", err, read.RunHeader)
	}
	exportsDriveService(t, "run1")
	if text := sonde(t, 0, "search", "--resume", "run1", "--calls", "300"); !strings.Contains(text, "of 43)") {
		t.Error(text)
	}
	if text := sonde(t, 0, "search", "--black", "--calls", "150", "-o", "black"); !strings.Contains(text, "of 43)") ||
		strings.Contains(fileOf(t, "black", "suite.json"), `"code"`) {
		t.Error(text)
	}
}

// exportsDriveService checks the exported tests of a run in both formats for Go: they start the driver, which starts
// and resets the service, and fail if the service computes other prices.
func exportsDriveService(t *testing.T, run string) {
	t.Helper()
	t.Setenv("SONDE_BASE_URL", "")
	for _, format := range []string{"go", "go-table"} {
		text := sonde(t, 0, "export", run, "--format", format, "-o", format)
		if !strings.Contains(text, `starts the driver of the service by "python3 -B driver.py {port}"`) {
			t.Errorf("%s: %s", format, text)
		}
		if text, err := goTest(format, "-count=2"); err != nil {
			t.Errorf("%s: %v\n%s", format, err, text)
		}
	}
	shop := fileOf(t, "shop.py")
	changed := strings.Replace(shop, "count * 3", "count * 4", 1)
	if err := os.WriteFile("shop.py", []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := goTest("go", "-count=1"); err == nil || changed == shop || !strings.Contains(text, `at "/price", got`) {
		t.Errorf("a changed service: %v\n%s", err, text)
	}
	if err := os.WriteFile("shop.py", []byte(shop), 0o600); err != nil {
		t.Fatal(err)
	}
	text := sonde(t, 0, "export", run, "--format", "hurl", "-o", "hurl")
	if !strings.Contains(text, "The service is not started by its driver, as --format go does: start the driver by") ||
		!strings.Contains(fileOf(t, "hurl", "sonde.hurl"), "# The service is not reset by its driver before each test, as") {
		t.Error(text)
	}
}

// goTest runs the exported Go tests in a folder.
func goTest(dir string, args ...string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return "", err
	}
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	c := exec.Command("go", append(append([]string{"test"}, args...), files...)...)
	c.Dir = dir
	text, err := c.CombinedOutput()
	return string(text), err
}

func fileOf(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
