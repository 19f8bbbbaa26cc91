package export_test

import (
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"sonde/export"
)

// pythonWithPytest returns the path of the Python executable, or an error if pytest or requests is not
// installed. The program in PATH may be a script that selects a version of Python, which starts more
// slowly.
var pythonWithPytest = sync.OnceValues(func() (string, error) {
	python, err := findRunner("python3")
	if err != nil {
		return "", err
	}
	output, err := exec.Command(python, "-c", "import pytest, requests, sys; print(sys.executable)").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, output)
	}
	return strings.TrimSpace(string(output)), nil
})

// runPytest runs the tests in a folder with pytest.
func runPytest(t *testing.T, dir string, env ...string) (string, error) {
	t.Helper()
	return runPytestFile(t, dir, env, "-q", "test_sonde.py")
}

// runPytestFile runs pytest with an option on a file in a folder.
func runPytestFile(t *testing.T, dir string, env []string, option, file string) (string, error) {
	t.Helper()
	export.LeaveOutIfShort(t)
	python, err := pythonWithPytest()
	if err != nil {
		t.Skipf("pytest and requests are not here: what is exported for them is not run: %v", err)
	}
	return outcome(t, dir, env, python, "-B", "-m", "pytest", option, "-p", "no:cacheprovider", file)
}

func TestPytestPasses(t *testing.T) {
	s := export.NewService(t)
	dir, _ := written(t, "pytest", export.Served())
	output, err := runPytest(t, dir, "SONDE_BASE_URL="+s.URL+"/")
	if err != nil || !strings.Contains(output, "7 passed") {
		t.Errorf("%v, want 7 tests that pass:\n%s", err, output)
	}
	export.WantAsked(s, t)
}

func TestPytestSendsAllTexts(t *testing.T) {
	f := newFar(t)
	s := echoes(f.URL, 200)
	dir, made := written(t, "pytest", s)
	if output, err := runPytest(t, dir, "SONDE_BASE_URL="); err != nil {
		t.Errorf("%v in\n%s", err, output)
	}
	wantArrived(t, f, s, made)
}
