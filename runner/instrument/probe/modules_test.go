package probe

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
)

var modulesPanics = flag.Bool("modules-panics", false, "probe operations of public modules that may panic, too")

var publicModules = flag.String(
	"modules", "", "probe public modules, which are fetched, and run their tests: all, or names such as gjson,chi",
)

// Public modules build with probes. Their own tests have the same results as without probes. The share of statements that
// the tests reach is the same as with go build -cover, to within 1 %, because tests that depend on time or chance reach
// different statements in each run.
//
//	go test ./runner/instrument/probe -run Modules -modules all -timeout 2h
func TestModules(t *testing.T) {
	if *publicModules == "" {
		t.Skip("fetches public modules and takes an hour: ask for it with -modules all, or -modules gjson,chi")
	}
	all := fetched(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if *publicModules == "all" || slices.Contains(strings.Split(*publicModules, ","), name) {
			t.Run(name, func(t *testing.T) { newOwnTests(t, all[name]).compare(t) })
		}
	}
}

// majorVersion matches a major version at the end of a module's path.
var majorVersion = regexp.MustCompile(`/v\d+$`)

// fetched downloads the modules that testdata/modules requires. It returns their folders by their short names.
func fetched(t *testing.T) map[string]string {
	t.Helper()
	run(t, "testdata/modules", "go", "mod", "download")
	list := run(t, "testdata/modules", "go", "list", "-m", "-f", "{{if not (or .Indirect .Main)}}{{.Path}} {{.Dir}}{{end}}", "all")
	all := map[string]string{}
	for line := range strings.Lines(list) {
		module, dir, ok := strings.Cut(strings.TrimSpace(line), " ")
		if ok {
			all[path.Base(majorVersion.ReplaceAllString(module, ""))] = dir
		}
	}
	return all
}

// ownTests are the tests of a module, in a copy of the module.
type ownTests struct {
	dir     string
	cover   []*packages.Package
	overlay *probedSource
	list    string // the path of the file for the flag -overlay
	flags   []string
	counted map[string]block // the blocks that any test binary reached, counted by go build -cover, by position
	scores  map[string]bool  // the targets that any test binary reached, reported by probes, by ID
}

// block is a block of statements in a cover profile.
type block struct {
	statements int
	reached    bool
}

