package cli_test

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"sonde/ui/tty"
)

// patience is a timeout that is long enough for slow machines.
const patience = 2 * time.Minute

// app runs Sonde in a terminal, in a new folder.
func app(t *testing.T, width, height int, args ...string) (s *tty.Session, dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := shareDemoSource(dir); err != nil {
		t.Fatal(err)
	}
	return begin(t, command(t, dir, "sonde", args...), width, height), dir
}

// longestCommand is a timeout for whole commands: longer than any of them takes, and shorter than the timeout of the
// package.
const longestCommand = 5 * time.Minute

// bounded returns a command that may run for longestCommand, or four times as long with -campaigns. After this time
// it prints its goroutines and ends. Its Wait returns even if the command leaves processes behind.
func bounded(t testing.TB, binary string, args ...string) *exec.Cmd {
	t.Helper()
	limit := longestCommand
	if fullForm() {
		limit *= 4
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// fullForm reports whether the flag -campaigns is set. Tests are then as large as in .ci/full, the complete check of
// the repository.
func fullForm() bool { return flag.Lookup("campaigns").Value.String() == "true" }

// command returns a command that runs a binary in a folder, which is also its home.
func command(t testing.TB, dir, binary string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := bounded(t, binary, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "NO_COLOR=", "CI=") // with a value, NO_COLOR and CI turn colours off
	for _, place := range []string{"CACHE", "CONFIG", "STATE"} {
		cmd.Env = append(cmd.Env, "XDG_"+place+"_HOME="+filepath.Join(dir, strings.ToLower(place)))
	}
	cmd.Env = append(cmd.Env, "GOCACHE="+goEnv("GOCACHE")) // the new home has an empty cache
	return cmd
}

// wholeProgram skips a test that runs Sonde as a process if testing.Short is set.
func wholeProgram(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("it runs the whole program: left out by -short")
	}
}

// program returns the path of the binary that the tests run as sonde.
func program(t testing.TB) string {
	t.Helper()
	wholeProgram(t)
	path, err := exec.LookPath("sonde")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// begin runs a command in a terminal.
func begin(t testing.TB, cmd *exec.Cmd, width, height int) *tty.Session {
	t.Helper()
	wholeProgram(t)
	s, err := tty.Start(cmd, width, height)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s
}

// keys types keys, and waits for their effect. steps are pairs of keys and a text: after typing the keys of a pair, it
// waits until the screen shows the text.
func keys(t testing.TB, s *tty.Session, steps ...string) {
	t.Helper()
	for i := 0; i < len(steps); i += 2 {
		if err := s.Type(steps[i]); err != nil {
			t.Fatal(err)
		}
		if err := s.WaitFor(steps[i+1], patience); err != nil {
			t.Fatalf("after %q: %v", steps[i], err)
		}
	}
}

const (
	enter = "\r"
	right = "\x1b[C"
	esc   = "\x1b"
	down  = "\x1b[B"
	ctrlX = "\x18"
)

// A sequence of keys leads from the first screen to a written test file.
func TestFirstPathThroughTheApp(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {160, 50}} {
		s, dir := app(t, size.width, size.height)
		keys(t, s, "", "New here?", ctrlX, "", "2", "▸2 Groups", "3", "▸3 Graph", "4", "▸4 Seqs", "5", "▸5 Search",
			"e", "esc cancel", "500", "500", enter, "up to 500 calls", enter, "Done",
			"4", "search    ", " ", "1 picked", "6", "package apitest",
			"o", "Formats", "/", "/ ", "hurl", "needs Hurl 7", enter, "Hurl", enter, "format  hurl",
			"o", "Formats", "\x1b[H", "▸ go", enter, "format  go", "w", "written")
		file, err := os.ReadFile(filepath.Join(dir, "sonde-tests", "sonde_test.go"))
		if err != nil || !strings.Contains(string(file), "func Test") {
			t.Errorf("%dx%d: wrote %q, error %v", size.width, size.height, file, err)
		}
		if err := s.Type("q"); err != nil {
			t.Fatal(err)
		}
		if code, err := s.Wait(patience); code != 0 || err != nil {
			t.Errorf("%dx%d: exit code %d, error %v", size.width, size.height, code, err)
		}
		if state, err := os.ReadFile(filepath.Join(dir, "state", "sonde", "state.json")); err != nil ||
			!strings.Contains(string(state), `"folder": `) {
			t.Errorf("remembered %s, error %v", state, err)
		}
	}
}

// Quitting during a search asks for confirmation and loses nothing.
func TestQuitDuringASearch(t *testing.T) {
	t.Parallel()
	s, dir := app(t, 100, 30)
	keys(
		t, s, "", "Gear shop", "5", "▸5 Search", "e", "esc cancel", "9000000", "9000000", enter, "9,000,000", enter,
		"calls/s", "q", "Quit?",
	)
	time.Sleep(600 * time.Millisecond) // a dialog that opens by itself ignores keys for half a second
	keys(t, s, esc, "running", "q", "Quit?")
	time.Sleep(600 * time.Millisecond)
	if err := s.Type("y"); err != nil {
		t.Fatal(err)
	}
	if code, err := s.Wait(patience); code != 0 || err != nil {
		t.Errorf("exit code %d, error %v", code, err)
	}
	events := find(t, dir, "events.ndjson")
	if len(events) != 1 {
		t.Fatalf("runs on disk: %v", events)
	}
	text, err := os.ReadFile(events[0])
	if err != nil || !strings.Contains(string(text), `{"event":"stopped"`) {
		t.Errorf("the run was not ended properly: error %v", err)
	}
}

// The user steers a search by keys: a knob, an operation, single steps, a hand-made seq. The run records these
// commands, so that --replay repeats them.
func TestSteeringASearch(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	t.Parallel()
	s, dir := app(t, 160, 50)
	keys(t, s, "", "Gear shop", "5", "▸5 Search", "e", "esc cancel", "9000000", "9000000", enter, "9,000,000", enter, "running",
		right, "P .60→.65", "v", "▸ ", "m", "×0", ".", "paused", ".", "Why t",
		"4", "▸4 Seqs", "s", "tries 1 seq next", "5", "▸5 Search",
		".", "made from a seq of yours", " ", "running", "x", "--replay")
	events := find(t, dir, "events.ndjson")
	if len(events) != 1 {
		t.Fatalf("runs on disk: %v", events)
	}
	text, err := os.ReadFile(events[0])
	for _, want := range []string{`"knob":"smart","value":0.65`, `"kind":"mute"`, `"try":{"steps"`} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("no %s in the events, error %v", want, err)
		}
	}
}

