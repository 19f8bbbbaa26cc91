package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/codec"
)

// trial is one search of a service, with the suites that are exported from it.
type trial struct {
	service service
	mode    string // withReset or withoutReset
	seed    int
	calls   int
	plays   int // number of runs of each suite on one copy of the service
	formats []string
	sonde   string // path of the program
	dir     string // the folder for all files of the trial
	log     io.Writer
	path    string // path after host and port in the searched URL
}

// result has the figures of a trial: the kept tests, the faults, and the results of the suites.
type result struct {
	service, mode string
	seed          int
	took          time.Duration // the duration of the search
	tests         int           // number of kept tests
	planted       []string      // the planted faults that were found
	other         []model.Fault // errors and warnings that were not planted
	plays         []played
}

// played is the result of playing one suite several times.
type played struct {
	format         string
	passed, failed int
	skipped        string // why it wasn't played, "" if it was
}

func (t *trial) run(ctx context.Context) (result, error) {
	r := result{service: t.service.Name, mode: t.mode, seed: t.seed}
	if err := os.RemoveAll(t.dir); err != nil { // removes the files of an earlier trial
		return r, err
	}
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return r, err
	}
	if err := t.search(ctx, &r); err != nil {
		return r, err
	}
	for _, name := range t.formats {
		p, err := t.play(ctx, formats[name])
		if err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
		r.plays = append(r.plays, p)
	}
	fmt.Fprintln(t.log, r.line())
	return r, nil
}

func (t trial) file(name string) string { return filepath.Join(t.dir, name) }

// search searches a new copy of the service, and adds what the run found to r.
func (t *trial) search(ctx context.Context, r *result) error {
	if err := t.service.writeConfig(t.file("sonde.yaml"), t.mode); err != nil {
		return err
	}
	p, err := t.service.start(ctx, t.file("data-search"), t.file("service.log"))
	if err != nil {
		return err
	}
	defer p.Stop()
	begun := time.Now()
	text, err := t.command(ctx, t.dir, p.url, t.sonde, "search", "--config", t.file("sonde.yaml"), "--url", p.url+t.service.Base,
		"--calls", strconv.Itoa(t.calls), "--seed", strconv.Itoa(t.seed), "-o", t.file("run"), "--force")
	r.took = time.Since(begun)
	if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return fmt.Errorf("sonde search: %w: %s", err, text)
	}
	run, err := codec.OpenRun(t.file("run"))
	if err != nil {
		return err
	}
	base, err := url.Parse(run.BaseURL)
	if err != nil {
		return err
	}
	r.tests, t.path = len(run.Tests), base.EscapedPath()
	r.take(t.service.Planted, run.Faults)
	for _, f := range r.other {
		fmt.Fprintf(
			t.log, "%s %s reset, seed %d: not planted: %s %s %s: %s\n", r.service, r.mode, r.seed, f.Severity, f.Op,
			f.Oracle, f.Text,
		)
	}
	return nil
}

// take adds faults to those of the result: to the planted ones, or to the others. It ignores notes and flaky
// faults that were not planted.
func (r *result) take(planted []string, faults []model.Fault) {
	for _, f := range faults {
		name := string(f.Op) + " " + f.Oracle
		switch {
		case slices.Contains(planted, name):
			if !slices.Contains(r.planted, name) {
				r.planted = append(r.planted, name)
			}
		case f.CountsAsFailure():
			r.other = append(r.other, f)
		}
	}
}

// play exports the run in a format, and plays the suite t.plays times in a row on a new copy of the service. If
// f.again is set, it then restarts the service and plays the suite once more. If the program of the format is
// missing, play does nothing and sets skipped in the result.
func (t trial) play(ctx context.Context, f format) (played, error) {
	p := played{format: f.name, skipped: f.missing(t.service.tools)}
	if p.skipped != "" {
		return p, nil
	}
	dir := t.file(f.name)
	if text, err := t.command(
		ctx, t.dir, "", t.sonde, "export", t.file("run"), "--format", f.name, "-o", dir, "--faults", "pin",
	); err != nil {
		return p, fmt.Errorf("sonde export: %w: %s", err, text)
	}
	if args := f.buildCommand(t.service.tools, dir); args != nil {
		if text, err := t.command(ctx, dir, "", args[0], args[1:]...); err != nil {
			return p, fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, text)
		}
	}
	data := t.file("data-" + f.name)
	starts := []int{t.plays}
	if f.again {
		starts = append(starts, 1)
	}
	for _, times := range starts {
		if err := t.playOn(ctx, f, dir, data, times, &p); err != nil {
			return p, err
		}
	}
	return p, nil
}

// playOn starts the service with the data in a folder and plays a suite several times. It counts in p how
// often the suite passes and fails.
func (t trial) playOn(ctx context.Context, f format, dir, data string, times int, p *played) error {
	on, err := t.service.start(ctx, data, t.file("service.log"))
	if err != nil {
		return err
	}
	defer on.Stop()
	for range times {
		url := on.url + t.path
		args := f.command(t.service.tools, dir, url, t.service.Secrets)
		text, err := t.command(ctx, dir, url, args[0], args[1:]...)
		if err == nil {
			p.passed++
			continue
		}
		p.failed++
		log := t.file(fmt.Sprintf("%s-failed-%d.log", f.name, p.failed))
		if err := os.WriteFile(log, []byte(text), 0o600); err != nil {
			return err
		}
		fmt.Fprintf(t.log, "%s %s reset, seed %d: %s fails: see %s\n", t.service.Name, t.mode, t.seed, f.name, log)
	}
	return nil
}

// command runs a program in a folder and returns its output. The service's secrets are in the environment
// of the program.
func (t trial) command(ctx context.Context, dir, url, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = append(t.service.secrets(), "SONDE_BASE_URL="+url)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// line describes the result in one line.
func (r result) line() string {
	all := []string{fmt.Sprintf("%s %s reset, seed %d: %d tests in %.0f s, %d planted, %d other faults",
		r.service, r.mode, r.seed, r.tests, r.took.Seconds(), len(r.planted), len(r.other))}
	for _, p := range r.plays {
		all = append(all, p.String())
	}
	return strings.Join(all, ", ")
}

func (p played) String() string {
	if p.skipped != "" {
		return p.format + " skipped: " + p.skipped
	}
	return fmt.Sprintf("%s %d of %d", p.format, p.passed, p.passed+p.failed)
}
