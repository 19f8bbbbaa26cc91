package export_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sonde/export"
	"sonde/export/format"
)

func runHTTPFile(t *testing.T, dir, base string) (string, error) {
	return sendAll(t, dir, "sonde.http", base)
}

func runBruno(t *testing.T, dir, base string) (string, error) {
	return bruRun(t, filepath.Join(dir, "sonde_bruno"), base, nil)
}

// baseLine matches the line of a .http file with the URL of the service.
var baseLine = regexp.MustCompile(`(?m)^@base_url = .*$`)

// sendAll sends the requests of a .http file to a service. variables are pairs NAME=VALUE.
func sendAll(t *testing.T, dir, name, base string, variables ...string) (string, error) {
	t.Helper()
	path := filepath.Join(dir, name)
	text := baseLine.ReplaceAllString(readFile(t, dir, name), "@base_url = "+base)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"send", "--all", "--no-color", "-o", "short", name}
	if len(variables) > 0 {
		args = append(append(args, "--var"), variables...)
	}
	return outcome(t, dir, nil, "httpyac", args...)
}

// bruRun sends the requests of a collection of Bruno to a service.
func bruRun(t *testing.T, dir, base string, env []string) (string, error) {
	t.Helper()
	return outcome(t, dir, env, "bru", "run", "-r", "--disable-cookies", "--noproxy", "--env-var", "base_url="+base)
}

func TestHTTPFilePasses(t *testing.T) {
	s := export.NewService(t)
	dir, made := written(t, "http", export.Served())
	left := strings.Join(made.Omissions, "\n")
	if len(made.Tests) != 5 || !strings.Contains(left, "PostEcho_200, because its body is not UTF-8") || !strings.Contains(left, "XML") {
		t.Errorf("got %v without %q, want a body that is not UTF-8 and XML to be left out", made.Tests, made.Omissions)
	}
	output, err := runHTTPFile(t, dir, s.URL)
	if err != nil || strings.Count(output, "✓") != 21 {
		t.Errorf("%v, want 21 assertions that hold:\n%s", err, output)
	}
}

func TestBrunoPasses(t *testing.T) {
	s := export.NewService(t)
	dir, made := written(t, "bruno", export.Served())
	if len(made.Tests) != 6 || !strings.Contains(strings.Join(made.Omissions, "\n"), "PostEcho_200, because its body is not UTF-8") {
		t.Errorf("got %v without %q, want the body that is not UTF-8 to be left out", made.Tests, made.Omissions)
	}
	output, err := runBruno(t, dir, s.URL)
	if err != nil || strings.Count(output, "✓") < 32 {
		t.Errorf("%v, want 32 assertions that hold:\n%s", err, output)
	}
}

func TestRequestFilesSendAllTexts(t *testing.T) {
	for _, name := range []string{"http", "bruno"} {
		t.Run(name, func(t *testing.T) {
			f := newFar(t)
			s := echoes(f.URL, 200)
			dir, made := written(t, name, s)
			if output, err := playIn[name](t, dir, f.URL); err != nil {
				t.Errorf("%v in\n%s", err, output)
			}
			wantArrived(t, f, s, made)
		})
	}
}

// A file of a request that a test no longer has is removed by an update; a file of the user stays.
func TestBrunoHasNoStaleFiles(t *testing.T) {
	suite := severalCalls()
	dir, made := written(t, "bruno", suite)
	folder := filepath.Dir(filepath.Join(dir, made.Files[2].Name))
	for _, name := range []string{"99-GET-old.bru", "mine.bru"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("meta {\n}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := format.Named("bruno")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Write(dir, suite, false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "99-GET-old.bru")); !os.IsNotExist(err) {
		t.Errorf("got %v for the file of a request that is no longer in the test, want it to be removed", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "mine.bru")); err != nil {
		t.Errorf("got %v for the file of the user", err)
	}
}