// A run that is started from the form has the form's settings, even with several copies of the demo.
func TestSettingsOfASearch(t *testing.T) {
	t.Parallel()
	s, dir := app(t, 120, 40)
	keys(t, s, "", "Gear shop", "5", "▸5 Search", "e", "esc cancel", "900", "900", enter, "▸ Start",
		"\x1b[F", "▸ security", "\x1b[A", "▸ distilled", right, "0.05", "\x1b[A", "▸ invalid", right, "0.15",
		"\x1b[A", "▸ minimise", right, "0.15", "\x1b[A", "▸ workers", right, " 2 ", "s", "done")
	runs := find(t, dir, "run.json")
	if len(runs) != 1 {
		t.Fatalf("runs on disk: %v", runs)
	}
	text, err := os.ReadFile(runs[0])
	if want := "--workers 2 --seed 1 --smart 0.6 --random 0.5 --focus 0.5 --invalid 0.15 --distilled 0.05 --minimise 0.15"; err != nil ||
		!strings.Contains(string(text), want) {
		t.Errorf("no %s in %s, error %v", want, text, err)
	}
}

// After ctrl-C, sonde search prints its summary and ends.
func TestInterruptedSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	s, dir := app(t, 100, 30, "search", "--demo", "--time", "1h", "-o", "run")
	keys(t, s, "", "targets", "\x03", "repeat")
	if code, err := s.Wait(patience); code > 1 || err != nil {
		t.Errorf("exit code %d, error %v", code, err)
	}
	if suite, err := os.ReadFile(filepath.Join(dir, "run", "suite.json")); err != nil || !strings.Contains(string(suite), `"covers"`) {
		t.Errorf("suite.json: %.100q, error %v", suite, err)
	}
}

