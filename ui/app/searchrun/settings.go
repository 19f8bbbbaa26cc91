// Package searchrun starts, resumes and repeats searches, and writes them to disk. It has their settings
// and the commands for them. Package runner/search is the search itself.
package searchrun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/model"
	"sonde/model/codec"
	"sonde/model/config"
	"sonde/runner/search"
	"sonde/ui/app/command"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/app/version"
)

// distilled returns templates that are made of distilled seqs. Together, these templates have all operations that occur
// in distilled seqs. If the sampling does not use distilled seqs, distilled returns nil.
func (s Settings) distilled(a *analysis.Analysis) []model.Template {
	if s.Sampling.Distilled <= 0 {
		return nil
	}
	list, err := distil.ListSeqs(context.Background(), a.ValuesTable(), distil.Options{Rule: distil.RuleDC, Length: maxDistilled})
	if err != nil {
		return nil // the context never ends, so there is no error
	}
	connect := a.SeqConnector()
	var all []model.Template
	for _, i := range a.AdequacyMeter().ChooseCover(nil, list.Seqs).Chosen {
		all = append(all, connect(list.Seqs[i]))
	}
	return all
}

// plainTemplates returns the templates of the EvoMaster paper, nil if the sampling does not use them.
func (s Settings) plainTemplates(a *analysis.Analysis) []model.Template {
	if s.Sampling.PlainTemplates <= 0 {
		return nil
	}
	return s.Sizes.Templates(a.PlainTemplates())
}

// Settings are the choices for a run.
type Settings struct {
	Source     string // path or URL of the spec, as given by the user
	URL        string // the URL as given by the user; "" for the demo, and if the URL is that of the configuration
	Config     service.Configuration
	Service    service.Service
	RemoteRefs bool  // follow $ref to other hosts
	MaxBytes   int64 // maximum size of the spec with its files in bytes; 0 means the default
	Limits     model.Limits
	Tuning     model.Tuning
	Sampling   model.Sampling
	Sizes      model.Sizes // the zero value means the defaults
	// Minimise is the share of the budget for replaying and minimising kept tests.
	Minimise float64
	OnDenied model.AccessDeniedPolicy
	BlackBox bool // do not use the probes of a service that is built with probes
	WatchSQL bool // watch the SQL queries of a service that is built with probes
	// WatchPanics makes a search watch the operations that may panic, if the service is built with probes.
	WatchPanics bool
	Network     service.Network
	Seed        uint64
	Workers     int
	Islands     Islands
	Directives  Directives             // initial priorities and seqs
	Commands    []model.AppliedCommand // commands for the search, with their times
	recorded    []model.Test           // recorded tests that the search begins with
	Replay      *model.ReplayedRun     // the run to repeat, nil for none
	Resume      *model.ResumeState     // the state of the run to resume, nil for none
	Oracles     []string               // oracles that are switched on ("NAME") or off ("-NAME")
	Security    bool                   // play security tests
	AllowHosts  []string
	// StartupStubs are the startup stubs of the run to repeat or to resume.
	StartupStubs []model.Stub
	service.RequestOptions
	Folder string // the run's folder; "" means a new one in the user's cache folder
	Force  bool
}

// Plan returns the plan of a run for a spec.
func (s Settings) Plan(spec *model.Spec) model.Plan {
	return s.PlanForAnalysis(analysis.Analyze(spec, analysis.Options{}))
}

// Plans returns the plans of runs that differ only in their sampling.
func (s Settings) Plans(spec *model.Spec, samplings []model.Sampling) (plans []model.Plan) {
	a := analysis.Analyze(spec, analysis.Options{})
	for _, s.Sampling = range samplings {
		plans = append(plans, s.PlanForAnalysis(a))
	}
	return plans
}

// PlanForAnalysis returns the plan of a run for an analysed spec.
func (s Settings) PlanForAnalysis(a *analysis.Analysis) model.Plan {
	return model.Plan{
		Spec:      a.Spec,
		Templates: s.Sizes.Templates(a.Templates()),
		BaseURL:   s.Service.URL,
		Service:   s.Service.StartCommand,
		Driver:    s.Service.Driver,
		Users:     s.Service.Users,
		Headers:   s.Config.Headers,
		Reset:     s.Service.Reset,
		Limits:    s.Limits,
		Tuning:    s.Tuning,
		Seed:      s.Seed,
		Owners:    s.Service.Owners,
		Oracles:   s.OracleSwitches(),
		Security:  s.Security,

		Restricted: config.RestrictedIn(a.Spec, s.Config.Restricted),

		Rate:      s.Rate,
		Timeout:   s.Timeout,
		Insecure:  s.Insecure,
		TLS:       s.TLS,
		Workers:   s.CopyCount(),
		Copies:    s.Service.Copies,
		Commands:  s.Commands,
		Replay:    s.Replay,
		Resume:    s.Resume,
		Sampling:  s.Sampling,
		Sizes:     s.Sizes,
		Distilled: s.distilled(a),

		PlainTemplates: s.plainTemplates(a),

		Recorded: s.recorded,
		Minimise: s.Minimise,
		OnDenied: s.OnDenied,
	}
}

