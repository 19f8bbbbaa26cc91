package cli

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/codec"
	"sonde/runner"
	"sonde/ui/words"
)

// session is a run that is kept on disk while it goes on.
type session struct {
	*runner.Run
	folder  string
	command string
}

// Folder is where the run is kept.
func (s *session) Folder() string { return s.folder }

// Command repeats the run from a shell, as it began.
func (s *session) Command() string {
	if turns := len(s.Snapshot().Marks); turns > 0 {
		return fmt.Sprintf("%s  # knobs as at the start; %s in run.json", s.command, words.Plural(turns, "turn"))
	}
	return s.command
}

// settings are what a person chooses for a run.
type settings struct {
	source  string // as it was named
	base    string // the URL as it was given; "" for the demo and the configuration's
	config  configured
	service service
	refs    bool // follow $ref to other hosts
	limits  model.Limits
	tuning  model.Tuning
	seed    uint64
	oracles []string // switched off as "-NAME", on as "NAME"
	hosts   []string
	sending
	folder string // "" for one under the user's cache
	force  bool
}

// plan is what the runner needs to know.
func (s settings) plan(spec *model.Spec) model.Plan {
	return model.Plan{
		Spec: spec, Templates: depend.Templates(spec), BaseURL: s.service.url, Service: s.service.start,
		Users: s.service.users, Reset: s.service.reset, Limits: s.limits, Tuning: s.tuning, Seed: s.seed,
		Owners: s.service.owners, Oracles: s.oracles, Rate: s.rate, Timeout: s.timeout, Insecure: s.insecure,
	}
}

// command repeats the run.
func (s settings) command() string {
	line := []string{"sonde", "search"}
	if s.service.name == demoSource {
		line = append(line, "--demo")
	} else {
		line = append(line, quote(redacted(s.source)))
	}
	if s.base != "" {
		line = append(line, "--url", quote(s.base))
	}
	if s.config.path != "" {
		line = append(line, "--config", quote(s.config.path))
	}
	if s.refs {
		line = append(line, "--remote-refs")
	}
	if s.limits.Calls > 0 {
		line = append(line, fmt.Sprintf("--calls %d", s.limits.Calls))
	}
	if s.limits.Time > 0 {
		line = append(line, "--time "+s.limits.Time.String())
	}
	line = append(line, s.sending.flags()...)
	line = append(line, fmt.Sprintf("--seed %d --smart %v --random %v --focus %v", s.seed, s.tuning.Smart, s.tuning.Random, s.tuning.Focus))
	for _, o := range s.oracles {
		line = append(line, "--oracle "+quote(o))
	}
	for _, h := range s.hosts {
		line = append(line, "--allow-host "+quote(h))
	}
	return strings.Join(line, " ")
}

// redacted takes the log-in out of a spec's URL.
func redacted(source string) string {
	u, err := url.Parse(source)
	if err != nil || u.User == nil {
		return source
	}
	u.User = nil
	return u.String()
}

// quote protects a word from the shell where it needs it.
func quote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=,") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// begin starts a run and keeps it on disk. Where the service is not there, the
// disk stays as it is.
func (s settings) begin(ctx context.Context, spec *model.Spec) (*session, error) {
	run, err := runner.New(ctx, s.plan(spec), s.hosts...)
	if err != nil {
		return nil, err
	}
	folder, err := s.place()
	if err != nil {
		return nil, err
	}
	w, err := codec.Create(folder, s.header(spec), s.force)
	if err != nil {
		return nil, err
	}
	run.Go(ctx, runner.Sink{Emit: w.Event, Save: w.Suite, Faults: w.Faults})
	go func() {
		run.Wait()
		w.Close()
	}()
	return &session{Run: run, folder: folder, command: s.command()}, nil
}

func (s settings) header(spec *model.Spec) codec.Header {
	return codec.Header{
		Title: spec.Title, Spec: redacted(s.source), SpecHash: spec.Hash, BaseURL: s.service.url, Users: s.service.users, Reset: s.service.reset,
		Seed: s.seed, Limits: s.limits, Tuning: s.tuning, Oracles: s.oracles, Owners: s.service.owners,
		Service: s.service.start, Dir: startDir(s.service.start, s.service.reset),
		Rate: s.rate, Timeout: s.timeout, Insecure: s.insecure, Command: s.command(),
	}
}

// place returns the folder for the run: the one asked for, or a new one.
func (s settings) place() (string, error) {
	if s.folder != "" {
		return s.folder, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place to keep the run: name a folder with -o: %w", err)
	}
	runs := filepath.Join(cache, "sonde", "runs")
	if err := os.MkdirAll(runs, 0o755); err != nil {
		return "", fmt.Errorf("no place to keep the run: name a folder with -o: %w", err)
	}
	return os.MkdirTemp(runs, time.Now().Format("2006-01-02-150405-"))
}
