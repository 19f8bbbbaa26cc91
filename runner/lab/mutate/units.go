package mutate

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/runner/instrument/probe"
)

// Units are generated unit tests, and the functions that they test.
type Units struct {
	// File is the name of the file with the tests. Packages without this file have no tests.
	File string
	// Functions are the names of the functions under test, such as "(*Shop).Pay", by the import path of their package.
	Functions map[string][]string
}

// unitPackage is a package with generated unit tests.
type unitPackage struct {
	path, dir string
	tests     []string // names of the tests that pass on the unchanged package
	functions []string
	unchanged string // hash of the binary of its unchanged tests
	timeout   time.Duration
}

// errNoUnits is the error for a module without generated unit tests.
var errNoUnits = errors.New("no package of the recording has generated unit tests: run sonde generate --units first")

// PrepareUnits makes the mutants of the functions that have generated unit tests, and leaves out mutants that the tests
// do not reach. Plan.Suite is not used: for each mutant, the tests of its package are compiled and run.
func PrepareUnits(ctx context.Context, p Plan, u Units) (*Analysis, error) {
	bare, err := probe.NewTestBuilder(ctx, p.Service, slices.Sorted(maps.Keys(u.Functions)))
	if err != nil {
		return nil, fmt.Errorf(
			"the packages of %s cannot be read: %w; go to the folder of the module, or name it by --dir", p.Service.Package, err,
		)
	}
	a := &Analysis{Plan: p, builder: bare, units: map[string]*unitPackage{}}
	digest := sha256.New()
	for _, s := range bare.Sources {
		file := filepath.Join(s.Folder, u.File)
		src, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		digest.Write(src)
		syntax, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("a test file does not compile: %w", err)
		}
		if names := testNames(syntax); len(names) > 0 {
			a.units[s.Folder] = &unitPackage{path: s.Path, dir: s.Folder, tests: names, functions: u.Functions[s.Path]}
		}
	}
	if len(a.units) == 0 {
		return nil, errNoUnits
	}
	bare.Sources = slices.DeleteFunc(bare.Sources, func(s probe.SourcePackage) bool { return a.units[s.Folder] == nil })
	a.calls = newCallGraph(bare.Sources, bare.Fset)
	a.Head = LogHead{Version: logVersion, Package: p.Service.Package, Tests: fmt.Sprintf("%x", digest.Sum(nil)[:8])}
	return a, a.prepareUnits(ctx)
}

// prepareUnits chooses the mutants in functions under test that the tests reach.
func (a *Analysis) prepareUnits(ctx context.Context) error {
	all, err := findMutants(a.builder, a.calls, a.Operators)
	if err != nil {
		return err
	}
	for _, m := range all {
		if u := a.units[filepath.Dir(m.source)]; u != nil && u.covers(m) {
			a.all = append(a.all, m)
		}
	}
	if a.Head.Source, err = sourceDigest(a.builder); err != nil {
		return err
	}
	reached := reach{}
	for _, dir := range slices.Sorted(maps.Keys(a.units)) {
		of, err := a.measureUnits(ctx, a.units[dir])
		if err != nil {
			return err
		}
		maps.Copy(reached, of)
	}
	if a.Head.Code, err = newCodeSize(a.builder, a.calls, reached, nil); err != nil {
		return err
	}
	a.chooseMutants(reached)
	if len(a.Mutants) == 0 {
		return fmt.Errorf("none of %d mutants is in code that the unit tests run: name other operators", a.Made)
	}
	return nil
}

// covers reports whether a mutant is in a function under test.
func (u *unitPackage) covers(m Mutant) bool {
	name := plainName(m.Func)
	return slices.ContainsFunc(u.functions, func(f string) bool { return name != "" && plainName(f) == name })
}

// plainName returns the name of a function without the parentheses and the star of its receiver.
func plainName(name string) string {
	return strings.NewReplacer("(", "", ")", "", "*", "").Replace(name)
}

// measureUnits runs the unchanged tests of a package, with and without coverage, and returns what they reach. Tests that
// fail are not run any more.
func (a *Analysis) measureUnits(ctx context.Context, u *unitPackage) (reach, error) {
	counting := filepath.Join(a.Dir, "counting.test")
	if err := a.builder.BuildTestsWithCounts(ctx, u.path, counting); err != nil {
		return nil, fmt.Errorf("the tests of %s do not compile: %w", u.path, err)
	}
	plain := filepath.Join(a.Dir, "plain.test")
	if err := a.builder.BuildTests(ctx, u.path, plain, nil); err != nil {
		return nil, fmt.Errorf("the tests of %s do not compile: %w", u.path, err)
	}
	var err error
	if u.unchanged, err = hashOf(plain); err != nil {
		return nil, err
	}
	u.timeout = time.Hour
	o, err := a.runUnits(ctx, u, plain, u.tests)
	if err != nil {
		return nil, err
	}
	u.timeout = max(minTimeout, 5*o.duration)
	for _, name := range o.failed {
		a.Broken = append(a.Broken, u.path+"."+name)
	}
	u.tests = slices.DeleteFunc(u.tests, func(name string) bool { return slices.Contains(o.failed, name) })
	if len(u.tests) == 0 {
		return reach{}, nil
	}
	idle, err := a.countUnits(ctx, u, counting, []string{"none"})
	if err != nil {
		return nil, err
	}
	called, err := a.countUnits(ctx, u, counting, u.tests)
	if err != nil {
		return nil, err
	}
	return newReach(idle, called)
}

