package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/codec"
	"sonde/runner"
	"sonde/runner/probe"
)

// session is a run that is kept on disk while it goes on.
type session struct {
	*runner.Run
	service service    // as it was chosen
	net     *model.Net // around it, nil for the real one
	folder  string
	command string          // with the same arguments
	replay  string          // with the same steers, too
	left    []probe.Skipped // files of the service that have no probes
	read    func(model.SourceFile) ([]byte, error)
	over    chan struct{} // closed when all of the run is on disk, and what it needed gone
}

// Wait returns the last state, when nothing of the run is left to do.
func (s *session) Wait() model.Snapshot {
	last := s.Run.Wait()
	<-s.over
	return last
}

// Folder is where the run is kept.
func (s *session) Folder() string { return s.folder }

// Command repeats the run from a shell: one that was steered by way of its
// folder.
func (s *session) Command() string {
	if slices.ContainsFunc(s.Snapshot().Marks, func(m model.Steered) bool { return m.Asked > 0 || m.Stub != nil }) {
		return s.replay
	}
	return s.command
}

// settings are what a person chooses for a run.
type settings struct {
	source   string // as it was named
	base     string // the URL as it was given; "" for the demo and the configuration's
	config   configured
	service  service
	refs     bool // follow $ref to other hosts
	limits   model.Limits
	tuning   model.Tuning
	sampling model.Sampling
	// minimise is the share of the budget to play kept tests again and to make them
	// smaller.
	minimise float64
	onDenied model.OnDenied
	black    bool // the search does not see into a service that is built with probes
	sql      bool // queries are watched, too, in a service that is built with probes
	net      around
	seed     uint64
	workers  int
	wishes   wishes          // what is done to the search before it begins
	steers   []model.Steered // what is done to it, and when
	recorded []model.Test    // with which it begins
	replay   *model.Replay   // of the run that is repeated
	resume   *model.Resume   // of the run that goes on
	oracles  []string        // switched off as "-NAME", on as "NAME"
	hosts    []string
	sending
	folder string // "" for one under the user's cache
	force  bool
}

// plan is what the runner needs to know.
func (s settings) plan(spec *model.Spec) model.Plan {
	return model.Plan{
		Spec: spec, Templates: depend.Templates(spec), BaseURL: s.service.url, Service: s.service.start, Driver: s.service.driver,
		Users: s.service.users, Reset: s.service.reset, Limits: s.limits, Tuning: s.tuning, Seed: s.seed,
		Owners: s.service.owners, Oracles: s.switches(), Rate: s.rate, Timeout: s.timeout, Insecure: s.insecure, TLS: s.tls,
		Workers: s.workers, Copies: s.service.copies, Steers: s.steers, Replay: s.replay, Resume: s.resume,
		Sampling: s.sampling, Distilled: s.distilled(spec), Recorded: s.recorded,
		Minimise: s.minimise, OnDenied: s.onDenied,
	}
}

// switches are those of the oracles: the configuration's, and then the flags'.
func (s settings) switches() []string { return slices.Concat(s.config.Oracles, s.oracles) }

// begin starts a run and keeps it on disk. A service that is to be built is built
// first. Where the service is not there, the disk stays as it is.
func (s settings) begin(ctx context.Context, spec *model.Spec) (*session, error) {
	plan := s.plan(spec)
	left, end, err := s.see(ctx, &plan)
	if err != nil {
		return nil, err
	}
	run, err := s.launch(ctx, spec, plan, end)
	if err != nil {
		end()
		return nil, err
	}
	run.left, run.read = left, s.service.build.read
	return run, nil
}

// launch starts a run of a plan; end is called when it is over.
func (s settings) launch(ctx context.Context, spec *model.Spec, plan model.Plan, end func()) (*session, error) {
	if err := s.log(&plan); err != nil {
		return nil, err
	}
	run, err := runner.New(ctx, plan, s.hosts...)
	if err != nil {
		return nil, err
	}
	folder, err := s.place()
	if err != nil {
		return nil, err
	}
	w, err := s.writer(folder, spec, plan.Net)
	if err != nil {
		return nil, err
	}
	run.Go(ctx, runner.Sink{Emit: w.Event, Save: w.Suite, Faults: w.Faults, Answers: w.Answers, Traffic: w.Traffic, Code: w.Code})
	over := make(chan struct{})
	go func() {
		defer close(over)
		run.Wait()
		w.Close()
		end()
	}()
	replay := commandLine(append([]string{"--replay", folder}, s.hostArgs()...))
	return &session{Run: run, service: s.service, net: plan.Net, folder: folder, command: s.command(), replay: replay, over: over}, nil
}

// log keeps what a service or a driver prints that begins only when the run does.
func (s *settings) log(plan *model.Plan) (err error) {
	d := plan.Driver
	if plan.Service == nil && (d == nil || d.Run == nil) {
		return nil
	}
	s.folder, err = s.place()
	if err != nil {
		return err
	}
	if d == nil {
		plan.Service = logged(*plan.Service, s.folder)
		return nil
	}
	own := *d
	own.Run = logged(*d.Run, s.folder)
	plan.Driver = &own
	return nil
}

// logged keeps what a service prints in the folder of its run, unless somebody
// said where.
func logged(s model.Service, folder string) *model.Service {
	s.Log = cmp.Or(s.Log, filepath.Join(folder, "service.log"))
	return &s
}

// writer keeps a run that begins, or that goes on.
func (s settings) writer(folder string, spec *model.Spec, n *model.Net) (*codec.Writer, error) {
	if s.resume != nil {
		return codec.Resume(folder, s.limits, s.args())
	}
	return codec.Create(folder, s.header(spec, n), s.force)
}

// header is what is known of a run when it begins. With a virtual network tests need
// the service as it is built, without one as anybody starts it.
func (s settings) header(spec *model.Spec, n *model.Net) codec.Header {
	var ops []model.OpID
	for _, op := range spec.Operations {
		ops = append(ops, op.ID)
	}
	base, start := s.service.starts(n)
	return codec.Header{
		Title: spec.Title, Spec: redacted(s.source), SpecHash: spec.Hash, BaseURL: base, Net: n, Users: s.service.users, Reset: s.service.reset,
		Seed: s.seed, Limits: s.limits, Tuning: s.tuning, Sampling: s.sampling, Oracles: s.switches(), Owners: s.service.owners,
		Service: start, Dir: startDir(start, s.service.reset),
		Rate: s.rate, Timeout: s.timeout, Insecure: s.insecure, TLS: s.tls, Command: s.command(), Args: s.args(), Folder: whole("."),
		Release: release, Started: time.Now().UTC().Truncate(time.Second), Operations: ops,
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
	if err := os.MkdirAll(runs, 0o700); err != nil {
		return "", fmt.Errorf("no place to keep the run: name a folder with -o: %w", err)
	}
	return os.MkdirTemp(runs, time.Now().Format("2006-01-02-150405-"))
}
