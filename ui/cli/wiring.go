package cli

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/runner"
	"sonde/ui/tui/screen"
)

// wiring hands the app what it needs of the rest of Sonde. What it knows of the
// spec and the service changes when a spec is loaded, on another goroutine.
type wiring struct {
	streams streams
	flags   *sourceFlags
	base    string // as it was given; "" for the demo, the configuration's or no service
	config  configured
	hosts   []string
	sending sending
	source  string
	white   bool // see into the demo at first
	net     around
	opens   string // a recording's folder, "" for none
	reopens string // a search's, the same
	plain   bool   // lines instead of the app
	home    screen.Home
	// memory is the file of what is remembered, "" where nothing is.
	memory string
	// leaving ends what is still being built when the person leaves.
	leaving context.Context
	leave   context.CancelFunc

	mu      sync.Mutex
	service service
	spec    *model.Spec
	typed   []string       // the names of users who are in no file
	drafts  *runner.Drafts // of the spec, nil before one was asked for
	// bare and connect give seqs values and links without templates, which take time; nil
	// before a seq was prepared.
	bare    *runner.Drafts
	connect func(model.Seq) model.Template

	// calling is held by whoever calls the service from the app, or lets a run
	// begin to: resets would disturb each other.
	calling sync.Mutex
	run     *session                    // changed under both locks
	hand    *desk                       // the same; nil before anything was called but by a search
	sent    atomic.Pointer[runner.Hand] // to which something was sent last

	past *kept // that was opened, under mu; nil for none

	recorders []*recorder // that were begun, under mu
	mimics    mimicked    // the same
}

func (w *wiring) engine() screen.Engine {
	return screen.Engine{
		Load: w.load, Stamp: stamp, Start: w.start, Realise: w.realise, Replay: w.replay, Step: w.step, Draft: w.draft, Prepare: w.prepare, Users: w.users, Requests: w.requests, Send: w.send, Hosts: w.turnedTo, Keep: w.keep, Line: format.Line, Fault: w.fault, Formats: formats(), FaultModes: faultModes(), Preview: w.preview, Write: w.write, Draw: drawPicture,
		Recordings: w.recordings(), Searches: w.searches(), Edit: edit, Logins: w.logins(),
	}
}

func (w *wiring) load(ctx context.Context, source string) (*model.Spec, error) {
	spec, err := w.read(ctx, source)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spec, w.drafts, w.bare, w.connect = spec, nil, nil, nil
	if url := cmp.Or(w.base, w.config.URL); url != "" || w.config.Starts() {
		w.service = w.config.service(url, spec)
	}
	return spec, nil
}

func (w *wiring) read(ctx context.Context, source string) (*model.Spec, error) {
	if source == demoSource && w.source == demoSource {
		return loadDemo(ctx)
	}
	return w.flags.load(ctx, w.streams, source)
}

// errNoService is the error of a call when there is nobody to call.
var errNoService = errors.New("there is no service to call: start with sonde SPEC --url URL")

// settings are those of the app's runs and calls.
func (w *wiring) settings(s screen.Settings) (settings, *model.Spec, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.service.url == "" || w.spec == nil {
		return settings{}, nil, errNoService
	}
	looked := w.service.looked(s.White, s.Net)
	return settings{
		source: w.source, base: w.base, config: w.config, refs: w.flags.remoteRefs, service: looked, black: looked.sees() && !s.White, net: w.net.chosen(s.Net, w.config.Net),
		onDenied: model.PauseDenied, limits: s.Limits, tuning: s.Tuning, sampling: s.Sampling, minimise: s.Minimise, workers: s.Workers, seed: s.Seed, hosts: w.hosts, sending: w.sending, steers: put(s.Stubs),
	}, w.spec, nil
}

// put has a search begin with stubs of a person's.
func put(stubs []model.Stub) (all []model.Steered) {
	for _, s := range stubs {
		all = append(all, model.Steered{Steer: model.Steer{Stub: &s}})
	}
	return all
}

func (w *wiring) start(ctx context.Context, s screen.Settings) (screen.Run, error) {
	set, spec, err := w.settings(s)
	if err != nil {
		return nil, err
	}
	w.calling.Lock() // one that is starting counts as one that runs
	defer w.calling.Unlock()
	if w.run != nil && w.run.Snapshot().Phase != model.Done {
		return nil, errBusy
	}
	spec, err = w.config.scoped(spec)
	if err != nil {
		return nil, err
	}
	if s.Onward != "" {
		if err := set.onward(s.Onward, spec); err != nil {
			return nil, err
		}
	}
	w.hand.rest() // the search's copies may need its port
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(w.leaving, cancel)
	run, err := set.beginInApp(ctx, spec)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.run = run
	w.rememberRun(run.Folder())
	return run, nil
}

