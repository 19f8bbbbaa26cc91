package export_test

import (
	"strings"
	"testing"

	"sonde/export"
)

func runHurl(t *testing.T, dir, base string) (string, error) {
	t.Helper()
	return outcome(t, dir, nil, "hurl", "--test", "--no-color", "--variable", "base_url="+base, "sonde.hurl")
}

func TestHurlPasses(t *testing.T) {
	s := export.NewService(t)
	dir, _ := written(t, "hurl", export.Served())
	output, err := runHurl(t, dir, s.URL)
	if err != nil || !strings.Contains(output, "(100.0%)") {
		t.Errorf("%v, want a file that passes:\n%s\n%s", err, output, wrote(t, dir, "sonde.hurl"))
	}
	export.WantAsked(s, t)
}

func TestHurlSendsAllTexts(t *testing.T) {
	f := newFar(t)
	s := echoes(f.URL, 200)
	dir, made := written(t, "hurl", s)
	if output, err := runHurl(t, dir, f.URL); err != nil {
		t.Errorf("%v in\n%s", err, output)
	}
	wantArrived(t, f, s, made)
}
