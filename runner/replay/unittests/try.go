package unittests

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/assets/probe/sondevalue"
)

// maxRounds is the number of times that a file is built again without the tests that do not compile, or that end the
// process.
const maxRounds = 25

// outcome is what a test has reported in one run: what was got, by the labels of failed checks.
type outcome map[string]string

// try runs the tests several times. A check whose value differs from run to run is loosened. A test that fails all the
// same is left out.
func (g *packageGenerator) try(ctx context.Context, all []*sondevalue.Invocation) error {
	failures := map[string][]outcome{} // by test
	for round, run := 0, 0; run < g.options.Runs && len(g.tests) > 0; {
		out, err := g.run(ctx)
		if err != nil {
			return err
		}
		if broken := out.broken; len(broken) > 0 {
			if round++; round > maxRounds {
				return fmt.Errorf("the tests of %s do not compile", g.path)
			}
			for name, why := range broken {
				g.dropped[name] = why
			}
			if err := g.build(all); err != nil {
				return err
			}
			clear(failures)
			run = 0
			continue
		}
		for name, failed := range out.failed {
			failures[name] = append(failures[name], failed)
		}
		run++
		if run < g.options.Runs {
			continue
		}
		if g.learn(failures) {
			if err := g.build(all); err != nil {
				return err
			}
			clear(failures)
			if round++; round > maxRounds {
				return nil
			}
			run = 0
		}
	}
	for _, t := range g.tests {
		t.Mimics = true
	}
	return nil
}

// learn decides what becomes of failed tests: the checks whose values differ are loosened, and the other tests are dropped.
// It reports whether the tests have changed.
func (g *packageGenerator) learn(failures map[string][]outcome) bool {
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
		if len(labels) == 0 {
			g.dropped[name] = "it does not mimic"
			continue
		}
		loosened := map[string]bool{}
		for label, got := range labels {
			if len(got) < 2 || strings.HasPrefix(label, "calls") || g.loosened[name][label] {
				g.dropped[name] = "it does not mimic: " + label + " " + firstOf(got)
				break
			}
			loosened[label] = true
		}
		if g.dropped[name] == "" {
			if g.loosened[name] == nil {
				g.loosened[name] = map[string]bool{}
			}
			for label := range loosened {
				g.loosened[name][label] = true
			}
		}
	}
	return len(failures) > 0
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
	runningTest  = regexp.MustCompile(`(?m)^\t(Test\w+) \(`)
)

// run writes the tests and runs them once.
func (g *packageGenerator) run(ctx context.Context) (runResult, error) {
	if err := g.file.write(g.tests); err != nil {
		return runResult{}, err
	}
	var names []string
	for _, t := range g.tests {
		names = append(names, t.Name)
	}
	args := slices.Concat([]string{"test"}, g.flags(), []string{
		"-run", "^(" + strings.Join(names, "|") + ")$", "-count=1", "-v", "-timeout=60s", g.path,
	})
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = g.options.Dir
	output, err := cmd.CombinedOutput()
	if err == nil {
		return runResult{}, nil
	}
	if ctx.Err() != nil {
		return runResult{}, ctx.Err()
	}
	return g.read(string(output))
}

// read reads the output of failed tests.
func (g *packageGenerator) read(output string) (runResult, error) {
	r := runResult{broken: map[string]string{}, failed: map[string]outcome{}}
	for _, m := range compileError.FindAllStringSubmatch(output, -1) {
		line, err := strconv.Atoi(m[1])
		if err != nil {
			continue
		}
		name, err := g.testAt(line)
		if err != nil {
			return r, err
		}
		if name != "" && r.broken[name] == "" {
			r.broken[name] = "it does not compile: " + m[2]
		}
	}
	if len(r.broken) > 0 {
		return r, nil
	}
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
			name := current
			if m := runningTest.FindStringSubmatch(output); m != nil {
				name = m[1]
			}
			if name == "" {
				return r, fmt.Errorf("the tests of %s end before they begin: %s", g.path, line)
			}
			r.broken[name] = "it ends the process: " + line
			return r, nil
		}
	}
	if len(r.failed) == 0 {
		return r, fmt.Errorf("the tests of %s cannot be run: %s", g.path, lastLines(output))
	}
	return r, nil
}

func lastLines(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "; ")
}

// testAt returns the name of the test that has a line of the written file, "" if no test has it.
func (g *packageGenerator) testAt(line int) (string, error) {
	text, err := g.file.text(g.tests)
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
