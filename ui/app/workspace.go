// Package app is what both faces of Sonde can do with a spec and its service: the
// workspace that is open, and its use cases. It draws nothing and parses no flag.
package app

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"sonde/analysis"
	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/search"
	"sonde/ui/app/editor"
	"sonde/ui/app/paths"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/suite"
	"sonde/ui/console"
	"sonde/ui/tui/screen"
)

// InitialNet reports whether searches of a service that can have a virtual network have
// it at first.
func (w *Workspace) InitialNet() screen.NetworkSupport {
	if w.Network.Wanted(w.Config.Net) {
		return screen.NetworkRequested
	}
	return screen.NetworkAvailable
}

// Workspace hands the app what it needs of the rest of Sonde. What it knows of the
// spec and the service changes when a spec is loaded, on another goroutine.
type Workspace struct {
	Streams    console.Streams
	Specs      *specfile.Loader
	URL        string // as it was given; "" for the demo, the configuration's or no service
	Config     service.Configuration
	AllowHosts []string
	Sending    service.Sending
	Source     string
	Probes     bool // see into the demo at first
	Network    service.Network
	Recording  string // a recording's folder, "" for none
	PastRun    string // a search's, the same
	Plain      bool   // lines instead of the app
	Home       screen.Preferences
	// memory is the file of what is remembered, "" where nothing is.
	Memory string
	// leaving ends what is still being built when the person leaves.
	leaving context.Context
	leave   context.CancelFunc
	// settingsOf returns the settings of an earlier run from its arguments; nil knows its header alone.
	SettingsOf func(codec.Run) screen.SearchSettings

	mu       sync.Mutex
	Service  service.Service
	spec     *model.Spec
	analysis *analysis.Analysis // of the spec
	typed    []string           // the names of users who are in no file
	drafts   *search.Drafts     // of the spec, nil before one was asked for
	// bare gives seqs values without templates, which take time; nil before a seq was prepared.
	bare *search.Drafts

	// calling is held by whoever calls the service from the app, or lets a run
	// begin to: resets would disturb each other.
	calling sync.Mutex
	run     *searchrun.Run                       // changed under both locks
	manual  *ManualSession                       // the same; nil before anything was called but by a search
	sent    atomic.Pointer[search.ManualSession] // to which something was sent last

	Past *pastRun // that was opened, under mu; nil for none

	recorders []*recorder    // that were begun, under mu
	mimics    generatedTests // the same
}

// Engine is the workspace as the screens see it.
func (w *Workspace) Engine() screen.Engine {
	return screen.Engine{
		Load:          w.Load,
		FileStamp:     paths.Stamp,
		Start:         w.start,
		Realise:       w.realise,
		Replay:        w.replay,
		Step:          w.step,
		Draft:         w.draft,
		Prepare:       w.prepare,
		Users:         w.users,
		Requests:      w.requests,
		Send:          w.send,
		Hosts:         w.turnedTo,
		KeepSent:      w.keep,
		CurlCommand:   format.Line,
		DescribeFault: w.fault,
		Formats:       formats(),
		FaultModes:    suite.FaultModes(),
		Preview:       w.preview,
		Write:         w.write,
		WritePicture:  drawPicture,
		Recordings:    w.recordings(),
		Searches:      w.Searches(),
		Edit:          editor.Command,
		UserLogins:    w.logins(),
	}
}

// Begin readies what must end with ctx; settle ends it.
func (w *Workspace) Begin(ctx context.Context) { w.leaving, w.leave = context.WithCancel(ctx) }

// Load reads a spec and makes it the one that is open.
func (w *Workspace) Load(ctx context.Context, source string) (*model.Spec, error) {
	spec, err := w.read(ctx, source)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spec, w.analysis, w.drafts, w.bare = spec, analysis.Analyze(spec, analysis.Options{}), nil, nil
	if url := cmp.Or(w.URL, w.Config.URL); url != "" || w.Config.StartsService() {
		w.Service = w.Config.ServiceAt(url, spec)
	}
	return spec, nil
}

func (w *Workspace) read(ctx context.Context, source string) (*model.Spec, error) {
	if source == service.DemoSource && w.Source == service.DemoSource {
		return service.LoadDemo(ctx)
	}
	return w.Specs.Load(ctx, w.Streams, source)
}

// errNoService is the error of a call when there is nobody to call.
var errNoService = errors.New("there is no service to call: start with sonde SPEC --url URL")

// settings are those of the app's runs and calls.
func (w *Workspace) settings(s screen.SearchSettings) (searchrun.Settings, *model.Spec, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Service.URL == "" || w.spec == nil {
		return searchrun.Settings{}, nil, errNoService
	}
	looked := w.Service.Observed(s.WhiteBox, s.Net)
	return searchrun.Settings{
		Source:     w.Source,
		URL:        w.URL,
		Config:     w.Config,
		RemoteRefs: w.Specs.FollowRemoteRefs,
		Service:    looked,
		BlackBox:   looked.Observable() && !s.WhiteBox,
		Network:    w.Network.WithChoice(s.Net, w.Config.Net),
		OnDenied:   model.PauseWhenDenied,
		Limits:     s.Limits,
		Tuning:     s.Tuning,
		Sampling:   s.Sampling,
		Minimise:   s.Minimise,
		Workers:    s.Workers,
		Seed:       s.Seed,
		AllowHosts: w.AllowHosts,
		Sending:    w.Sending,
		Steers:     put(s.Stubs),
	}, w.spec, nil
}

