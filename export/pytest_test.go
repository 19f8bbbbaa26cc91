package export_test

import (
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"sonde/export"
)

// pytestError is the error of Python if pytest and requests are not installed.
var pytestError = sync.OnceValue(func() error {
	python, err := findRunner("python3")
	if err != nil {
		return err
	}
	if output, err := exec.Command(python, "-c", "import pytest, requests").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, output)
	}
	return nil
})

// runPytest runs a file with pytest.
func runPytest(t *testing.T, dir string, env ...string) (string, error) {
	t.Helper()
	export.LeaveOutIfShort(t)
	if err := pytestError(); err != nil {
		t.Skipf("pytest and requests are not here: what is exported for them is not run: %v", err)
	}
	return outcome(t, dir, env, "python3", "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_sonde.py")
}

func TestPytestPasses(t *testing.T) {
	s := export.NewService(t)
	dir, _ := written(t, "pytest", export.Served())
	output, err := runPytest(t, dir, "SONDE_BASE_URL="+s.URL+"/")
	if err != nil || !strings.Contains(output, "6 passed") {
		t.Errorf("%v, want 6 tests that pass:\n%s", err, output)
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