// countUnits runs tests of a package, and returns how often each block ran.
func (a *Analysis) countUnits(ctx context.Context, u *unitPackage, binary string, names []string) (counts, error) {
	file := filepath.Join(a.Dir, "profile.txt")
	if err := os.RemoveAll(file); err != nil {
		return counts{}, err
	}
	t := a.unitTrial(u, binary, names)
	t.more = []string{"-test.coverprofile=" + file}
	if _, err := t.run(ctx); err != nil {
		return counts{}, err
	}
	blocks, err := probe.ReadProfile(file)
	return counts{blocks: blocks, processes: 1}, err
}

// unitTrial returns a trial of unit tests, which are in a binary of their own.
func (a *Analysis) unitTrial(u *unitPackage, binary string, names []string) trial {
	return trial{
		suite: &Suite{Dir: u.dir, binary: binary}, binary: binary, timeout: u.timeout, only: names, isolated: a.Alone, units: true,
	}
}

// runUnits runs tests of a package. If one of them ends the process, it runs those that did not run, until each oracle
// has noticed a change.
func (a *Analysis) runUnits(ctx context.Context, u *unitPackage, binary string, names []string) (outcome, error) {
	all := outcome{oraclesOf: map[string][]model.MockOracle{}}
	for len(names) > 0 {
		o, err := a.unitTrial(u, binary, names).run(ctx)
		if err != nil {
			return all, err
		}
		all.failed = append(all.failed, o.failed...)
		maps.Copy(all.oraclesOf, o.oraclesOf)
		all.started, all.timedOut = all.started || o.started, all.timedOut || o.timedOut
		all.passed, all.duration, all.output = all.passed+o.passed, all.duration+o.duration, o.output
		if o.last == "" || all.timedOut || len(all.oracles()) == len(model.MockOracles) {
			break
		}
		names = names[slices.Index(names, o.last)+1:]
	}
	return all, nil
}

var (
	failedUnitCheck  = regexp.MustCompile(`^\s+\w+\.go:\d+: \[([^\]]*)\] `)
	unexpectedMethod = regexp.MustCompile(`\.\(\*mock\w+\)\.\w+\(`)
)

// unitOracle returns the oracle of a check by its label, such as "result 1" or "call 2, argument 1 of store.Find".
func unitOracle(label string) model.MockOracle {
	switch {
	case label == "calls":
		return model.CallOracle
	case strings.HasPrefix(label, "call "):
		return model.ParameterOracle
	}
	return model.OutputOracle
}

// followUnits reads the output of unit tests until it ends. A test that panics has failed by the oracle of the output or,
// if the function has called a method of a mock that the test does not expect, by the oracle of the calls.
func followUnits(printed io.Reader) outcome {
	o := outcome{oraclesOf: map[string][]model.MockOracle{}}
	var tail []string
	running, previous := "", ""
	panicked, unexpected := false, false
	add := func(by model.MockOracle) {
		if !slices.Contains(o.oraclesOf[running], by) {
			o.oraclesOf[running] = append(o.oraclesOf[running], by)
		}
	}
	for lines := bufio.NewReader(printed); ; {
		line, err := lines.ReadString('\n')
		tail = append(tail, line)
		tail = tail[max(0, len(tail)-20):]
		result, name := parseResult(line)
		check := failedUnitCheck.FindStringSubmatch(line)
		switch {
		case result == "FAIL":
			o.failed = append(o.failed, name)
		case result == "PASS":
			o.passed++
		case strings.HasPrefix(line, "=== RUN"):
			o.started = true
			running, _, _ = strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "=== RUN")), "/")
		case strings.HasPrefix(line, "panic: test timed out"):
			o.timedOut = true
		case strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "fatal error: "):
			panicked = true
		case check != nil && running != "":
			add(unitOracle(check[1]))
		case strings.HasPrefix(line, "\t<autogenerated>") && unexpectedMethod.MatchString(previous):
			unexpected = true
		}
		previous = line
		if err == nil {
			continue
		}
		if panicked && running != "" && !o.timedOut {
			o.last = running
			if !slices.Contains(o.failed, running) {
				o.failed = append(o.failed, running)
			}
			if unexpected {
				add(model.CallOracle)
			} else {
				add(model.OutputOracle)
			}
		}
		o.output = strings.Join(tail, "")
		return o
	}
}
