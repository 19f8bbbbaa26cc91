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

// BeforeOracle stands for what a test wants before its oracle: that its calls arrange
// what the call under test needs.
const BeforeOracle model.Oracle = "setup"

// trial is the tests run with one binary of the service.
type trial struct {
	suite  *Suite
	binary string
	env    []string
	limit  time.Duration
	only   []string // tests; nil for all that hold on the service as it is
	enough bool     // to know one failure of each oracle
	alone  bool     // in a network namespace of their own
}

// outcome is what came of a trial.
type outcome struct {
	failed   []string                  // tests, in their order
	by       map[string][]model.Oracle // by test
	passed   int
	timedOut bool
	started  bool // some test ran
	took     time.Duration
	said     string // the end of what was printed, where no test ran
}

// oracles are those that noticed something.
func (o outcome) oracles() []model.Oracle {
	seen := map[model.Oracle]bool{}
	for _, t := range o.failed {
		for _, by := range o.by[t] {
			seen[by] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// errGone is why tests are stopped that need not go on.
var errGone = errors.New("enough is known")

// run runs the tests.
func (t trial) run(ctx context.Context) (outcome, error) {
	dir, err := os.MkdirTemp("", "sonde-trial-")
	if err != nil {
		return outcome{}, err
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	began := time.Now()
	overdue := time.AfterFunc(t.limit+10*time.Second, func() { stop(context.DeadlineExceeded) })
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
	o := t.follow(printed, differences, func() { stop(errGone) })
	_ = c.Wait() // what failed was printed
	o.took = time.Since(began)
	o.timedOut = o.timedOut || errors.Is(context.Cause(ctx), context.DeadlineExceeded)
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errGone) && !o.timedOut {
		return o, cause
	}
	return o, nil
}

// command is the tests' process. It is asked to end, so that it ends the service.
func (t trial) command(ctx context.Context, differences string) *exec.Cmd {
	c := exec.CommandContext(ctx, t.suite.binary, "-test.v", fmt.Sprintf("-test.timeout=%v", t.limit))
	if t.only != nil {
		c.Args = append(c.Args, "-test.run=^("+strings.Join(t.only, "|")+")$")
	} else if len(t.suite.skip) > 0 {
		c.Args = append(c.Args, "-test.skip=^("+strings.Join(t.suite.skip, "|")+")$")
	}
	c.Dir = t.suite.Dir
	c.Env = append(append(os.Environ(), "SONDE_BINARY="+t.binary, "SONDE_DIFFERENCES="+differences), t.env...)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 10 * time.Second
	return c
}

// start starts the tests' process; over is for when it has ended.
func (t trial) start(c *exec.Cmd) (over func(), err error) {
	if t.alone {
		return startAlone(c)
	}
	return func() {}, c.Start()
}

// follow reads what the tests print.
func (t trial) follow(printed io.Reader, differences string, stop func()) outcome {
	o := outcome{by: map[string][]model.Oracle{}}
	var tail []string
	missing := t.suite.oracles()
	lines := bufio.NewReader(printed)
	for {
		line, err := lines.ReadString('\n')
		tail = append(tail, line)
		if len(tail) > 20 {
			tail = tail[1:]
		}
		result, name := ended(line)
		switch {
		case result == "FAIL":
			o.failed = append(o.failed, name)
			o.by[name] = noticed(name, differences)
			missing = slices.DeleteFunc(missing, func(m model.Oracle) bool { return slices.Contains(o.by[name], m) })
			if t.enough && len(missing) == 0 {
				stop()
			}
		case result == "PASS":
			o.passed++
		case strings.HasPrefix(line, "=== RUN"):
			o.started = true
		case strings.HasPrefix(line, "the tests ran out of time"), strings.HasPrefix(line, "panic: test timed out"):
			o.timedOut = true
		}
		if err != nil {
			o.said = strings.Join(tail, "")
			return o
		}
	}
}

// ended reads the line with which a test ends: "--- FAIL: TestPay_OO (0.02s)".
func ended(line string) (result, test string) {
	rest, ok := strings.CutPrefix(line, "--- ")
	if !ok {
		return "", ""
	}
	result, rest, _ = strings.Cut(rest, ": ")
	test, _, _ = strings.Cut(rest, " ")
	return result, test
}

// noticed is which oracles of a test that failed did notice something: those that it
// wrote down, or else the one of its name.
func noticed(test, differences string) []model.Oracle {
	var all []model.Oracle
	data, _ := os.ReadFile(differences) // not all tests write it
	for line := range strings.Lines(string(data)) {
		var d struct {
			Test   string       `json:"test"`
			Oracle model.Oracle `json:"oracle"`
		}
		if json.Unmarshal([]byte(line), &d) == nil && d.Test == test && d.Oracle != "" && !slices.Contains(all, d.Oracle) {
			all = append(all, d.Oracle)
		}
	}
	if o := oracleOf(test); len(all) == 0 && o != "" {
		return []model.Oracle{o}
	}
	return all
}
