package unittests

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/assets/probe/sondevalue"
)

// maxRounds is the number of times that a file is built again without the tests that do not compile, or that end the
// process.
const maxRounds = 25

// outcome is what a test has reported in one run: what was got, by the labels of failed checks.
type outcome map[string]string

// try runs the tests several times. A check whose value differs from run to run is loosened. A test that fails all the
// same, or ends the process, is left out.
func (g *packageGenerator) try(ctx context.Context, all []*sondevalue.Invocation) error {
	dir, err := os.MkdirTemp("", "sonde-units-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "units.test")
	for range maxRounds {
		if len(g.tests) == 0 {
			return nil
		}
		broken, err := g.compile(ctx, binary)
		if err != nil {
			return err
		}
		failures := map[string][]outcome{} // by test
		for run := 0; run < g.options.Runs && len(broken) == 0; run++ {
			r, err := g.run(ctx, binary)
			if err != nil {
				return err
			}
			broken = r.broken
			for name, failed := range r.failed {
				failures[name] = append(failures[name], failed)
			}
		}
		for name, why := range broken {
			g.dropped[g.invocation(name)] = why
		}
		if len(broken) == 0 {
			if len(failures) == 0 {
				break
			}
			g.learn(failures)
		}
		if err := g.build(all); err != nil {
			return err
		}
	}
	return nil
}

// learn decides what becomes of failed tests: the checks whose values differ are loosened, and the other tests are
// dropped.
func (g *packageGenerator) learn(failures map[string][]outcome) {
	for name, runs := range failures {
		labels := map[string]map[string]bool{}
		for _, failed := range runs {
			for label, got := range failed {
				if labels[label] == nil {
					labels[label] = map[string]bool{}
				}
				labels[label][got] = true
			}
		}
		inv := g.invocation(name)
		if len(labels) == 0 {
			g.dropped[inv] = "it does not mimic"
			continue
		}
		loosened := map[string]bool{}
		for label, got := range labels {
			if len(got) < 2 && !g.maySkip(inv, label) || strings.HasPrefix(label, "calls") || g.loosened[inv][label] {
				g.dropped[inv] = "it does not mimic: " + label + " " + firstOf(got)
				break
			}
			loosened[label] = true
		}
		if g.dropped[inv] == "" {
			if g.loosened[inv] == nil {
				g.loosened[inv] = map[string]bool{}
			}
			maps.Copy(g.loosened[inv], loosened)
		}
	}
}

// maySkip reports whether a check may be left out although its value is the same in each run: the body of an answer, in
// which secrets are masked, and the whole answer if the test mocks a function, which may have written it.
func (g *packageGenerator) maySkip(inv *sondevalue.Invocation, label string) bool {
	if label == bodyLabel {
		return true
	}
	i := slices.IndexFunc(g.tests, func(t *unitTest) bool { return t.invocation == inv })
	return i >= 0 && g.tests[i].mocksFunction && (label == statusLabel || label == lengthLabel)
}

// invocation returns the invocation of a test.
func (g *packageGenerator) invocation(test string) *sondevalue.Invocation {
	i := slices.IndexFunc(g.tests, func(t *unitTest) bool { return t.Name == test })
	if i < 0 {
		return nil
	}
	return g.tests[i].invocation
}

func firstOf(all map[string]bool) string {
	var texts []string
	for text := range all {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	text := texts[0]
	if len(text) > 200 {
		text = text[:200] + "…"
	}
	return text
}

// runResult is what a run of the tests of a package has shown.
type runResult struct {
	broken map[string]string  // tests that do not compile or that end the process, and why
	failed map[string]outcome // failed checks by test
}

var (
	compileError = regexp.MustCompile(`(?m)^(?:vet: )?(?:\./|.*/)?` + regexp.QuoteMeta(TestsFile) + `:(\d+):\d+: (.*)$`)
	failedTest   = regexp.MustCompile(`^--- FAIL: (\w+)`)
	startedTest  = regexp.MustCompile(`^=== RUN   (\w+)`)
	failedCheck  = regexp.MustCompile(`^\s+\w+\.go:\d+: \[([^\]]*)\] (.*)$`)
)

// compile writes the tests and compiles them into a binary. If tests do not compile, it returns why, by their names.
func (g *packageGenerator) compile(ctx context.Context, binary string) (broken map[string]string, err error) {
	text, err := g.plainText()
	if err != nil {
		return nil, err
	}
	if err := g.file.write(text); err != nil {
		return nil, err
	}
	output, err := g.compileTests(ctx, binary)
	if err == nil {
		return nil, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	broken = map[string]string{}
	for _, m := range compileError.FindAllStringSubmatch(string(output), -1) {
		line, err := strconv.Atoi(m[1])
		if err != nil {
			continue
		}
		name, err := g.testAt(line)
		if err != nil {
			return nil, err
		}
		if name != "" && broken[name] == "" {
			broken[name] = "it does not compile: " + m[2]
		}
	}
	if len(broken) == 0 {
		return nil, fmt.Errorf("the tests of %s do not compile: %s", g.path, lastLines(string(output)))
	}
	return broken, nil
}

// compileTests compiles the tests of the package into a binary. It returns what the compiler prints.
func (g *packageGenerator) compileTests(ctx context.Context, binary string) (output []byte, err error) {
	args := slices.Concat([]string{"test"}, g.flags(), []string{"-c", "-vet=off", "-o", binary, g.path})
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = g.options.Dir
	return cmd.CombinedOutput()
}

// passes reports whether written tests compile, and pass once.
func (g *packageGenerator) passes(ctx context.Context, tests []GeneratedTest) bool {
	dir, err := os.MkdirTemp("", "sonde-units-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "units.test")
	if _, err := g.compileTests(ctx, binary); err != nil {
		return false
	}
	var names []string
	for _, t := range tests {
		names = append(names, t.Name)
	}
	r, ended, err := g.runTests(ctx, binary, names)
	return err == nil && !ended && len(r.failed) == 0
}

// plainText returns the file with a function for each test.
func (g *packageGenerator) plainText() ([]byte, error) {
	decls, err := g.file.declarations(g.tests)
	if err != nil {
		return nil, err
	}
	return g.file.text(decls)
}

// run runs the compiled tests once. If one of them ends the process, it runs each alone.
func (g *packageGenerator) run(ctx context.Context, binary string) (runResult, error) {
	var names []string
	for _, t := range g.tests {
		names = append(names, t.Name)
	}
	r, ended, err := g.runTests(ctx, binary, names)
	if err != nil || !ended {
		return r, err
	}
	r = newRunResult()
	for _, name := range names {
		one, ended, err := g.runTests(ctx, binary, []string{name})
		if err != nil {
			return r, err
		}
		maps.Copy(r.failed, one.failed)
		if ended {
			r.broken[name] = one.broken[name]
		}
	}
	return r, nil
}

// runTests runs some tests. ended reports whether a test has ended the process; it is in broken then.
func (g *packageGenerator) runTests(ctx context.Context, binary string, names []string) (r runResult, ended bool, err error) {
	pattern := "^(" + strings.Join(names, "|") + ")$"
	cmd := exec.CommandContext(ctx, binary, "-test.run", pattern, "-test.count=1", "-test.v", "-test.timeout=20s")
	cmd.Dir = g.file.dir
	cmd.Env = append(os.Environ(), g.env...)
	cmd.WaitDelay = 5 * time.Second
	output, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return r, false, ctx.Err()
	}
	if err == nil {
		return newRunResult(), false, nil
	}
	r = newRunResult()
	if why := r.read(string(output)); why != "" {
		for _, name := range names {
			r.broken[name] = why
		}
		return r, true, nil
	}
	if len(r.failed) == 0 {
		return r, false, fmt.Errorf("the tests of %s cannot be run: %s", g.path, lastLines(string(output)))
	}
	return r, false, nil
}

func newRunResult() runResult {
	return runResult{broken: map[string]string{}, failed: map[string]outcome{}}
}

// read reads the output of failed tests. It returns why the process has ended, "" if it ran all tests.
func (r *runResult) read(output string) (ended string) {
	current := ""
	for _, line := range strings.Split(output, "\n") {
		if m := startedTest.FindStringSubmatch(line); m != nil {
			current = m[1]
		}
		if m := failedTest.FindStringSubmatch(line); m != nil && r.failed[m[1]] == nil {
			r.failed[m[1]] = outcome{}
		}
		if m := failedCheck.FindStringSubmatch(line); m != nil && current != "" {
			if r.failed[current] == nil {
				r.failed[current] = outcome{}
			}
			r.failed[current][m[1]] = m[2]
		}
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return "it ends the process: " + line
		}
	}
	return ""
}

func lastLines(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "; ")
}

// testAt returns the name of the test that has a line of the written file, "" if no test has it.
func (g *packageGenerator) testAt(line int) (string, error) {
	text, err := g.plainText()
	if err != nil {
		return "", err
	}
	name := ""
	for i, l := range strings.Split(string(text), "\n") {
		if rest, is := strings.CutPrefix(l, "func Test"); is {
			name = "Test" + rest[:strings.IndexByte(rest, '(')]
		} else if strings.HasPrefix(l, "func ") || strings.HasPrefix(l, "type ") {
			name = ""
		}
		if i+1 == line {
			return name, nil
		}
	}
	return "", nil
}
