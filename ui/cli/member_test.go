package cli_test

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// writtenLines are the lines that a process has written to its standard error. They are safe for concurrent use.
type writtenLines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *writtenLines) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(data)
}

func (l *writtenLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// await waits until the process has written a text.
func (l *writtenLines) await(t testing.TB, text string) {
	t.Helper()
	for end := time.Now().Add(patience); !strings.Contains(l.String(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %q in %s", text, l.String())
		}
	}
}

// member is a worker or a coordinator as a process.
type member struct {
	*exec.Cmd
	urls string // URLs of the NATS servers
	errs *writtenLines
	out  bytes.Buffer
}

// natsCommand returns a command with the token of the servers.
func natsCommand(t testing.TB, dir string, args ...string) *exec.Cmd {
	t.Helper()
	c := command(t, dir, program(t), args...)
	c.Env = append(c.Env, "SONDE_NATS_TOKEN=secret")
	return c
}

// join starts a binary as a process that joins the servers at urls. If binary is "", it starts the binary that the
// function program returns.
func join(t testing.TB, binary, dir, urls string, args ...string) *member {
	t.Helper()
	m := &member{Cmd: natsCommand(t, dir, append(args, "--nats", urls)...), urls: urls, errs: &writtenLines{}}
	if binary != "" {
		m.Path = binary
	}
	m.Stdout, m.Stderr = &m.out, m.errs
	if err := m.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Process.Kill() })
	return m
}

// distribute starts a command with an embedded NATS server, and waits until workers can join.
func distribute(t *testing.T, dir string, args ...string) *member {
	t.Helper()
	c := join(t, "", dir, "embedded", args...)
	const invitation = "sonde worker --nats "
	c.errs.await(t, invitation)
	for end := time.Now().Add(patience); c.urls == "embedded"; time.Sleep(10 * time.Millisecond) {
		_, rest, _ := strings.Cut(c.errs.String(), invitation)
		if url, _, whole := strings.Cut(rest, "\n"); whole {
			c.urls = strings.TrimSpace(url)
		} else if time.Now().After(end) {
			t.Fatalf("no URL in %s", c.errs)
		}
	}
	return c
}

// startWorker starts a worker that joins the servers of a coordinator.
func (m *member) startWorker(t *testing.T, args ...string) *member {
	t.Helper()
	return join(t, "", m.Dir, m.urls, append([]string{"worker", "--jobs", "1"}, args...)...)
}

// joinWorkers starts workers and waits until they have joined.
func joinWorkers(t testing.TB, n int, dir, urls string, flags ...string) (all []*member) {
	t.Helper()
	for range n {
		all = append(all, join(t, "", dir, urls, append([]string{"worker", "--jobs", "1"}, flags...)...))
	}
	for _, w := range all {
		w.errs.await(t, "joined")
	}
	return all
}

// wait waits until the command has succeeded, and returns what it printed.
func (m *member) wait(t testing.TB) string {
	t.Helper()
	if err := m.Wait(); err != nil {
		t.Fatalf("%v: %s%s", err, m.out.String(), m.errs)
	}
	return m.out.String()
}

// drain asks a worker to end and waits until it has.
func (m *member) drain(t testing.TB) {
	t.Helper()
	if err := m.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := m.Wait(); err != nil {
		t.Errorf("a worker that was asked to end: %v: %s", err, m.errs)
	}
}

// hasFailed reports whether a search has failed, given the error of its process. The exit code 1 is no failure: the
// search has found faults.
func hasFailed(err error) bool {
	var exit *exec.ExitError
	return err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1)
}
