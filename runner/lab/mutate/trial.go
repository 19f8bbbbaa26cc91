package mutate

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"sonde/model"
)

// BeforeOracle takes the place of an oracle for the check that a test makes before its oracle: that its set-up calls
// are answered as recorded.
const BeforeOracle model.MockOracle = "setup"

// serviceName replaces the path of the service's binary in texts for the user. The path itself would not help, because
// the folder of the binary is removed.
const serviceName = "SONDE_BINARY"

// differencesVariable is the environment variable with the path of the file to which tests write differences. Each trial has a file
// of its own, and all processes of a trial inherit the variable.
const differencesVariable = "SONDE_DIFFERENCES"

// trial is one run of the tests on one binary of the service.
type trial struct {
	suite     *Suite
	binary    string
	env       []string
	timeout   time.Duration
	only      []string // tests to run; nil for all that pass on the unchanged service
	stopEarly bool     // stop when each oracle has failed once
	isolated  bool     // run in a network namespace
	units     bool     // the binary has unit tests of the package itself
	more      []string // further arguments of the tests
}

// outcome is the result of a trial.
type outcome struct {
	failed    []string                      // names of failed tests, in the order in which they ran
	oraclesOf map[string][]model.MockOracle // by test, the oracles that noticed the mutant
	passed    int
	timedOut  bool
	started   bool   // at least one test ran
	last      string // the test that has ended the process of unit tests by a panic
	stopped   bool   // the tests were stopped because each oracle had failed
	succeeded bool   // the program of the tests ended with exit code 0
	duration  time.Duration
	output    string // last lines of the output, in which serviceName is the path of the service's binary
}

// oracles returns the oracles that noticed the mutant, sorted.
func (o outcome) oracles() []model.MockOracle {
	seen := map[model.MockOracle]bool{}
	for _, t := range o.failed {
		for _, by := range o.oraclesOf[t] {
			seen[by] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// errStoppedEarly is the cause with which tests are stopped because their result is known.
var errStoppedEarly = errors.New("enough is known")

// run runs the tests and returns their outcome. It returns an error if they cannot run or ctx is
// done.
func (t trial) run(ctx context.Context) (outcome, error) {
	dir, err := os.MkdirTemp("", "sonde-trial-")
	if err != nil {
		return outcome{}, err
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	began := time.Now()
	overdue := time.AfterFunc(t.timeout+10*time.Second, func() { stop(context.DeadlineExceeded) })
	defer overdue.Stop()
	differences := filepath.Join(dir, "differences")
	c := t.command(ctx, differences)
	printed, in, err := os.Pipe()
	if err != nil {
		return outcome{}, err
	}
	defer printed.Close()
	c.Stdout, c.Stderr = in, in
	over, err := t.start(c)
	in.Close()
	if err != nil {
		return outcome{}, fmt.Errorf("the tests cannot run: %w", err)
	}
	defer over()
	var o outcome
	if t.units {
		o = followUnits(printed)
	} else {
		o = t.follow(printed, differences, func() { stop(errStoppedEarly) })
	}
	o.output = strings.ReplaceAll(o.output, t.binary, serviceName)
	o.succeeded = c.Wait() == nil // failures were printed
	killLeftovers(differencesVariable + "=" + differences)
	o.duration = time.Since(began)
	o.timedOut = o.timedOut || errors.Is(context.Cause(ctx), context.DeadlineExceeded)
	o.stopped = errors.Is(context.Cause(ctx), errStoppedEarly)
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errStoppedEarly) && !o.timedOut {
		return o, cause
	}
	return o, nil
}

// command returns the command that runs the tests. When ctx ends, the process gets a SIGTERM, so that it can
// stop the service.
func (t trial) command(ctx context.Context, differences string) *exec.Cmd {
	c := exec.CommandContext(ctx, t.suite.binary, "-test.v", fmt.Sprintf("-test.timeout=%v", t.timeout))
	if t.only != nil {
		c.Args = append(c.Args, "-test.run=^("+strings.Join(t.only, "|")+")$")
	} else if len(t.suite.skip) > 0 {
		c.Args = append(c.Args, "-test.skip=^("+strings.Join(t.suite.skip, "|")+")$")
	}
	c.Args = append(c.Args, t.more...)
	c.Dir = t.suite.Dir
	own := []string{"SONDE_BINARY=" + t.binary, differencesVariable + "=" + differences}
	c.Env = slices.Concat(os.Environ(), own, t.suite.Env, t.env)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 10 * time.Second
	return c
}

// start starts the process of the tests. The caller must call release when the process has ended.
func (t trial) start(c *exec.Cmd) (release func(), err error) {
	if t.isolated {
		return startIsolated(c)
	}
	return func() {}, c.Start()
}

// follow reads the output of the tests until it ends. If stopEarly is set, it calls stop when a test of each oracle
// has failed. A test during which the process panics has failed.
func (t trial) follow(printed io.Reader, differences string, stop func()) outcome {
	o := outcome{oraclesOf: map[string][]model.MockOracle{}}
	var tail []string
	running, panicked := "", false
	missing := t.suite.oracles()
	lines := bufio.NewReader(printed)
	for {
		line, err := lines.ReadString('\n')
		tail = append(tail, line)
		if len(tail) > 20 {
			tail = tail[1:]
		}
		result, name := parseResult(line)
		if name == running {
			running = ""
		}
		switch {
		case result == "FAIL":
			o.failed = append(o.failed, name)
			o.oraclesOf[name] = noticingOracles(name, differences)
			missing = slices.DeleteFunc(missing, func(m model.MockOracle) bool { return slices.Contains(o.oraclesOf[name], m) })
			if t.stopEarly && len(missing) == 0 {
				stop()
			}
		case result == "PASS":
			o.passed++
		case strings.HasPrefix(line, "=== RUN"):
			o.started, running = true, strings.TrimSpace(strings.TrimPrefix(line, "=== RUN"))
		case strings.HasPrefix(line, "the tests ran out of time"), strings.HasPrefix(line, "panic: test timed out"):
			o.timedOut = true
		case strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "fatal error: "):
			panicked = true
		}
		if err != nil {
			if panicked && running != "" && !o.timedOut {
				o.failed = append(o.failed, running)
				o.oraclesOf[running] = noticingOracles(running, differences)
			}
			o.output = strings.Join(tail, "")
			return o
		}
	}
}

// parseResult parses the line with which a test ends: "--- FAIL: TestPay_OO (0.02s)". It returns ""
// for any other line.
func parseResult(line string) (result, test string) {
	rest, ok := strings.CutPrefix(line, "--- ")
	if !ok {
		return "", ""
	}
	result, rest, _ = strings.Cut(rest, ": ")
	test, _, _ = strings.Cut(rest, " ")
	return result, test
}

// noticingOracles returns the oracles by which a failed test noticed the mutant: the oracles in the file of
// differences, or else the oracle in the test's name.
func noticingOracles(test, differences string) []model.MockOracle {
	var all []model.MockOracle
	data, _ := os.ReadFile(differences) // not all tests write this file
	for line := range strings.Lines(string(data)) {
		var d struct {
			Test   string           `json:"test"`
			Oracle model.MockOracle `json:"oracle"`
		}
		if json.Unmarshal([]byte(line), &d) == nil && d.Test == test && d.Oracle != "" && !slices.Contains(all, d.Oracle) {
			all = append(all, d.Oracle)
		}
	}
	if o := oracleOf(test); len(all) == 0 && o != "" {
		return []model.MockOracle{o}
	}
	return all
}
