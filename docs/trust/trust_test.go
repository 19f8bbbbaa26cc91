package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tools is the folder into which runner/testdata/languages/install installs the dependencies of services in
// other languages.
var tools = os.Getenv("SONDE_LANGUAGES")

// On services in Python, Node and Java, a search reports only planted faults, and exported suites pass twice in a
// row. Suites in Go are exported with and without reset, suites in other formats only with one of the two. This is
// a short form of the campaign in docs/benchmarks.md.
func TestLanguages(t *testing.T) {
	if tools == "" {
		t.Skip("SONDE_LANGUAGES names no folder: services in Python, Node and Java are not searched; " +
			"runner/testdata/languages/install makes one")
	}
	t.Chdir("../..")
	sonde := sondeProgram(t)
	for mode, formats := range map[string][]string{withReset: {"go", "node", "hurl"}, withoutReset: {"go", "pytest"}} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			playCampaign(t, sonde, options{
				tools: tools, modes: []string{mode}, formats: formats, seeds: 1, calls: 500, plays: 2,
				files: []string{"runner/testdata/languages/services.yaml"},
			})
		})
	}
}

// playCampaign makes a campaign. It fails the test in these cases:
//   - A fault was found that was not planted.
//   - A suite does not pass.
//   - No test was kept.
//   - For a service, no planted fault was found with three seeds.
func playCampaign(t *testing.T, sonde string, o options) {
	t.Helper()
	var log bytes.Buffer
	dir := t.TempDir()
	results, err := campaign(t.Context(), o, sonde, dir, &log)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		for _, p := range r.plays {
			if p.failed > 0 {
				t.Errorf("%s: the %s suite fails %d of %d times", r.service, p.format, p.failed, p.passed+p.failed)
			}
		}
		for _, seed := range []int{2, 3} {
			if len(r.planted) > 0 {
				break
			}
			// With another seed, a short search may find what it misses with the first.
			r = searchAgain(t, sonde, o, r.service, seed, dir, &log)
			results = append(results, r)
		}
		if len(r.planted) == 0 {
			t.Errorf("no planted fault of %s was found with three seeds", r.service)
		}
	}
	t.Log(log.String())
	logFailures(t, dir)
	for _, r := range results {
		for _, f := range r.other {
			t.Errorf("%s: reports %s %s %s, which was not planted: %s", r.service, f.Severity, f.Op, f.Oracle, f.Text)
		}
		if r.tests == 0 {
			t.Errorf("%s: no test is kept", r.service)
		}
	}
}

// searchAgain searches a service of a campaign with another seed, and plays no suites.
func searchAgain(t *testing.T, sonde string, o options, name string, seed int, dir string, log io.Writer) result {
	t.Helper()
	o.formats = nil
	services, err := readServices(o.files[0], o.tools)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(services, func(s service) bool { return s.Name == name })
	r, err := o.newTrial(services[i], o.modes[0], seed, sonde, dir, log).run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// logFailures logs the ends of the outputs of suites that failed. The folder of the campaign is removed after the test.
func logFailures(t *testing.T, dir string) {
	t.Helper()
	const most = 4000 // bytes
	files, err := filepath.Glob(filepath.Join(dir, "*", "*-failed-*.log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s:\n%s", filepath.Base(name), text[max(0, len(text)-most):])
	}
}

func sondeProgram(t *testing.T) string {
	t.Helper()
	o := t.TempDir() + "/sonde"
	if text, err := goBuild(t.Context(), o); err != nil {
		t.Fatalf("go build: %v: %s", err, text)
	}
	return o
}

func TestReadServices(t *testing.T) {
	all, err := readServices("../../runner/testdata/languages/services.yaml", "somewhere")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
		if len(s.Planted) != 3 {
			t.Errorf("%s has %d planted faults, not 3", s.Name, len(s.Planted))
		}
	}
	if got := strings.Join(names, " "); got != "fastapi express spring" {
		t.Errorf("services are %q", got)
	}
}
