// Command picture draws the README's picture from a real session: it runs the
// app in a pseudo-terminal, starts a search on the demo, turns a knob, and
// writes what the terminal shows as SVG.
//
//	go run ./docs/picture > docs/sonde.svg
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"sonde/ui/tty"
)

func main() {
	if err := draw(); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func draw() error {
	dir, err := os.MkdirTemp("", "sonde-picture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	app := filepath.Join(dir, "sonde")
	if out, err := exec.Command("go", "build", "-o", app, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
	}
	cmd := exec.Command(app)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir)
	s, err := tty.Start(cmd, 120, 36)
	if err != nil {
		return err
	}
	defer s.Kill()
	if err := play(s); err != nil {
		return err
	}
	return s.WriteSVG(os.Stdout)
}

// play starts a search, turns P, and waits until there is something to see.
func play(s *tty.Session) error {
	for _, step := range []struct{ keys, until string }{
		{"", "Gear shop"},
		{"5", "▸5 Search"},
		{"e", "esc leave"},
		{"40000\r", "40,000"},
		{"\r", "calls/s"},
		{"", `▶ [23]\d%`},
		{"\x1b[C\x1b[C", `┆P`},
		{"", `▶ [67]\d%`},
	} {
		if err := s.Type(step.keys); err != nil {
			return err
		}
		if err := s.Until(step.until, 20*time.Second, regexp.MustCompile(step.until).MatchString); err != nil {
			return err
		}
	}
	return nil
}
