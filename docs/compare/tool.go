package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// tool is a program that searches a service.
type tool struct {
	name, version string
	// command returns the command line of the tool for a run. It may write files to the folder of the run.
	command func(t target, j job) ([]string, error)
	starts  bool // the tool builds and starts the service, and reports its coverage
}

// target is the data about a service that a tool gets.
type target struct {
	spec  string // the path of the spec's file
	url   string // the URL of the proxy
	base  string // path that follows the URL, "" for none
	users []user
	sonde map[string]any // settings of Sonde's configuration
	sut   map[string]any // how Sonde builds and starts the service, for its configuration; nil if it does not
	dir   string         // the folder of the run, which is the tool's working folder
}

// job is one run of a tool.
type job struct {
	seed, requests int
	limit          time.Duration
}

// result has what the proxy recorded in a run, the coverage of the service, and the duration of the run.
type result struct {
	Pairs, Faults map[string]bool
	Requests      int
	Took          time.Duration
	Late          bool // the run ended because of its time limit
	Crashes       int  // number of times that the service ended by itself
	Statements    coverage
}

// search runs the tool on a new copy of the service. It ends when the tool ends, has used up its requests, or
// has run for the limit of the job. The files of the run are in the folder dir. A run in which the tool sends
// no request is an error.
func (t tool) search(ctx context.Context, s service, j job, dir string, keep bool) (r result, err error) {
	copied, err := s.start(ctx, dir)
	if err != nil {
		return r, err
	}
	on := target{spec: s.Spec, base: s.base, users: copied.users, sonde: s.Sonde, dir: dir}
	if t.starts {
		if copied, err = copied.startAgainByTool(ctx, s, dir); err != nil {
			return r, err
		}
		on.sut = copied.sut(s)
	}
	defer func() {
		var failed error
		r.Statements, r.Crashes, failed = copied.end(context.WithoutCancel(ctx))
		if err == nil && t.starts {
			r.Statements, err = reportedCoverage(dir)
		}
		err = cmp.Or(err, failed)
	}()
	running, enough := context.WithTimeout(ctx, j.limit)
	defer enough()
	p := newProxy(copied.at, s.router, j.requests, enough)
	if t.starts {
		p.ready = copied.startedByTool(s, on.users)
	} else {
		p.revive = func() { copied.revive(running) }
	}
	if keep {
		if p.journal, err = newJournal(filepath.Join(dir, "exchanges.ndjson")); err != nil {
			return r, err
		}
	}
	front := httptest.NewServer(p)
	defer front.Close()

	on.url = front.URL
	command, err := t.command(on, j)
	if err != nil {
		return r, err
	}
	from := time.Now()
	err = play(running, command, dir)
	took := time.Since(from)
	front.Close() // no more requests are forwarded
	r = p.result()
	r.Took, r.Late = took, errors.Is(running.Err(), context.DeadlineExceeded)
	if err == nil && r.Requests == 0 {
		err = fmt.Errorf("sent no request: run %s to see why", strings.Join(command, " "))
	}
	return r, cmp.Or(ctx.Err(), err, p.journal.close())
}

// play runs a command in a folder until the command ends or ctx is done, and writes its output to a file in
// the folder. The folder must be new, because a tool may learn from the files of an earlier run. Exit code
// 0 means that the tool found no faults, and 1 that it found some. Any other exit code is an error, unless
// ctx is done.
func play(ctx context.Context, command []string, dir string) error {
	log := filepath.Join(dir, "tool.log")
	out, err := os.Create(log)
	if err != nil {
		return err
	}
	defer out.Close()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir, c.WaitDelay, c.Stdout, c.Stderr = dir, time.Second, out, out
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+dir)
	err = c.Run()
	if err == nil || ctx.Err() != nil || c.ProcessState != nil && c.ProcessState.ExitCode() == 1 {
		return nil
	}
	text, _ := os.ReadFile(log) // without a log, err is sufficient
	return fmt.Errorf("%w: %s", err, text)
}