// find returns the files with a name below a folder. Tests use it for files in the user's cache, whose folder depends
// on the operating system.
func find(t *testing.T, dir, name string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == name {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestAppAndService has the tests of the app that wait for builds or for other hosts. They run in parallel
// with other tests, but one after the other, because several apps at once can slow each other down too
// much.
func TestAppAndService(t *testing.T) {
	t.Parallel()
	t.Run("source", testSourceInTheApp)
	t.Run("network", testNetworkInTheApp)
	t.Run("by hand", testByHandInTheApp)
	t.Run("events", testEventsOfASteeredSearch)
}

// The app shows the demo's source and its coverage, during a white-box search and after it.
func testSourceInTheApp(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("memory is not shared by a file")
	}
	s, _ := app(t, 120, 40, "--demo", "--white")
	keys(t, s, "", "Gear shop", "5", "white-box", "e", "esc cancel", "1500", "1500", enter, "1,500",
		enter, "white-box", "c", "branches", "\x1b[F", "▸   main.go", enter, "func main() {",
		"c", "Done in", "c", "line 1 no statement", esc, "stmts",
		"\x1b[A\x1b[A", "▸   users.go", enter, "package demo", "nnN", "line ")
	keys(t, s, "j", "line ", "q", "")
	if code, err := s.Wait(patience); code != 0 || err != nil {
		t.Errorf("exit code %d, error %v", code, err)
	}
}

// During a search, the user injects a fault into a host by a key, and removes it again. The fault takes effect, and
// is written to the run.
func testNetworkInTheApp(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no virtual network")
	}
	s, dir := app(t, 120, 40, "--demo", "--net")
	keys(
		t, s, "", "Gear shop", "7", "Needs a search with network on", "5", "▸5 Search", "e", "esc cancel",
		"9000000", "9000000", enter, "9,000,000", enter, "virtual network",
	)
	if err := s.WaitFor("running", 5*patience); err != nil { // the first build compiles package net
		t.Fatal(err)
	}
	keys(t, s, "7", "payments.example:80", "i", "esc cancel", "\x1b[B\x1b[B", "▸ refuse",
		enter, "injected  ◆ refuse", "x", "▸7 Network")
	notThere := func(screen string) bool { return !strings.Contains(screen, "injected  ◆") }
	if err := s.Until("the fault is taken away", patience, notThere); err != nil {
		t.Error(err)
	}
	keys(t, s, "5", "▸5 Search", "x", "--replay")
	events := find(t, dir, "events.ndjson")
	if len(events) != 1 {
		t.Fatalf("runs on disk: %v", events)
	}
	text, err := os.ReadFile(events[0])
	for _, want := range []string{`"answers":[{"fault":"refuse"}]`, `"answers":null`} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("no %s in the events, error %v", want, err)
		}
	}
}

// The user sends a request manually, sees the hosts that the service called, injects an answer for one of
// them, and keeps a test.
func testByHandInTheApp(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no virtual network")
	}
	s, dir := app(t, 120, 40, "--demo", "--net")
	keys(
		t, s, "", "Gear shop", "/", "to the list", "stock", "2 of 28", enter, "send a request", "r",
		"POST products", "\x1b[B", "▸ as", "\x1b[D", "anonymous", "\x1b[D", "admin", "r", "esc give it up",
	)
	if err := s.WaitFor("✓ 200", 5*patience); err != nil { // the first build compiles package net
		t.Fatal(err)
	}
	keys(
		t, s, esc, "← operations", "\x1b[D", "⏎ open", "\x1b[B", "╭─ POST /stock/{sku}/sync", "r", "TENT-0001",
		"r", "✗ 503", "7", "stock.example:7000",
	)
	keys(t, s, "i", "http or tcp", right, "send text and close", enter, "hello", "\x15OK 12\\r\\n"+enter, "injected  ◆ answer")
	keys(
		t, s, "1", "with 1 stub of yours", "r", "✓ 200", "a", "Kept as a test of 2 calls", "4", "by hand", "6",
		"package apitest", "w", "written",
	)
	file, err := os.ReadFile(filepath.Join(dir, "sonde-tests", "sonde_test.go"))
	for _, want := range []string{"stock.example:7000", "OK 12", "func Test"} {
		if err != nil || !strings.Contains(string(file), want) {
			t.Errorf("no %s in the file, error %v", want, err)
		}
	}
	if err := s.Type("q"); err != nil {
		t.Fatal(err)
	}
	if code, err := s.Wait(patience); code != 0 || err != nil {
		t.Errorf("exit code %d, error %v", code, err)
	}
}