// looked is the service of a search that is to see into it, or to put a virtual network
// under it, or not: for that the demo is a process of its own.
func (s service) looked(white, net bool) service {
	if s.name != demoSource || !white && !net {
		return s
	}
	s = demoAt("http://" + demoAddr)
	s.build = demoBuilding()
	if net {
		s.build.outside()
	}
	return s
}

// beginInApp is begin, where the demo is served already: once. Further copies are
// served for as long as the run goes on.
func (s settings) beginInApp(ctx context.Context, spec *model.Spec) (run *session, err error) {
	if s.service.name != demoSource || s.service.build != nil {
		return s.begin(ctx, spec)
	}
	serving, end := context.WithCancel(ctx)
	s.service, err = s.service.copied(serving, s.workers)
	if err == nil {
		run, err = s.begin(ctx, spec)
	}
	if err != nil {
		end()
		return nil, err
	}
	go func() {
		run.Wait()
		end()
	}()
	return run, nil
}

// errBusy is the error of a call that would disturb a search: each resets the
// service.
var errBusy = errors.New("a search is going on: stop it first")

// settle stops the run and waits until what it found is on disk.
func (w *wiring) settle() {
	w.leave()
	w.calling.Lock()
	defer w.calling.Unlock()
	w.hand.rest()
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
func (w *wiring) suite(name string, tests []model.Test) export.Suite {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s, ok := w.asRecorded(tests); ok {
		return s
	}
	if s, ok := w.asKept(name, tests); ok {
		return s
	}
	service, n := w.surroundings()
	base, start := service.starts(n)
	s := surrounded(export.Suite{
		BaseURL: base, Insecure: w.sending.insecure, TLS: wholeTLS(w.sending.tls, ""), Service: start, Dir: startDir(start, w.service.reset), Reset: w.service.reset, Users: w.service.users, Tests: tests,
	}, n, false)
	if w.spec != nil {
		s.Title, s.Spec = w.spec.Title, w.spec.Source
	}
	s.Command = w.exportOf(name, tests)
	return s
}

// surroundings are how tests find the service: as the search had it if that was on a
// virtual network, else as it was when somebody called it by hand.
func (w *wiring) surroundings() (service, *model.Net) {
	switch {
	case w.run != nil && w.run.net != nil:
		return w.run.service, w.run.net
	case w.hand != nil && w.hand.net != nil:
		return w.hand.service, w.hand.net
	}
	return w.service, nil
}

// exportOf is the command that exports the same tests, where all of them are of
// the run that is on disk.
func (w *wiring) exportOf(name string, tests []model.Test) string {
	if w.run == nil {
		return ""
	}
	kept := map[string]model.Test{}
	for _, t := range w.run.Snapshot().Tests {
		kept[t.ID] = t
	}
	for _, t := range tests {
		if !same(kept[t.ID], t) {
			return ""
		}
	}
	return exportCommand(w.run.Folder(), ids(tests), "", formatArgs(name)...)
}

func (w *wiring) preview(name, faults string, tests []model.Test) (string, error) {
	f, err := format.Named(name)
	if err != nil {
		return "", err
	}
	made, err := f.Make(placed(w.faulty(w.suite(name, tests), faults), testFolder))
	return string(made.Text), err
}

func (w *wiring) write(name, faults, dir string, tests []model.Test, force bool) (string, error) {
	f, err := format.Named(name)
	if err != nil {
		return "", err
	}
	path, _, err := f.Write(dir, placed(w.faulty(w.suite(name, tests), faults), dir), force)
	return path, err
}

// faulty adds the faults of the run which the tests are of to a suite.
func (w *wiring) faulty(s export.Suite, mode string) export.Suite {
	w.mu.Lock()
	defer w.mu.Unlock()
	var faults []model.Fault
	switch {
	case w.run != nil:
		faults = w.run.Snapshot().Faults
	case w.past != nil:
		faults = w.past.Faults
	}
	if mode != "" && mode != string(export.FailFaults) && s.Command != "" {
		s.Command += " --faults " + mode
	}
	return withFaults(s, faults, mode, true)
}

// formats are those that the app offers.
func formats() []screen.Format {
	var all []screen.Format
	for _, f := range format.All {
		all = append(all, screen.Format{Name: f.Name, File: f.File, Text: f.Text, Run: f.Run, Helpers: f.Helpers})
	}
	return all
}