func newOwnTests(t *testing.T, source string) *ownTests {
	t.Helper()
	o := &ownTests{dir: filepath.Join(t.TempDir(), "module"), counted: map[string]block{}, scores: map[string]bool{}}
	if err := os.CopyFS(o.dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	options, err := Options{Dir: o.dir}.resolved()
	if err != nil {
		t.Fatal(err)
	}
	o.dir = options.Dir
	tools, err := openToolchain(context.Background(), o.dir)
	if err != nil {
		t.Fatal(err)
	}
	l := &loaded{fset: token.NewFileSet()}
	l.cover, err = packages.Load(options.config(context.Background(), whole, l.fset), ownPackages(t, options)...)
	if err != nil {
		t.Fatal(err)
	}
	o.cover, o.flags = l.cover, inliningFlags(tools, l.cover)
	o.overlay, err = newProbedSource(l, Options{Panics: *modulesPanics}, map[string]string{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range l.cover { // so that the probes of each test binary are in shared memory
		o.overlay.sources[filepath.Join(
			filepath.Dir(p.GoFiles[0]), agentFile,
		)] = fmt.Appendf(nil, "package %s\n\nimport _ %q\n", p.Name, agentPath)
	}
	o.list, err = o.overlay.write(t.TempDir(), tools.Root, "")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// ownPackages returns the paths of a module's packages. They include packages below testdata that the tests of
// the module import, because go test -coverpkg counts these.
func ownPackages(t *testing.T, o Options) []string {
	t.Helper()
	c := o.config(context.Background(), outline, nil)
	c.Tests = true
	all, err := packages.Load(c, "./...")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	packages.Visit(all, nil, func(p *packages.Package) {
		if p.Module != nil && p.Module.Main && p.ID == p.PkgPath && len(p.GoFiles) > 0 && !strings.HasSuffix(p.ID, ".test") {
			paths = append(paths, p.PkgPath)
		}
	})
	slices.Sort(paths)
	return paths
}

// compare runs the tests of each package with go build -cover and with probes, and compares the results and the reached
// statements.
func (o *ownTests) compare(t *testing.T) {
	for _, skipped := range o.overlay.skipped {
		t.Logf("left plain: %v", skipped)
	}
	for _, p := range o.cover {
		dir := filepath.Dir(p.GoFiles[0])
		if tests, _ := filepath.Glob(filepath.Join(dir, "*_test.go")); len(tests) == 0 {
			continue
		}
		want, ok := o.covered(t, p.PkgPath, dir)
		if !ok {
			continue
		}
		if diff := gocmp.Diff(want, o.probed(t, p.PkgPath, dir)); diff != "" {
			t.Errorf("%s: other tests pass with probes:\n%s", p.PkgPath, diff)
		}
	}
	o.compareShares(t)
}

// compareShares checks that go build -cover and probes count the same statements and reach the same share of them, in
// the files that any test binary contains.
func (o *ownTests) compareShares(t *testing.T) {
	files, want, got := shares{}, share{}, share{}
	for place, b := range o.counted {
		file, _, _ := strings.Cut(place, ":")
		files.add(file, b.statements, b.reached)
		want = want.with(b.statements, b.reached)
	}
	for _, target := range o.overlay.targets.targets {
		if _, built := files[o.overlay.files[target.File].Name]; built && target.Kind == probedata.Statement {
			got = got.with(target.Statements, o.scores[target.ID])
		}
	}
	t.Logf(
		"%d targets; statements reached: %d of %d by go build -cover, %d of %d by probes", len(o.overlay.targets.targets),
		want.Reached, want.All, got.Reached, got.All,
	)
	if off := want.of() - got.of(); off > 0.01 || off < -0.01 {
		t.Errorf("%.2f %% of the statements by go build -cover, %.2f %% by probes", 100*want.of(), 100*got.of())
	}
	if want.All != got.All {
		o.explain(t, files)
	}
	o.explainReached(t)
}

// explainReached logs the blocks for which go build -cover and probes disagree: one counts the block as reached, and
// the other does not.
func (o *ownTests) explainReached(t *testing.T) {
	for _, target := range o.overlay.targets.targets {
		place := fmt.Sprintf("%s:%d.%d,%d.%d", o.overlay.files[target.File].Name, target.Line, target.Col, target.EndLine, target.EndCol)
		b, ok := o.counted[place]
		if ok && target.Kind == probedata.Statement && target.Statements > 0 && b.reached != o.scores[target.ID] {
			t.Logf("%s: reached by go build -cover %t, by probes %t", place, b.reached, o.scores[target.ID])
		}
	}
}

func (s share) with(statements int, reached bool) share {
	s.All += statements
	if reached {
		s.Reached += statements
	}
	return s
}

func (s share) of() float64 { return float64(s.Reached) / float64(max(s.All, 1)) }

// explain logs the files in which the number of statements by go build -cover, want, differs from that by probes.
func (o *ownTests) explain(t *testing.T, want shares) {
	got := shares{}
	for _, target := range o.overlay.targets.targets {
		if target.Kind == probedata.Statement {
			got.add(o.overlay.files[target.File].Name, target.Statements, o.scores[target.ID])
		}
	}
	for _, file := range slices.Sorted(maps.Keys(want)) {
		if want[file].All != got[file].All {
			t.Logf("%s: %d statements by go build -cover, %d by probes", file, want[file].All, got[file].All)
		}
	}
}

// covered runs a package's tests, built with -cover, and returns the result of each test. It returns false if
// the tests do not build or write no profile.
func (o *ownTests) covered(t *testing.T, pkg, dir string) ([]string, bool) {
	binary, profile := filepath.Join(t.TempDir(), "covered"), filepath.Join(t.TempDir(), "profile")
	c := exec.Command("go", "test", "-c", "-cover", "-coverpkg=./...", "-o", binary, pkg)
	c.Dir = o.dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Logf("%s: its tests do not build here: %s", pkg, complaintOf(string(out)))
		return nil, false
	}
	all := outcomes(t, binary, dir, "-test.coverprofile="+profile)
	data, err := os.ReadFile(profile)
	if err != nil {
		t.Logf("%s: its tests say nothing of what they reach: %v", pkg, err)
		return nil, false
	}
	for line := range strings.Lines(string(data)) {
		var n, count int
		place, rest, _ := strings.Cut(line, " ")
		if _, err := fmt.Sscan(rest, &n, &count); err == nil {
			o.counted[place] = block{n, o.counted[place].reached || count > 0}
		}
	}
	return all, true
}

// probed runs a package's tests with probes and returns the result of each.
func (o *ownTests) probed(t *testing.T, pkg, dir string) []string {
	binary := filepath.Join(t.TempDir(), "probed")
	run(t, o.dir, "go", append(append([]string{"test", "-c", "-vet=off", "-overlay", o.list}, o.flags...), "-o", binary, pkg)...)
	m := &probedata.Manifest{
		Build:   o.overlay.digest(),
		Preds:   o.overlay.preds(),
		Hits:    o.overlay.targets.hits,
		Files:   o.overlay.files,
		Targets: o.overlay.targets.targets,
	}
	var err error
	m.Address, err = memoryAddress(binary)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := probedata.NewMemory(m)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	t.Setenv(probedata.MemoryVariable, sharedFile(memory))
	all := outcomes(t, binary, dir)
	os.Unsetenv(probedata.MemoryVariable)
	if memory.Attached() == 0 {
		t.Errorf("%s: the tests did not share their probes' memory", pkg)
	}
	for _, s := range probedata.NewReader(m, memory).AppendScores(nil) {
		o.scores[s.Target] = o.scores[s.Target] || s.H == 1
	}
	return all
}

// verdict matches the line with the result of a test.
var verdict = regexp.MustCompile(`(?m)^\s*--- (PASS|FAIL|SKIP): (\S+) \(`)

// address matches addresses and times in the names of tests, which differ in each run.
var address = regexp.MustCompile(`0x[0-9a-f]+|time\.Date\([^)]*\)`)

// outcomes runs a test binary and returns the name and the result of each of its tests.
func outcomes(t *testing.T, binary, dir string, args ...string) []string {
	t.Helper()
	c := exec.Command(binary, append(args, "-test.v", "-test.short", "-test.timeout=600s")...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	var all []string
	for _, m := range verdict.FindAllSubmatch(out, -1) {
		all = append(all, address.ReplaceAllString(string(m[2]), "0x")+" "+string(m[1]))
	}
	if err != nil {
		all = append(all, "all "+cmp.Or(string(bytes.TrimSpace(lastLine(out))), err.Error()))
	}
	slices.Sort(all)
	return all
}

func lastLine(out []byte) []byte {
	out = bytes.TrimSpace(out)
	return out[bytes.LastIndexByte(out, '\n')+1:]
}
