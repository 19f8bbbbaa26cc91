//go:build !windows

package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/ui/app/generation"
)

// languageRuns has, for each format, the command that runs the generated tests, and a command that succeeds if
// everything that the tests need is installed.
var languageRuns = map[string]struct {
	command, needs []string
	passed         *regexp.Regexp // matches the number of tests that pass
}{
	"pytest": {
		command: []string{"python3", "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_sonde.py"},
		needs:   []string{"python3", "-c", "import pytest, requests"},
		passed:  regexp.MustCompile(`(?m)^(\d+) passed in`),
	},
	"node": {
		command: []string{"node", "--test", "--test-reporter=tap", "sonde.test.mjs"},
		needs:   []string{"node", "--version"},
		passed:  regexp.MustCompile(`(?m)^# pass (\d+)`),
	},
}

// generatedIn generates tests of a recording in a format. It returns the folder of the tests, the report and what the
// command writes to standard error.
func generatedIn(t *testing.T, rec, format string) (string, generation.Report, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tests")
	c := bounded(t, program(t), "generate", rec, "-o", dir, "--runs", "2", "--yes", "--json", "--format", format)
	var problems strings.Builder
	c.Stderr = &problems
	out, _ := c.Output()
	var report generation.Report
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v: %s%s", err, out, problems.String())
	}
	return dir, report, problems.String()
}

// wantInLanguage runs generated tests with the tool of their language, and checks that n pass.
func wantInLanguage(t *testing.T, format, dir string, n int) {
	t.Helper()
	run := languageRuns[format]
	if err := exec.Command(run.needs[0], run.needs[1:]...).Run(); err != nil {
		t.Skipf("%s is not here: the generated tests are not run: %v", format, err)
	}
	c := bounded(t, run.command[0], run.command[1:]...)
	c.Dir, c.Env = dir, append(os.Environ(), "SONDE_BASE_URL=")
	out, err := c.CombinedOutput()
	if m := run.passed.FindSubmatch(out); err != nil || m == nil || string(m[1]) != fmt.Sprint(n) {
		t.Errorf("%v, want %d tests that pass:\n%s", err, n, out)
	}
}

// Generated tests in other languages start the service and play its hosts. The service calls these hosts when it
// starts, by a timer, or for a request. Each test has the same name in the report and in the files.
func TestGenerateFormats(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and starts services")
	}
	for _, s := range backgroundServices[:2] {
		if s.timer && !fullForm() {
			continue // TestBackground covers it
		}
		all := []string{"pytest", "node", "junit5"}
		t.Run(s.name+"/proxies", func(t *testing.T) { s.wantFormats(t, s.recordedByProxies(t), all...) })
		t.Run(s.name+"/built in", func(t *testing.T) {
			args := []string{"--config", filepath.Join(backgroundFolder(t, s.name), "sonde.yaml"), "--net"}
			for i, url := range s.start(t) {
				args = append(args, "--out", s.names[i]+"="+url)
			}
			if !fullForm() {
				all = all[:1] // each test compiles the service
			}
			s.wantFormats(t, recording(t, args...), all...)
		})
	}
}

// wantFormats sends requests through the recorder, ends the recording, generates tests in each format and runs them.
func (s backgroundService) wantFormats(t *testing.T, r *recorder, formats ...string) {
	t.Helper()
	s.visit(t, r.in)
	time.Sleep(300 * time.Millisecond)
	r.ended(t, 0)
	for _, format := range formats {
		t.Run(format, func(t *testing.T) {
			dir, report, _ := generatedIn(t, r.folder, format)
			text, err := os.ReadFile(report.Files[0])
			if err != nil || filepath.Dir(report.Files[0]) != dir {
				t.Fatalf("got the files %q, %v", report.Files, err)
			}
			n := 0
			for _, test := range report.Tests {
				for _, x := range test.Results {
					n++
					if !regexp.MustCompile(`\b` + x.Function + `\b`).Match(text) {
						t.Errorf("%s is not in the file", x.Function)
					}
				}
			}
			if n < s.want || len(report.LeftOut) > 0 {
				t.Fatalf("%d tests, left out %v", n, report.LeftOut)
			}
			if format != "junit5" { // package export runs such tests
				wantInLanguage(t, format, dir, n)
			}
		})
	}
}

// If the hosts of a test cannot be played, the files leave out the test. The report has the reason, and the name that
// the test would have in the file.
func TestGenerateFormatsLeaveOut(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and starts services")
	}
	i := slices.IndexFunc(backgroundServices, func(s backgroundService) bool { return s.name == "pooled" })
	s := backgroundServices[i]
	r := s.recordedByProxies(t)
	s.visit(t, r.in)
	time.Sleep(300 * time.Millisecond)
	r.ended(t, 0)
	_, report, problems := generatedIn(t, r.folder, "pytest")
	if len(report.LeftOut) < s.want || len(report.Files) != 0 || !strings.Contains(problems, "no test is written: only Go tests play TCP") {
		t.Errorf("wrote %q, left out %v, said %q", report.Files, report.LeftOut, problems)
	}
	for _, o := range report.LeftOut {
		if !strings.HasPrefix(o.Name, "test_") || !strings.Contains(o.Why, "127.0.0.1:") {
			t.Errorf("left out %+v, want the name in a file and the host", o)
		}
	}
}
