package cli_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// coordinator is a command that distributes its work, with a server of its own.
type coordinator struct {
	*exec.Cmd
	dir, url string
	out      bytes.Buffer
	reading  sync.WaitGroup
}

// distribute starts a command in a folder and waits until workers can join.
func distribute(t *testing.T, dir string, args ...string) *coordinator {
	t.Helper()
	c := &coordinator{Cmd: natsCommand(t, dir, append(args, "--nats", "embedded")...), dir: dir}
	c.Stdout = &c.out
	errs, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill() })
	r, all := bufio.NewReader(errs), ""
	for c.url == "" {
		line, err := r.ReadString('\n')
		if all += line; err != nil {
			t.Fatalf("the server did not start: %s", all)
		}
		if _, url, ok := strings.Cut(line, "sonde worker --nats "); ok {
			c.url = strings.TrimSpace(url)
		}
	}
	c.reading.Go(func() { io.Copy(io.Discard, r) })
	return c
}

// wait waits until the command ends, and returns what it printed.
func (c *coordinator) wait(t *testing.T) string {
	t.Helper()
	c.reading.Wait()
	if err := c.Wait(); err != nil {
		t.Errorf("%v: %s", err, c.out.String())
	}
	return c.out.String()
}

// startWorker starts a worker that joins.
func (c *coordinator) startWorker(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	w := natsCommand(t, c.dir, append([]string{"worker", "--nats", c.url, "--jobs", "1"}, args...)...)
	w.Stderr = io.Discard
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Process.Kill() })
	return w
}

func natsCommand(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	c := command(dir, program(t), args...)
	c.Env = append(c.Env, "SONDE_NATS_TOKEN=secret")
	return c
}

// A survey by several workers, of which one is killed, has the same tables as one without.
func TestDistributedSurvey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	specs, err := filepath.Abs("../../model/openapi/testdata")
	if err != nil {
		t.Fatal(err)
	}
	alone, err := natsCommand(t, dir, "survey", specs, "--format", "json").Output()
	if err != nil {
		t.Fatal(err)
	}
	c := distribute(t, dir, "survey", specs, "--format", "json")
	first, killed := c.startWorker(t), c.startWorker(t)
	killed.Process.Kill()
	killed.Wait()
	if got := c.wait(t); got != string(alone) {
		t.Errorf("the survey by workers differs: %d bytes, and %d without workers", len(got), len(alone))
	}
	if err := first.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err != nil {
		t.Errorf("the worker, asked to end: %v", err)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, "state", "sonde", "campaigns")); len(left) > 0 {
		t.Errorf("data of the server is left: %v", left)
	}
}
