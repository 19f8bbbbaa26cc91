package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"sonde/runner/instrument/probe"
	"sonde/runner/network/netns"
)

// trial compares the results of a module's own tests with and without the virtual network.
type trial struct {
	Module         module
	Packages       int      // packages whose tests ran in both ways, or do not build with the virtual network
	Left           []string // packages whose tests do not build or do not pass without the virtual network, and why
	Tests          int
	Differences    []string
	Plain, Virtual int // packets to other machines
}

// try runs tests of modules whose own uses of the network are all of classes that the virtual network handles.
func (o options) try(ctx context.Context, readings []*reading, log io.Writer) (all []*trial, err error) {
	if err := netns.CheckSupport(); err != nil {
		return nil, fmt.Errorf("-tests needs network namespaces, so that no test calls another machine: %w", err)
	}
	offline := filepath.Join(o.work, "offline")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", offline, "./docs/offline").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w: %s", err, text)
	}
	for _, r := range readings {
		if r.Failure != "" || !r.handled(itself) || len(all) == o.sample {
			continue
		}
		dir := o.folder("tests", r.Module)
		t, err := kept(filepath.Join(dir, fmt.Sprintf("trial-%d.json", o.packages)), func() (*trial, error) {
			t := &tester{trial: &trial{Module: r.Module}, offline: offline, dir: dir}
			if err := t.run(ctx, o.packages); err != nil {
				t.Left = append(t.Left, err.Error())
			}
			return t.trial, ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(log, "%s: %d packages, %d tests, differences: %q, left out: %q\n", t.Module, t.Packages, t.Tests, t.Differences, t.Left)
		all = append(all, t)
	}
	return all, nil
}

// tester runs the tests of one module, in a copy of it.
type tester struct {
	*trial
	offline string // the program of docs/offline
	dir     string
	overlay string // the file for the flag -overlay
	table   string // the file with the configuration of the virtual network
}

// run runs the tests of the first packages whose code or tests import a package of the network.
func (t *tester) run(ctx context.Context, most int) error {
	if err := t.copy(ctx); err != nil {
		return err
	}
	all, err := t.tested(ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errors.New("it has no tests with the network")
	}
	overlay := filepath.Join(t.dir, "overlay")
	if err := os.MkdirAll(overlay, 0o755); err != nil {
		return err
	}
	t.overlay, err = probe.WriteNetworkOverlay(ctx, filepath.Join(t.dir, "module"), overlay)
	if err != nil {
		return err
	}
	t.table = filepath.Join(t.dir, "table")
	if err := os.WriteFile(t.table, []byte("net 1\nunknown absent\n"), 0o600); err != nil {
		return err
	}
	for _, p := range all[:min(most, len(all))] {
		if err := t.compare(ctx, p); err != nil {
			t.Left = append(t.Left, p.ImportPath+": "+err.Error())
		}
	}
	return nil
}

// copy copies the module, whose tests may write into its folders.
func (t *tester) copy(ctx context.Context) error {
	text, err := goCommand(ctx, filepath.Dir(t.offline), "mod", "download", "-json", t.Module.String())
	if err != nil {
		return err
	}
	var at struct{ Dir string }
	if err := json.Unmarshal(text, &at); err != nil {
		return err
	}
	to := filepath.Join(t.dir, "module")
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.CopyFS(to, os.DirFS(at.Dir)); err != nil {
		return err
	}
	file := filepath.Join(to, "go.mod")
	if _, err := os.Stat(file); err == nil {
		return dropReplaced(ctx, to)
	}
	return os.WriteFile(file, []byte("module "+t.Module.Path+"\n\ngo 1.26\n"), 0o600)
}

// dropReplaced removes from go.mod the replacements by folders, such as "replace example.com/m/sub => ./sub". A module
// that was fetched does not contain the folders of other modules.
func dropReplaced(ctx context.Context, dir string) error {
	text, err := goCommand(ctx, dir, "mod", "edit", "-json")
	if err != nil {
		return err
	}
	type version struct{ Path, Version string }
	var file struct {
		Replace []struct{ Old, New version }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return err
	}
	for _, r := range file.Replace {
		if r.New.Version != "" {
			continue
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		if _, err := goCommand(ctx, dir, "mod", "edit", "-dropreplace="+old); err != nil {
			return err
		}
	}
	return nil
}

// testedPackage is a package with tests.
type testedPackage struct {
	ImportPath, Dir                    string
	TestGoFiles, XTestGoFiles          []string
	Imports, TestImports, XTestImports []string
}

// tested returns the packages with tests that import a package of the network, in the code or in the tests.
func (t *tester) tested(ctx context.Context) (all []testedPackage, err error) {
	fields := "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports"
	text, err := goCommand(ctx, filepath.Join(t.dir, "module"), "list", "-e", "-mod=mod", fields, "./...")
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p testedPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		imports := slices.Concat(p.Imports, p.TestImports, p.XTestImports)
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 && !outside.MatchString(p.ImportPath) &&
			slices.ContainsFunc(imports, func(i string) bool { return slices.Contains(networkPackages, i) }) {
			all = append(all, p)
		}
	}
}

// networkPackages are the packages by which tests use the network.
var networkPackages = []string{"net", "net/http", "net/http/httptest", "net/rpc", "net/smtp", "crypto/tls", "google.golang.org/grpc"}

// compare builds and runs the tests of a package in both ways. Results that differ count if they differ again.
func (t *tester) compare(ctx context.Context, p testedPackage) error {
	plain, err := t.build(ctx, p, "plain")
	if err != nil {
		return err
	}
	want := t.outcomes(ctx, p, plain)
	if want.failed != "" {
		return fmt.Errorf("without the virtual network: %s", want.failed)
	}
	virtual, err := t.build(ctx, p, "virtual", "-overlay", t.overlay)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t.Packages++
		t.Differences = append(t.Differences, p.ImportPath+": with the virtual network: "+err.Error())
		return nil
	}
	got := t.outcomes(ctx, p, virtual, "SONDE_NET="+t.table)
	if diff := difference(want, got); diff != "" {
		want, got = t.outcomes(ctx, p, plain), t.outcomes(ctx, p, virtual, "SONDE_NET="+t.table)
		if diff := difference(want, got); diff != "" {
			t.Differences = append(t.Differences, p.ImportPath+": "+diff)
		}
	}
	t.Packages++
	t.Tests += len(want.tests)
	t.Plain, t.Virtual = t.Plain+want.packets, t.Virtual+got.packets
	return nil
}