// put has a search begin with stubs of a person's.
func put(stubs []model.Stub) (all []model.AppliedCommand) {
	for _, s := range stubs {
		all = append(all, model.AppliedCommand{Command: model.Command{Stub: &s}})
	}
	return all
}

func (w *Workspace) start(ctx context.Context, s screen.SearchSettings) (screen.SearchRun, error) {
	set, spec, err := w.settings(s)
	if err != nil {
		return nil, err
	}
	w.calling.Lock() // one that is starting counts as one that runs
	defer w.calling.Unlock()
	if w.run != nil && w.run.Snapshot().Phase != model.PhaseDone {
		return nil, errBusy
	}
	spec, err = w.Config.Scoped(spec)
	if err != nil {
		return nil, err
	}
	if s.ResumeFolder != "" {
		if err := set.Continue(s.ResumeFolder, spec); err != nil {
			return nil, err
		}
	}
	w.manual.rest() // the search's copies may need its port
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(w.leaving, cancel)
	run, err := set.BeginInApp(ctx, spec)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.run = run
	w.rememberRun(run.Folder())
	return run, nil
}

// errBusy is the error of a call that would disturb a search: each resets the
// service.
var errBusy = errors.New("a search is going on: stop it first")

// Close stops the run and waits until what it found is on disk.
func (w *Workspace) Close() {
	w.leave()
	w.calling.Lock()
	defer w.calling.Unlock()
	w.manual.rest()
	if w.run != nil {
		w.run.Stop()
		w.run.Wait()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.recorders {
		_ = r.Stop() // nobody is there to be told; what was recorded is on disk
	}
}

// suite is what an export in a format writes.
func (w *Workspace) suite(name string, tests []model.Test) export.Suite {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s, ok := w.asRecorded(tests); ok {
		return s
	}
	if s, ok := w.AsKept(name, tests); ok {
		return s
	}
	svc, n := w.surroundings()
	base, start := svc.StartFor(n)
	s := suite.WithHosts(export.Suite{
		BaseURL:  base,
		Insecure: w.Sending.Insecure,
		TLS:      suite.AbsTLS(w.Sending.TLS, ""),
		Service:  start,
		Dir:      service.StartDir(start, w.Service.Reset),
		Reset:    w.Service.Reset,
		Users:    w.Service.Users,
		Tests:    tests,
	}, n, false)
	if w.spec != nil {
		s.Title, s.Spec = w.spec.Title, w.spec.Source
	}
	s.Command = w.exportOf(name, tests)
	return s
}

// surroundings are how tests find the service: as the search had it if that was on a
// virtual network, else as it was when somebody called it by hand.
func (w *Workspace) surroundings() (service.Service, *model.VirtualNetwork) {
	switch {
	case w.run != nil && w.run.Net != nil:
		return w.run.Service, w.run.Net
	case w.manual != nil && w.manual.net != nil:
		return w.manual.service, w.manual.net
	}
	return w.Service, nil
}

// exportOf is the command that exports the same tests, where all of them are of
// the run that is on disk.
func (w *Workspace) exportOf(name string, tests []model.Test) string {
	if w.run == nil {
		return ""
	}
	kept := map[string]model.Test{}
	for _, t := range w.run.Snapshot().Tests {
		kept[t.ID] = t
	}
	for _, t := range tests {
		if !suite.Same(kept[t.ID], t) {
			return ""
		}
	}
	return suite.Command(w.run.Folder(), suite.IDs(tests), "", suite.FormatArgs(name)...)
}

func (w *Workspace) preview(name, faults string, tests []model.Test) (string, error) {
	f, err := format.Named(name)
	if err != nil {
		return "", err
	}
	made, err := f.Make(suite.Relocate(w.faulty(w.suite(name, tests), faults), suite.DefaultFolder))
	return string(made.Text), err
}

func (w *Workspace) write(name, faults, dir string, tests []model.Test, force bool) (string, error) {
	f, err := format.Named(name)
	if err != nil {
		return "", err
	}
	path, _, err := f.Write(dir, suite.Relocate(w.faulty(w.suite(name, tests), faults), dir), force)
	return path, err
}

// faulty adds the faults of the run which the tests are of to a suite.
func (w *Workspace) faulty(s export.Suite, mode string) export.Suite {
	w.mu.Lock()
	defer w.mu.Unlock()
	var faults []model.Fault
	switch {
	case w.run != nil:
		faults = w.run.Snapshot().Faults
	case w.Past != nil:
		faults = w.Past.Faults
	}
	if mode != "" && mode != string(export.FailFaults) && s.Command != "" {
		s.Command += " --faults " + mode
	}
	return suite.WithFaults(s, faults, mode, true)
}

// formats are those that the app offers.
func formats() []screen.TestFormat {
	var all []screen.TestFormat
	for _, f := range format.All {
		all = append(all, screen.TestFormat{Name: f.Name, File: f.File, Text: f.Text, Run: f.Run, Helpers: f.Helpers})
	}
	return all
}
