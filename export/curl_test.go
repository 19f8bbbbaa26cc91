package export_test

import (
	"strings"
	"testing"

	"sonde/export"
)

func runCurl(t *testing.T, dir string, env []string, tests ...string) (string, error) {
	t.Helper()
	runner(t, "curl")
	runner(t, "jq")
	return outcome(t, dir, env, "sh", append([]string{"sonde.sh"}, tests...)...)
}

func TestCurlScriptPasses(t *testing.T) {
	s := export.NewService(t)
	dir, _ := written(t, "curl", export.Served())
	output, err := runCurl(t, dir, []string{"SONDE_BASE_URL=" + s.URL + "/"})
	if err != nil || strings.Count(output, "\nok ") != 7 {
		t.Errorf("%v, want 7 tests that pass:\n%s", err, output)
	}
	export.WantAsked(s, t)
}

func TestCurlScriptSendsAllTexts(t *testing.T) {
	f := newFar(t)
	s := echoes(f.URL, 100)
	dir, made := written(t, "curl", s)
	if output, err := runCurl(t, dir, []string{"SONDE_BASE_URL="}); err != nil {
		t.Errorf("%v in\n%s", err, output)
	}
	wantArrived(t, f, s, made)
}