func (t *tester) build(ctx context.Context, p testedPackage, name string, flags ...string) (string, error) {
	binary := filepath.Join(t.dir, name+".test")
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-mod=mod", "-o", binary}, flags, []string{p.ImportPath})
	_, err := goCommand(ctx, filepath.Join(t.dir, "module"), args...)
	return binary, err
}

// outcome is what a run of a package's tests printed.
type outcome struct {
	tests   map[string]string // the result of each test by its name
	failed  string            // why the run failed, "" if it passed
	packets int               // number of packets to other machines
}

var (
	verdict = regexp.MustCompile(`(?m)^\s*--- (PASS|FAIL|SKIP): (\S+) \(`)
	// sent matches a line of docs/offline about an address outside of the namespace.
	sent = regexp.MustCompile(`(?m)^offline: (\d+) times to (.*)$`)
	// number matches numbers in the names of tests, such as ports and addresses in memory, which differ in each run.
	number = regexp.MustCompile(`0x[0-9a-f]+|\d{4,}`)
)

// limit ends tests that wait for another machine.
const limit = 2 * time.Minute

// outcomes runs a test binary where there is no other machine.
func (t *tester) outcomes(ctx context.Context, p testedPackage, binary string, variables ...string) outcome {
	ctx, stop := context.WithTimeout(ctx, limit+10*time.Second)
	defer stop()
	c := exec.CommandContext(ctx, t.offline, binary, "-test.v", "-test.short", "-test.timeout="+limit.String())
	c.Dir, c.Env = p.Dir, append(os.Environ(), variables...)
	text, err := c.CombinedOutput()
	return parseOutcome(text, err)
}

// parseOutcome reads the output of a test binary that docs/offline ran.
func parseOutcome(text []byte, err error) outcome {
	o := outcome{tests: map[string]string{}}
	for _, m := range verdict.FindAllSubmatch(text, -1) {
		o.tests[number.ReplaceAllString(string(m[2]), "N")] = string(m[1])
	}
	for _, m := range sent.FindAllSubmatch(text, -1) {
		n, _ := strconv.Atoi(string(m[1]))
		o.packets += n
	}
	if err != nil && !bytes.Contains(text, []byte("\nPASS\n")) { // docs/offline fails, too, if a passing test sent a packet
		o.failed = cmp.Or(firstFailure(text), err.Error())
	}
	return o
}

// firstFailure returns the first line of a test's output that says what failed, "" if there is none.
func firstFailure(text []byte) string {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if bytes.HasPrefix(line, []byte("--- FAIL")) || bytes.HasPrefix(line, []byte("panic:")) {
			return string(line)
		}
	}
	return ""
}

// difference names the first test, by name, whose results differ. It returns "" if there is none.
func difference(want, got outcome) string {
	for _, name := range sortedKeys(want.tests, got.tests) {
		if want.tests[name] != got.tests[name] {
			return fmt.Sprintf("%s: %s without, %s with the virtual network", name, cmp.Or(want.tests[name], "no result"),
				cmp.Or(got.tests[name], "no result"))
		}
	}
	if want.failed == "" && got.failed != "" {
		return got.failed
	}
	return ""
}

// sortedKeys returns the keys of two maps, each once.
func sortedKeys(a, b map[string]string) (keys []string) {
	for _, m := range []map[string]string{a, b} {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
