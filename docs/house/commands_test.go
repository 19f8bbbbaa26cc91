package main

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// goTest matches a command with go test.
	goTest = regexp.MustCompile("\\bgo test [^\n`]*")
	// pattern matches a flag of go test with a pattern of names.
	pattern = regexp.MustCompile(`-(run|bench|fuzz)[ =]+('[^']*'|"[^"]*"|[^\s'"]+)`)
	// testedPackage matches a package of go test.
	testedPackage = regexp.MustCompile(`\s\./\S+`)
	// testName matches the name of a test between backquotes. It does not match the names of exported tests, which
	// contain statuses.
	testName = regexp.MustCompile("`(Test[A-Z][A-Za-z]*)(?: -campaigns)?`")
	// testFunc matches the declaration of a test, a benchmark or a fuzz test.
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w+)\(`)
)

// TestPagesNameExistingTests checks the names of tests, and the patterns of go test, in the documentation.
func TestPagesNameExistingTests(t *testing.T) {
	root := filepath.Join("..", "..")
	tests := testsByPackage(t, root)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, page := range append(pages, filepath.Join(root, "CONTRIBUTING.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testName.FindAllStringSubmatch(string(text), -1) {
			checked++
			if !slices.Contains(slices.Concat(slices.Collect(maps.Values(tests))...), m[1]) {
				t.Errorf("%s: there is no %s", filepath.Base(page), m[1])
			}
		}
		for _, command := range goTest.FindAllString(string(text), -1) {
			checked++
			for _, p := range unmatched(tests, command) {
				t.Errorf("%s: %s: nothing is called %s", filepath.Base(page), command, p)
			}
		}
	}
	if checked < 150 {
		t.Errorf("checked %d names and commands, want at least 150", checked)
	}
}

func TestUnmatchedPatterns(t *testing.T) {
	tests := map[string][]string{"a": {"TestOne", "BenchmarkOne"}, "a/b": {"TestTwo", "FuzzTwo"}}
	for command, want := range map[string]string{
		"go test ./a -run One":               "",
		"go test ./a -run Two":               "Two",
		"go test ./a/... -run 'Two|Three'":   "Three",
		"go test ./... -run '^TestTwo$/sub'": "",
		"go test ./a -run '^$' -bench One":   "",
		"go test ./a/b -bench One":           "One",
		"go test ./a -run '^$' -fuzz Two":    "Two",
		"go test ./a -bench . -benchtime 1x": "",
		"go test -short -count=1 ./a":        "",
		`go test ./a -run "One|Two" ./a/b`:   "",
	} {
		if got := strings.Join(unmatched(tests, command), " "); got != want {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
}

// testsByPackage returns the names of tests, benchmarks and fuzz tests by the folder of their package.
func testsByPackage(t *testing.T, root string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	err := filepath.WalkDir(root, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(file))
		for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
			all[filepath.ToSlash(folder)] = append(all[filepath.ToSlash(folder)], m[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// unmatched returns the names in a go test command, such as those of -run, that match no test of the packages
// in the command.
func unmatched(tests map[string][]string, command string) (all []string) {
	names := namesIn(tests, testedPackage.FindAllString(command, -1))
	for _, m := range pattern.FindAllStringSubmatch(command, -1) {
		kind := map[string]string{"run": "Test", "bench": "Benchmark", "fuzz": "Fuzz"}[m[1]]
		top, _, _ := strings.Cut(strings.Trim(m[2], `'"`), "/")
		for p := range strings.SplitSeq(top, "|") {
			matches := func(name string) bool {
				return strings.HasPrefix(name, kind) && regexp.MustCompile(p).MatchString(name)
			}
			if p != "^$" && p != "." && !slices.ContainsFunc(names, matches) {
				all = append(all, p)
			}
		}
	}
	return all
}

// namesIn returns the names of the tests in packages. If packages is empty, it returns those of all packages.
func namesIn(tests map[string][]string, packages []string) (all []string) {
	for folder, names := range tests {
		isOne := func(p string) bool {
			p = path.Clean(strings.TrimSpace(p))
			tree, isTree := strings.CutSuffix(p, "...")
			return p == folder || isTree && (tree == "" || strings.HasPrefix(folder+"/", tree))
		}
		if len(packages) == 0 || slices.ContainsFunc(packages, isOne) {
			all = append(all, names...)
		}
	}
	return all
}