// OracleSwitches returns the switches of the oracles: those of the configuration, then those of the flags.
func (s Settings) OracleSwitches() []string { return slices.Concat(s.Config.Oracles, s.Oracles) }

// StartRun starts a run that is written to disk. It first builds the service, if Sonde builds it. If the
// service cannot be reached, no run is written.
func (s Settings) StartRun(ctx context.Context, spec *model.Spec) (*Run, error) {
	plan := s.Plan(spec)
	left, end, err := s.BuildService(ctx, &plan)
	if err != nil {
		return nil, err
	}
	run, err := s.launch(ctx, spec, plan, end)
	if err != nil {
		end()
		return nil, err
	}
	run.SkippedFiles, run.readSource = left, s.Service.Builder.ReadSource
	return run, nil
}

// launch starts a run of a plan, and calls the function end when the run is over. If launch returns an error, it does
// not call end.
func (s Settings) launch(ctx context.Context, spec *model.Spec, plan model.Plan, end func()) (*Run, error) {
	if err := s.log(&plan); err != nil {
		return nil, err
	}
	run, err := search.New(ctx, plan, s.AllowHosts...)
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
	run.Start(ctx, search.Sink{
		Emit:        w.WriteEvent,
		SaveTests:   w.WriteSuite,
		SaveFaults:  w.WriteFaults,
		SaveAnswers: w.WriteAnswers,
		SaveTraffic: w.WriteTraffic,
		SaveCode:    w.WriteCoverage,
	})
	over := make(chan struct{})
	go func() {
		defer close(over)
		run.Wait()
		w.Close()
		end()
	}()
	replay := command.SearchCommand(append([]string{"--replay", folder}, s.HostArgs()...))
	return &Run{
		Run:        run,
		Service:    s.Service,
		network:    plan.Net,
		folder:     folder,
		command:    s.command(),
		replayLine: replay,
		ended:      over,
	}, nil
}

// log redirects the output of a service or a driver that the run starts to a file in the run's folder.
func (s *Settings) log(plan *model.Plan) (err error) {
	d := plan.Driver
	if plan.Service == nil && (d == nil || d.Run == nil) {
		return nil
	}
	s.Folder, err = s.place()
	if err != nil {
		return err
	}
	if d == nil {
		plan.Service = WithLogFile(*plan.Service, s.Folder)
		return nil
	}
	own := *d
	own.Run = WithLogFile(*d.Run, s.Folder)
	plan.Driver = &own
	return nil
}

// writer returns the writer of a new or resumed run.
func (s Settings) writer(folder string, spec *model.Spec, n *model.VirtualNetwork) (*codec.RunWriter, error) {
	if s.Resume != nil {
		return codec.ResumeRun(folder, s.Limits, s.command(), s.CommandArgs())
	}
	return codec.CreateRun(folder, s.Header(spec, n), s.Force)
}

// Header returns the header of a run. If the run has a virtual network and Sonde builds the service, the header has
// the service that is built. Otherwise it has the service that is usually started.
func (s Settings) Header(spec *model.Spec, n *model.VirtualNetwork) codec.RunHeader {
	var ops []model.OpID
	for _, op := range spec.Operations {
		ops = append(ops, op.ID)
	}
	base, start := s.Service.StartFor(n)
	return codec.RunHeader{
		Title:       spec.Title,
		Spec:        command.WithoutCredentials(s.Source),
		SpecHash:    spec.Hash,
		BaseURL:     base,
		Net:         n,
		Users:       s.Service.Users,
		Environment: s.Config.Environment,
		Headers:     s.Config.Headers,
		Reset:       s.Service.Reset,
		Seed:        s.Seed,
		Limits:      s.Limits,
		Tuning:      s.Tuning,
		Sampling:    s.Sampling,
		Sizes:       s.Sizes,
		Oracles:     s.OracleSwitches(),
		Owners:      s.Service.Owners,
		Service:     start,
		Driver:      storedDriver(s.Service.Driver),
		Dir:         s.Service.StartDir(start),
		Build:       s.Service.Build(),
		Rate:        s.Rate,
		Timeout:     s.Timeout,
		Insecure:    s.Insecure,
		TLS:         s.TLS,
		Command:     s.command(),
		Args:        s.CommandArgs(),
		Folder:      paths.Absolute("."),
		Release:     version.Release,
		Started:     time.Now().UTC().Truncate(time.Second),
		Operations:  ops,
	}
}

// storedDriver returns a driver, or nil, as a run stores it: without credentials in its URL, and without Blind, which
// follows from the arguments of the run.
func storedDriver(d *model.Driver) *model.Driver {
	if d == nil {
		return nil
	}
	stored := *d
	stored.URL, stored.Blind = command.WithoutCredentials(d.URL), false
	return &stored
}

// place returns the folder of the run: s.Folder or, if that is "", a new one in the user's cache folder.
func (s Settings) place() (string, error) {
	if s.Folder != "" {
		return s.Folder, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the run: name one with -o: %w", err)
	}
	runs := filepath.Join(cache, "sonde", "runs")
	if err := os.MkdirAll(runs, 0o700); err != nil {
		return "", fmt.Errorf("no folder for the run: name one with -o: %w", err)
	}
	return os.MkdirTemp(runs, time.Now().Format("2006-01-02-150405-"))
}
