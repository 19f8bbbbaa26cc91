package export_test

import (
	"strings"
	"testing"

	"sonde/export"
)

// runNode runs a file like node --test, but in one process.
func runNode(t *testing.T, dir string, env ...string) (string, error) {
	t.Helper()
	return outcome(t, dir, env, "node", "--test-reporter=tap", "sonde.test.mjs")
}

func TestNodePasses(t *testing.T) {
	s := export.NewService(t)
	suite := export.Served()
	echo := &suite.Tests[len(suite.Tests)-1]
	_, made := written(t, "node", suite)
	if len(made.Tests) != 6 || len(made.Omissions) != 1 || !strings.Contains(made.Omissions[0], "segments of dots") {
		t.Errorf("got %v without %q, want the path that fetch resolves to be left out", made.Tests, made.Omissions)
	}
	for i, a := range echo.Calls[0].Args {
		if a.Value == ".." {
			echo.Calls[0].Args[i].Value = "%2E"
			echo.Checks[1].Equals = []byte(`"%2E"`)
		}
	}
	dir, _ := written(t, "node", suite)
	output, err := outcome(t, dir, []string{"SONDE_BASE_URL=" + s.URL + "/"}, "node", "--test", "--test-reporter=tap", "sonde.test.mjs")
	if err != nil || strings.Count(output, "\nok ") != 7 {
		t.Errorf("%v, want 7 tests that pass:\n%s", err, output)
	}
}

func TestNodeSendsAllTexts(t *testing.T) {
	f := newFar(t)
	s := echoes(f.URL, 200)
	dir, made := written(t, "node", s)
	if output, err := runNode(t, dir, "SONDE_BASE_URL="); err != nil {
		t.Errorf("%v in\n%s", err, output)
	}
	wantArrived(t, f, s, made)
}

func runK6(t *testing.T, dir string, env ...string) (string, error) {
	t.Helper()
	return outcome(t, dir, append(env, "K6_NO_USAGE_REPORT=true"), "k6", "run", "--quiet", "--no-color", "sonde.k6.js")
}

func TestK6Passes(t *testing.T) {
	s := export.NewService(t)
	dir, _ := written(t, "k6", export.Served())
	output, err := runK6(t, dir, "SONDE_BASE_URL="+s.URL+"/")
	if err != nil || !strings.Contains(output, "100.00% 7 out of 7") {
		t.Errorf("%v, want 7 tests that pass:\n%s", err, output)
	}
	export.WantAsked(s, t)
}

func TestK6SendsAllTexts(t *testing.T) {
	f := newFar(t)
	s := echoes(f.URL, 200)
	dir, made := written(t, "k6", s)
	if output, err := runK6(t, dir, "SONDE_BASE_URL="); err != nil {
		t.Errorf("%v in\n%s", err, output)
	}
	wantArrived(t, f, s, made)
}
