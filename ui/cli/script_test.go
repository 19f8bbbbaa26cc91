package cli_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/runner/network/netns"
	"sonde/ui/cli"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == netns.KeeperCommand {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	if len(os.Args) == 5 && os.Args[1] == countedService {
		fmt.Fprintln(os.Stderr, serveCounted(os.Args[2], os.Args[3], os.Args[4]))
		os.Exit(1)
	}
	// Run more parallel tests than cores, because most tests wait for processes. The flag -parallel takes
	// precedence, because it is parsed later.
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	collectGarbageLess()
	testscript.Main(m, map[string]func(){
		"sonde":       func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		serverCommand: runNATS,
	})
}

// collectGarbageLess makes garbage collections rarer in the tests and in all processes that they start. This saves
// CPU time, because most of these processes are short and have small heaps. If the user has set GOGC, it does
// nothing.
func collectGarbageLess() {
	const percent = 400
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(percent)
	if err := os.Setenv("GOGC", strconv.Itoa(percent)); err != nil {
		panic(err)
	}
}

// The scripts in testdata/script run the sonde binary.
func TestScripts(t *testing.T) {
	t.Parallel()
	wholeProgram(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(
			*testscript.TestScript, bool, []string,
		){"code": code, "lines": lines, "begins": begins, "samelines": samelines, "guarded": guarded, "othermethods": otherMethods},
		Condition: func(name string) (bool, error) {
			if name != "namespaces" {
				return false, fmt.Errorf("%q is no condition", name)
			}
			return netns.CheckSupport() == nil, nil
		},
		Setup: func(e *testscript.Env) error {
			// Each script has its own home, but uses this user's caches of Go and of the demo's source.
			e.Setenv("HOME", e.WorkDir)
			if err := shareDemoSource(e.WorkDir); err != nil {
				return err
			}
			for _, place := range []string{"cache", "config", "state"} {
				e.Setenv("XDG_"+strings.ToUpper(place)+"_HOME", e.WorkDir+"/"+place)
			}
			for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOFLAGS", "GOPROXY", "GOTOOLCHAIN"} {
				e.Setenv(name, goEnv(name))
			}
			e.Setenv("GOGC", os.Getenv("GOGC"))
			testdata, err := filepath.Abs("testdata")
			e.Setenv("TESTDATA", testdata)
			return err
		},
	})
}

// shareDemoSource makes the cache below home refer to the demo's source in this machine's cache, so that Go
// compiles the demo only once for all homes. It does nothing if the cache already has the source.
func shareDemoSource(home string) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	shared, own := filepath.Join(cache, "sonde", "demo"), filepath.Join(home, "cache", "sonde")
	if err := errors.Join(os.MkdirAll(shared, 0o700), os.MkdirAll(own, 0o700)); err != nil {
		return err
	}
	if err := os.Symlink(shared, filepath.Join(own, "demo")); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// goVariables has the go command's variables that tests need.
var goVariables = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOFLAGS", "GOPROXY", "GOTOOLCHAIN", "GOROOT").Output()
	if err == nil {
		err = json.Unmarshal(out, &all)
	}
	if err != nil {
		return nil // there is no go command
	}
	return all
})

// goEnv returns a variable of the go command, "" if there is no go command.
func goEnv(name string) string { return goVariables()[name] }

// code runs a command and checks its exit code: "code 2 sonde check" expects 2, and "code 0,1 sonde search"
// expects 0 or 1.
func code(ts *testscript.TestScript, _ bool, args []string) {
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit := new(exec.ExitError)
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if !slices.Contains(strings.Split(args[0], ","), strconv.Itoa(got)) {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// lines waits until a file has a number of lines: "lines run/events.ndjson 3".
func lines(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	for range 3000 {
		data, _ := os.ReadFile(ts.MkAbs(args[0]))
		if strings.Count(string(data), "\n") >= want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("%s has not got %d lines", args[0], want)
}

// begins fails the script unless a file begins with all complete lines of another file.
func begins(ts *testscript.TestScript, _ bool, args []string) {
	head := ts.ReadFile(args[1])
	head = head[:strings.LastIndexByte(head, '\n')+1]
	if !strings.HasPrefix(ts.ReadFile(args[0]), head) {
		ts.Fatalf("%s does not begin with %s", args[0], args[1])
	}
}

// samelines fails the script unless two files have the same lines, in any order.
func samelines(ts *testscript.TestScript, _ bool, args []string) {
	sorted := func(file string) []string { return slices.Sorted(strings.Lines(ts.ReadFile(file))) }
	if diff := cmp.Diff(sorted(args[1]), sorted(args[0])); diff != "" {
		ts.Fatalf("other lines in %s than in %s:\n%s", args[0], args[1], diff)
	}
}
