package cli_test

import (
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// SIGHUP, which is sent when the terminal closes, ends a search in an orderly way, so that its results are kept. The
// kernel and the shell may both send it. A search that was started with SIGHUP ignored, as by nohup, continues.
func TestHangUp(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGHUP")
	}
	// If the tests themselves run under nohup, the processes that they start would ignore SIGHUP,
	// too. Catching it here prevents that.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	binary := program(t)
	for name, c := range map[string]struct {
		before string
		first  []syscall.Signal
		again  int // number of times that the last signal is sent again
	}{
		"heeded":       {"", []syscall.Signal{syscall.SIGHUP}, 0},
		"sent by many": {"", []syscall.Signal{syscall.SIGHUP}, 20},
		"ignored":      {"trap '' HUP; ", []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			cmd := command(t, dir, "sh", "-c", c.before+"exec "+binary+" search --demo --time 1h -o run")
			var out strings.Builder
			cmd.Stdout = &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Process.Kill()
			events := func() string {
				text, _ := os.ReadFile(filepath.Join(dir, "run", "events.ndjson")) // "" until the file exists
				return string(text)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			for i, s := range c.first {
				from := len(events())
				meanwhile(
					t, ended,
					func() bool { return strings.Contains(events()[from:], `"covered"`) || from > 0 && len(events()) > from },
				)
				if err := cmd.Process.Signal(s); err != nil {
					t.Fatalf("signal %d: %v", i+1, err)
				}
			}
			for range c.again {
				time.Sleep(time.Millisecond)
				_ = cmd.Process.Signal(c.first[len(c.first)-1]) // fails if the search has ended
			}
			select {
			case <-ended:
			case <-time.After(patience):
				t.Fatal("the search did not end")
			}
			suite, err := os.ReadFile(filepath.Join(dir, "run", "suite.json"))
			if code := cmd.ProcessState.ExitCode(); code < 0 || code > 1 ||
				!strings.Contains(out.String(), "repeat") || !strings.Contains(string(suite), `"covers"`) {
				t.Errorf("exit code %d, printed %q, suite %.100q, error %v", code, out.String(), suite, err)
			}
		})
	}
}

// meanwhile waits until done returns true. It fails the test if the command ends earlier.
func meanwhile(t *testing.T, ended <-chan error, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(time.Millisecond) {
		select {
		case err := <-ended:
			t.Fatalf("the search ended by itself: %v", err)
		default:
		}
		if time.Now().After(end) {
			t.Fatal("waited in vain")
		}
	}
}
