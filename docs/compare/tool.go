package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// tool is a program that searches a service.
type tool struct {
	name, version string
	// command returns the command line of the tool for a run.
	command func(s service, url string, j job) []string
}

// newTools builds Sonde and asks Schemathesis for its version.
func newTools(ctx context.Context, st string, extra []string, work string) ([]tool, error) {
	sonde := filepath.Join(work, "sonde")
	if err := build(ctx, ".", sonde); err != nil {
		return nil, err
	}
	ours, err := fingerprint(sonde)
	if err != nil {
		return nil, err
	}
	theirs, err := exec.CommandContext(ctx, st, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("-st: %q does not print a version as Schemathesis does: %w", st, err)
	}
	all := append(slices.Clone(flags), extra...)
	version := strings.TrimSpace(string(theirs)) + " " + strings.Join(all, " ")
	return []tool{
		{name: "Sonde", version: ours, command: sondeSearch(sonde)},
		{name: "Schemathesis", version: version, command: schemathesis(st, all)},
	}, nil
}

// job is one run of a tool.
type job struct{ seed, requests int }

// result is what the proxy recorded in a run, and how long the run took.
type result struct {
	Pairs, Faults map[string]bool
	Requests      int
	Took          time.Duration
}

// sondeSearch returns the command of Sonde for a run.
func sondeSearch(program string) func(service, string, job) []string {
	return func(s service, url string, j job) []string {
		return []string{
			program, "search", s.spec, "--url", url, "--config", s.config, "--calls", strconv.Itoa(j.requests),
			"--seed", strconv.Itoa(j.seed), "-o", "run",
		}
	}
}

// flags are flags for all phases of Schemathesis: examples, coverage, fuzzing and stateful. With
// --max-time, fuzzing and stateful alternate until the requests are used up. --max-examples makes their
// turns short, so that each has several.
var flags = []string{"--max-time", "3600", "--max-examples", "30", "--continue-on-failure", "--suppress-health-check", "all", "--no-color"}

// schemathesis returns the command of Schemathesis for a run.
func schemathesis(program string, flags []string) func(service, string, job) []string {
	return func(s service, url string, j job) []string {
		c := []string{program}
		if s.toml != "" {
			c = append(c, "--config-file", s.toml)
		}
		return append(append(c, "run", s.spec, "--url", url, "--seed", strconv.Itoa(j.seed)), flags...)
	}
}

// search runs the tool on a new copy of the service, until the tool ends or has used up its requests. A run
// without a request is an error.
func (t tool) search(ctx context.Context, s service, j job) (result, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	at, gone, err := s.start(ctx)
	if err != nil {
		return result{}, err
	}
	defer func() { stop(); gone() }()
	running, enough := context.WithCancel(ctx)
	defer enough()
	p := newProxy(at, s.router, j.requests, enough)
	front := httptest.NewServer(p)
	defer front.Close()

	from := time.Now()
	command := t.command(s, front.URL, j)
	err = play(running, command)
	took := time.Since(from)
	front.Close() // no request passes any more
	r := p.seen()
	r.Took = took
	if err == nil && r.Requests == 0 {
		err = fmt.Errorf("sent no request: run %s to see why", strings.Join(command, " "))
	}
	return r, cmp.Or(ctx.Err(), err)
}

// play runs a command until the command ends or ctx is done. The command runs in a new folder, because a tool
// may learn from the files of an earlier run. The exit codes 0 and 1 say whether the tool found faults. Any
// other exit code is an error, unless ctx is done.
func play(ctx context.Context, command []string) error {
	dir, err := os.MkdirTemp("", "sonde-compare-run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir, c.WaitDelay = dir, time.Second
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+dir)
	out, err := c.CombinedOutput()
	if err == nil || ctx.Err() != nil || c.ProcessState != nil && c.ProcessState.ExitCode() == 1 {
		return nil
	}
	return fmt.Errorf("%w: %s", err, out)
}
