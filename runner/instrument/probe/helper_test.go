package probe

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sonde/model"
	"sonde/runner/instrument/probedata"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// buildDir is a folder for the programs that several tests use. TestMain removes it.
var buildDir string

func TestMain(m *testing.M) {
	var err error
	buildDir, err = os.MkdirTemp("", "sonde-test-")
	if err != nil {
		panic(err)
	}
	// Linking without DWARF takes half the time.
	os.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -ldflags=-w")
	os.Setenv("GOGC", cmp.Or(os.Getenv("GOGC"), "400")) // the tools of Go take less time with more memory
	code := m.Run()
	os.RemoveAll(buildDir)
	os.Exit(code)
}

// module writes the files of a module, given as txtar, to a new folder.
func module(t *testing.T, files string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(files)).Files {
		write(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	return dir
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// built builds the main package in a folder with probes, and checks that the folder does not change.
// It skips short tests.
func built(t *testing.T, o Options) *Result {
	t.Helper()
	needsBuild(t)
	return builtAs(t, o, filepath.Join(t.TempDir(), "service"))
}

// builtAs is like built, but the caller gives the path of the binary.
func builtAs(t *testing.T, o Options, binary string) *Result {
	t.Helper()
	o.Package = cmp.Or(o.Package, ".")
	o.Out = binary
	before := tree(t, o.Dir)
	r, err := Build(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(before, tree(t, o.Dir)); diff != "" {
		t.Errorf("the source changed:\n%s", diff)
	}
	return r
}

// moduleBuild is a module and its build with probes.
type moduleBuild struct {
	dir    string
	result *Result
}

// moduleBuilds are the builds of builtModule, by the files and the options.
var moduleBuilds = map[string]moduleBuild{}

// builtModule writes the files of a module, given as txtar, to a folder, and builds the module with probes. Tests of
// the same files and options share the folder and the build, which they must not change.
func builtModule(t *testing.T, files string, o Options) (dir string, r *Result) {
	t.Helper()
	needsBuild(t)
	key := fmt.Sprintf("%+v %s", o, files)
	if b, ok := moduleBuilds[key]; ok {
		return b.dir, b.result
	}
	parent, err := filepath.EvalSymlinks(buildDir)
	if err != nil {
		t.Fatal(err)
	}
	dir, err = os.MkdirTemp(parent, "module-")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(files)).Files {
		write(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	o.Dir = dir
	moduleBuilds[key] = moduleBuild{dir: dir, result: builtAs(t, o, dir+".probed")}
	return dir, moduleBuilds[key].result
}

// manifestOf returns the manifest of a main package as it is before the package is compiled. It skips short tests.
func manifestOf(t *testing.T, o Options) *probedata.Manifest {
	t.Helper()
	needsBuild(t)
	o.Package = "."
	o, err := o.resolved()
	if err != nil {
		t.Fatal(err)
	}
	tools, err := openToolchain(t.Context(), o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	l, err := load(t.Context(), o, tools)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newProbedSource(l, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return (&builder{options: o, tools: tools, loaded: l}).manifest(s)
}

// needsBuild skips a test in short test runs, because the test builds and runs a program.
func needsBuild(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and runs a program")
	}
}

// ladderBuild is a program with one branch of each kind, and one operation of each kind that may panic. It is built
// once, with probes.
var ladderBuild = sync.OnceValues(func() (*Result, error) {
	o := Options{Dir: "testdata/ladder", Package: ".", Out: filepath.Join(buildDir, "ladder"), Panics: true}
	return Build(context.Background(), o)
})

// familyBuild is a program that starts others, built once with probes.
var familyBuild = sync.OnceValues(func() (*Result, error) {
	return Build(context.Background(), Options{Dir: "testdata/family", Package: ".", Out: filepath.Join(buildDir, "family")})
})

// builtFamily builds the program testdata/family at its first call, and returns this build at each call.
func builtFamily(t *testing.T) *Result {
	t.Helper()
	return builtOnce(t, familyBuild)
}

// builtLadder returns the build of the ladder.
func builtLadder(t testing.TB) *Result {
	t.Helper()
	return builtOnce(t, ladderBuild)
}

// builtOnce returns the result of a build that tests share.
func builtOnce(t testing.TB, build func() (*Result, error)) *Result {
	t.Helper()
	needsBuild(t)
	r, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// watched is a probed program with its memory.
type watched struct {
	*probedata.Reader
	t        *testing.T
	result   *Result
	manifest *probedata.Manifest
	memory   *probedata.Memory
}

func watch(t *testing.T, r *Result) *watched {
	t.Helper()
	m, err := probedata.ReadManifest(r.Binary)
	if err != nil {
		t.Fatal(err)
	}
	return watchBuild(t, r, m)
}

// watchBuild is like watch, but the caller gives the manifest, which may be that of another build.
func watchBuild(t *testing.T, r *Result, m *probedata.Manifest) *watched {
	t.Helper()
	mem, err := probedata.NewMemory(m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mem.Close() })
	return &watched{Reader: probedata.NewReader(m, mem), t: t, result: r, manifest: m, memory: mem}
}

// sharedFile returns the path of the shared file of a memory.
func sharedFile(m *probedata.Memory) string {
	return strings.TrimPrefix(m.EnvVariable(), probedata.MemoryVariable+"=")
}

func (w *watched) command() *exec.Cmd {
	c := exec.Command(w.result.Binary)
	c.Env = append(os.Environ(), w.memory.EnvVariable())
	return c
}

// talk starts the program. ask sends the program a line and returns its answer.
func (w *watched) talk(args ...string) (ask func(line string) string) {
	w.t.Helper()
	c := w.command()
	c.Args = append(c.Args, args...)
	in, err := c.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { in.Close(); io.Copy(io.Discard, out); c.Wait() })
	answers := bufio.NewReader(out)
	return func(line string) string {
		fmt.Fprintln(in, line)
		answer, err := answers.ReadString('\n')
		if err != nil {
			w.t.Fatalf("%q got no answer: %v", line, err)
		}
		return strings.TrimSpace(answer)
	}
}

// find returns the only target of a kind on the line that contains a text.
func (w *watched) find(kind probedata.TargetKind, source, text string) probedata.Target {
	w.t.Helper()
	for i, line := range strings.Split(source, "\n") {
		if !strings.Contains(line, text) {
			continue
		}
		for _, t := range w.manifest.Targets {
			if t.Kind == kind && t.Line == i+1 {
				return t
			}
		}
	}
	w.t.Fatalf("no target %q on a line with %q", kind, text)
	return probedata.Target{}
}

// near returns the score of a target.
func near(scores []model.Score, id string) float64 {
	for _, s := range scores {
		if s.Target == id {
			return s.H
		}
	}
	return 0
}

// run runs a command in a folder and returns its output.
func run(t testing.TB, dir, command string, args ...string) string {
	t.Helper()
	c := exec.Command(command, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", command, args, err, out)
	}
	return string(out)
}
