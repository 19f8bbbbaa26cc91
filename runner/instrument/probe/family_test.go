package probe

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"sonde/runner/instrument/probedata"
)

// reachedOf reports which functions of testdata/family were reached, that is, whether the first block of each
// was.
func (w *watched) reachedOf(functions ...string) map[string]bool {
	w.t.Helper()
	source, err := os.ReadFile("testdata/family/main.go")
	if err != nil {
		w.t.Fatal(err)
	}
	scores, all := w.AppendScores(nil), map[string]bool{}
	for _, f := range functions {
		all[f] = near(scores, w.find(probedata.Statement, string(source), "func "+f+"(").ID) == 1
	}
	return all
}

func (w *watched) runs(args ...string) string {
	w.t.Helper()
	c := exec.Command(w.result.Binary, args...)
	c.Env = append(os.Environ(), w.memory.EnvVariable())
	out, err := c.CombinedOutput()
	if err != nil {
		w.t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// If a service replaces itself by exec or starts itself as a child, all processes share the memory.
func TestFamily(t *testing.T) {
	r := builtFamily(t)
	for name, args := range map[string][]string{"again": {"again"}, "parent": {"parent", r.Binary, "child"}} {
		w := watch(t, r)
		if out := w.runs(args...); out != "child\n" || w.memory.Attached() != 2 {
			t.Errorf("%s: %d processes share the memory, %s", name, w.memory.Attached(), out)
		}
		if got := w.reachedOf("main", name, "child", "stubborn"); !got["main"] || !got[name] || !got["child"] || got["stubborn"] {
			t.Errorf("%s: reached %v", name, got)
		}
	}
}

// A child that is another probed program does not share the memory, and prints a message.
func TestStranger(t *testing.T) {
	_, stranger := builtModule(t, little, Options{})
	w := watch(t, builtFamily(t))
	if out := w.runs("parent", stranger.Binary, ""); !strings.Contains(out, "runs without probes: "+sharedFile(w.memory)+" is ") ||
		w.memory.Attached() != 1 {
		t.Errorf("%d processes share the memory, %s", w.memory.Attached(), out)
	}
	if got := w.reachedOf("parent", "child"); !got["parent"] || got["child"] {
		t.Errorf("reached %v", got)
	}
}

// The scores of a service can be read even if the service had to be killed.
func TestServiceThatMustBeKilled(t *testing.T) {
	w := watch(t, builtFamily(t))
	c := w.command()
	c.Args = append(c.Args, "stubborn")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	lines.Scan()
	if lines.Text() != "no" {
		t.Errorf("it says %q", lines.Text())
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if got := w.reachedOf("stubborn", "child"); !got["stubborn"] || got["child"] {
		t.Errorf("reached %v", got)
	}
}
