package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sonde/ui/tty"
)

// patience is for slow machines; no test waits that long where all is well.
const patience = 60 * time.Second

// app builds the binary and runs it in a terminal.
func app(t *testing.T, width, height int, args ...string) (s *tty.Session, dir string) {
	t.Helper()
	dir = t.TempDir()
	binary := filepath.Join(dir, "bin", "sonde")
	if out, err := exec.Command("go", "build", "-o", binary, "sonde").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	cmd := exec.Command(binary, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "NO_COLOR=", "HOME="+dir)
	s, err := tty.Start(cmd, width, height)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s, dir
}

// keys types, and waits for what the screen should then show.
func keys(t *testing.T, s *tty.Session, steps ...string) {
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
)

// From the first screen to a written test file, by keys alone.
func TestFirstPathThroughTheApp(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {160, 50}} {
		s, dir := app(t, size.width, size.height)
		keys(t, s, "", "Gear shop", "2", "▸2 Groups", "3", "▸3 Graph", "4", "▸4 Seqs",
			"5", "▸5 Search", enter, "Done", "4", "search    ", " ", "1 picked", "6", "func Test", "w", "sonde_test.go")
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
	}
}
