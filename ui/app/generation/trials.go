package generation

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"time"

	"sonde/export"
	"sonde/model"
	"sonde/runner/replay/generate"
	"sonde/ui/app/service"
	"sonde/ui/app/suite"
	"sonde/ui/words"
)

// OperationRows returns a table row for each operation, and the total.
func (g *Generation) OperationRows() ([]generate.TableRow, generate.TableRow) {
	return generate.TableRows(g.Generated, g.Results, g.Oracles, g.Together)
}

// rounds is the maximum number of times that tests are changed after replays. Several rounds are needed
// because a difference in an early call may hide differences in later calls.
const rounds = 3

// learningRuns is the number of runs that are compared in each round.
const learningRuns = 2

// RunTests runs the tests to find values that change between runs, and then to check how well the tests reproduce the
// recording. If the last search for changing values finds none, its runs also count for the check. If the tests may
// not or cannot be run, RunTests sets NotRunReason and returns nil.
func (g *Generation) RunTests(ctx context.Context) error {
	if g.NoRun {
		g.NotRunReason = "--no-run"
		return nil
	}
	if _, err := exec.LookPath("go"); err != nil {
		g.NotRunReason = "Go is not installed"
		return nil
	}
	if _, err := export.GoFile(suite.RelocatePaths(g.Suite(g.Generated.Tests), g.Dir)); err != nil { // see Check
		g.NotRunReason = "their hosts cannot be played by servers of the tests"
		return nil
	}
	dir, err := os.MkdirTemp("", "sonde-generate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := trials{Generation: g, dir: dir}
	var runs []generate.ReplayRun // runs of the current tests
	for range rounds {
		runs, err = p.runs(ctx, learningRuns)
		if err != nil {
			return err
		}
		learned := generate.LoosenVarying(g.Generated.Tests, runs)
		if reflect.DeepEqual(learned, g.Generated.Tests) {
			break
		}
		g.Generated.Tests, p.built, runs = learned, false, nil
	}
	if more := g.Options.Runs - len(runs); more > 0 {
		others, err := p.runs(ctx, more)
		if err != nil {
			return err
		}
		runs = append(runs, others...)
	}
	g.Results = generate.Results(runs[:g.Options.Runs])
	return nil
}

// trials runs the tests in a temporary folder.
type trials struct {
	*Generation
	dir    string
	built  bool   // the tests are compiled
	binary string // the service, "" if it is not built, or if the environment names a binary
}

// runs runs all tests the given number of times.
func (p *trials) runs(ctx context.Context, times int) ([]generate.ReplayRun, error) {
	if err := p.build(ctx); err != nil {
		return nil, err
	}
	var all []generate.ReplayRun
	for i := range times {
		run, err := p.once(ctx, filepath.Join(p.dir, fmt.Sprint("differences", i)))
		if err != nil {
			return nil, err
		}
		all = append(all, run)
	}
	return all, nil
}

// build writes and compiles the tests.
func (p *trials) build(ctx context.Context) error {
	if p.built {
		return nil
	}
	tests := suite.RelocatePaths(p.Suite(p.Generated.Tests), p.dir)
	if _, err := export.WriteGoFile(p.dir, tests, true); err != nil {
		return err
	}
	if len(tests.Build) > 0 {
		if err := p.buildService(ctx, tests.Service); err != nil {
			return err
		}
	}
	// Tests compile faster without optimizations and debug information.
	cmd := exec.CommandContext(
		ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-gcflags=-N -l", "-o", p.program(), export.TestsFileName,
	)
	cmd.Dir = p.dir
	interrupt(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return errors.Join(
			ctx.Err(),
			fmt.Errorf(
				"the tests of %s cannot be compiled: %w: %s",
				words.Plural(len(p.Generated.Tests), "exchange"), err, model.Excerpt(out),
			),
		)
	}
	p.built = true
	return nil
}

// buildService builds the service that the tests start. It does nothing if the service is already built, or if the
// environment names a binary. When a user runs the tests, the tests build the service themselves, with the command
// sonde.
func (p *trials) buildService(ctx context.Context, s *model.Service) error {
	if p.binary != "" || os.Getenv(binaryVariable) != "" {
		return nil
	}
	builder := service.BuilderOf(s, "")
	if suite.OfDemo(s) {
		builder = service.DemoBuilder()
	}
	built, err := builder.Build(ctx, p.dir, service.Additions{Net: true})
	if err != nil {
		return fmt.Errorf("build the service of the tests: %w", err)
	}
	p.binary = built.Binary
	return nil
}

// binaryVariable is the environment variable that gives the path of the service's binary to the tests.
const binaryVariable = "SONDE_BINARY"

// interrupt makes a command end by an interrupt when its context ends. The tests can then stop their service, and the
// go command removes its temporary folder.
func interrupt(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
}

func (p *trials) program() string { return filepath.Join(p.dir, "tests.exe") }

// verdictLine matches the result of a test in the output of go test.
var verdictLine = regexp.MustCompile(`^--- (PASS|FAIL|SKIP): (Test\S*) \(`)

// once runs all tests once.
func (p *trials) once(ctx context.Context, notes string) (generate.ReplayRun, error) {
	run := generate.ReplayRun{Passed: map[string]bool{}}
	cmd := exec.CommandContext(ctx, p.program(), "-test.v", "-test.count=1", "-test.timeout=30m")
	cmd.Dir = p.dir
	interrupt(cmd)
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "SONDE_BASE_URL=") || p.Recording.Service == nil {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	cmd.Env = append(cmd.Env, "SONDE_DIFFERENCES="+notes)
	if self, err := os.Executable(); err == nil { // the demo is a command of this program
		cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH")+string(filepath.ListSeparator)+filepath.Dir(self))
	}
	if p.binary != "" {
		cmd.Env = append(cmd.Env, binaryVariable+"="+p.binary)
	}
	for _, u := range p.Generated.Users {
		for name, value := range u.Secrets {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	out, failed := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return run, ctx.Err()
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		if m := verdictLine.FindStringSubmatch(lines.Text()); m != nil && !strings.Contains(m[2], "/") {
			run.Passed[m[2]] = m[1] == "PASS"
		}
	}
	if len(run.Passed) == 0 {
		return run, fmt.Errorf("the tests do not run: %w: %s", failed, model.Excerpt(out))
	}
	if err := p.take(&run, notes); err != nil {
		return run, err
	}
	if len(run.Differences) == 0 {
		return run, fmt.Errorf("no test reached its first call: %s", testErrorText(out))
	}
	return run, nil
}

// testErrors matches the first message of a test in the output of go test.
var testErrors = regexp.MustCompile(`(?m)^    sonde_test\.go:\d+: (.*(?:\n        .*)*)`)

// testErrorText returns the first message of a test, or the beginning of the output if there is none.
func testErrorText(out []byte) string {
	if m := testErrors.FindSubmatch(out); m != nil {
		return model.Excerpt(m[1])
	}
	return model.Excerpt(out)
}

// take reads the differences that the tests wrote to the file of notes.
func (p *trials) take(run *generate.ReplayRun, notes string) error {
	f, err := os.Open(notes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer os.Remove(notes)
	defer f.Close()
	run.Differences, err = generate.ReadDifferences(f)
	return err
}
