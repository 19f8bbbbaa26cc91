// Command picture draws the pictures of the documentation from real sessions: it runs the app in a
// pseudo-terminal on the demo and its service, presses keys, waits for the result, and writes the
// screen as SVG, a file for each screen.
//
//	go run ./docs/picture              # all
//	go run ./docs/picture graph seqs   # some
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"sonde/ui/tty"
)

// folder is the folder of the pictures, next to the pages that show them.
const folder = "docs/screens"

// stepTimeout is the maximum duration of a step. Some steps build the service with probes.
const stepTimeout = 2 * time.Minute

func main() {
	if err := draw(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// draw draws the pictures with the given names, or all pictures if there are none.
func draw(names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(scenes, func(s scene) bool { return s.name == name }) {
			return fmt.Errorf("there is no picture %q; there are %s", name, strings.Join(sceneNames(), ", "))
		}
	}
	dir, err := os.MkdirTemp("", "sonde-picture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := build(dir, "sonde", "."); err != nil {
		return err
	}
	for _, s := range scenes {
		if len(names) > 0 && !slices.Contains(names, s.name) {
			continue
		}
		if err := s.draw(dir); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// sceneNames returns the names of all pictures.
func sceneNames() (all []string) {
	for _, s := range scenes {
		all = append(all, s.name)
	}
	return all
}

// build builds the program of a package into a folder, under the given name.
func build(dir, name, pkg string) error {
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, name), pkg).CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
	}
	return nil
}

// draw plays a scene in a new folder and writes the last screen as a picture.
func (s scene) draw(dir string) error {
	home, err := os.MkdirTemp(dir, s.name)
	if err != nil {
		return err
	}
	if s.before != nil {
		if err := s.before(dir, home); err != nil {
			return err
		}
	}
	cmd := exec.Command(filepath.Join(dir, "sonde"), s.args...)
	cmd.Dir, cmd.Env = home, os.Environ()
	for _, place := range []string{"CACHE", "CONFIG", "STATE"} {
		cmd.Env = append(cmd.Env, "XDG_"+place+"_HOME="+home)
	}
	t, err := tty.Start(cmd, 120, 36)
	if err != nil {
		return err
	}
	defer t.Kill()
	if err := play(t, append([]step{{"", "New here"}, {ctrlX, "keys"}}, s.steps...)); err != nil {
		return err
	}
	if err := t.Until("the screen to rest", stepTimeout, rests()); err != nil {
		return err
	}
	return write(t, filepath.Join(folder, s.name+".svg"))
}

// rests returns a function that reports whether the screen has been unchanged for 300 ms. It always returns
// true for the screen of a running search, which changes all the time.
func rests() func(screen string) bool {
	last, since := "", time.Now()
	return func(screen string) bool {
		if screen != last {
			last, since = screen, time.Now()
		}
		return time.Since(since) > 300*time.Millisecond || strings.Contains(screen, "calls/s")
	}
}

// play types the keys of each step and waits until the screen matches the pattern of the step.
func play(t *tty.Session, steps []step) error {
	for _, s := range steps {
		if err := t.Type(s.keys); err != nil {
			return err
		}
		if err := t.Until(s.until, stepTimeout, regexp.MustCompile(s.until).MatchString); err != nil {
			return fmt.Errorf("after %q: %w", s.keys, err)
		}
	}
	return nil
}

// write writes the screen of a terminal session to a file, as SVG.
func write(t *tty.Session, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return t.WriteSVG(f)
}
