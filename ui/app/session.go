package app

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/usecase"
	"sonde/ui/console"
)

// Options has the flags and the configuration of a workspace.
type Options struct {
	Streams    console.Streams
	Specs      *specfile.Loader
	Source     string // the spec's path or URL, service.DemoSource, or "-" for standard input
	Against    string // the path or URL of an older version of the spec, "" for none
	URL        string // the service's, as it was given; "" for the demo's, the configuration's or none
	Config     service.Configuration
	Service    service.Service // set for the demo only; for other specs, the service is known once the spec is loaded
	AllowHosts []string
	Sending    service.RequestOptions
	Network    service.Network
	// Observed is the path of a run, a recording or a HAR file, "" for none. Corrections are derived from its
	// traffic.
	Observed string
	// Memory is the state file, "" to store no state.
	Memory string
	// SettingsOf returns the settings of an earlier run from its arguments. If it is nil, the settings of
	// the run's header are used.
	SettingsOf func(codec.StoredRun) usecase.SearchSettings
}

// InitialNet returns NetworkRequested if the flags or the configuration ask for a virtual network,
// otherwise NetworkAvailable.
func (o Options) InitialNet() usecase.NetworkSupport { return initialNet(o.Network, o.Config) }

// session has the state that the use cases share: the open spec, its service, and the users. All methods
// may be called from any goroutine.
type session struct {
	options Options // options that the user gave

	mu      sync.Mutex
	current openSpec
}

// openSpec is a state of a session. It is an immutable copy.
type openSpec struct {
	spec     *model.Spec // nil before the first one was loaded
	analysis *analysis.Analysis
	service  service.Service
	config   service.Configuration
	observed string // the path of the traffic that shows what values are, "" for none
	// url is the URL of the service as the user gave it, and sending says how its requests are sent. Another environment
	// of the configuration has others.
	url     string
	sending service.RequestOptions
	// version is unique for each state. Data derived from another version is stale.
	version int
}

func newSession(o Options) *session {
	return &session{options: o, current: openSpec{
		service: o.Service, config: o.Config, observed: o.Observed, url: o.URL, sending: o.Sending,
	}}
}

func (s *session) state() openSpec {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// load reads a spec, with the corrections that the configuration file has now, and makes it the open one.
func (s *session) load(ctx context.Context, source string) (*model.Spec, error) {
	if err := s.readCorrections(); err != nil {
		return nil, err
	}
	spec, err := s.read(ctx, source)
	if err != nil {
		return nil, err
	}
	a := analysis.Analyze(spec, analysis.Options{})
	s.mu.Lock()
	defer s.mu.Unlock()
	now := &s.current
	now.spec, now.analysis, now.version = spec, a, now.version+1
	if url := cmp.Or(now.url, now.config.URL); url != "" || now.config.StartsService() {
		now.service = now.config.ServiceAt(url, spec)
	}
	return spec, nil
}

func (s *session) read(ctx context.Context, source string) (*model.Spec, error) {
	spec, err := s.parse(ctx, source)
	if err != nil {
		return nil, err
	}
	now := s.state()
	spec.Corrections = now.config.Values // the loader still has the corrections from the start of the app
	if now.observed != "" {
		shown, err := specfile.Observe(spec, now.observed)
		if err != nil {
			return nil, err
		}
		spec.Corrections = slices.Concat(spec.Corrections, shown)
	}
	return spec, nil
}

func (s *session) parse(ctx context.Context, source string) (*model.Spec, error) {
	if source == service.DemoSource && s.options.Source == service.DemoSource {
		return service.LoadDemo(ctx)
	}
	return s.options.Specs.Load(ctx, s.options.Streams, source)
}

// changeUsers calls change with the current users, and replaces them by the result.
func (s *session) changeUsers(change func([]model.User) ([]model.User, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current.service.URL == "" {
		return errNoService
	}
	users, err := change(s.current.service.Users)
	if err != nil {
		return err
	}
	s.current.service.Users, s.current.config.Users = users, users
	s.current.version++
	return nil
}

// setConfigPath stores the path of the configuration file. Commands that repeat a run refer to this file.
func (s *session) setConfigPath(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current.config.Path = path
}

// setCorrections sets the corrections of values for specs that are loaded later.
func (s *session) setCorrections(all []model.ValueCorrection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current.config.Values = all
}

// setObserved sets the traffic from which corrections are derived, for specs that are loaded later.
func (s *session) setObserved(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current.observed = path
}

// errNoService is the error for a call, a run or a change of users when there is no service.
var errNoService = errors.New("there is no service to call: start with sonde SPEC --url URL")

// errNoSpec is the error for a run or a recording when no spec is loaded.
var errNoSpec = errors.New("the spec is not loaded yet: try again when its operations are listed")

// settings returns the settings of a run or a call from the app, and the state to which they belong.
func (s *session) settings(chosen usecase.SearchSettings) (searchrun.Settings, openSpec, error) {
	now, o := s.state(), s.options
	switch {
	case now.service.URL == "":
		return searchrun.Settings{}, now, errNoService
	case now.spec == nil:
		return searchrun.Settings{}, now, errNoSpec
	}
	observed := now.service.Instrumented(chosen.WhiteBox, chosen.Net)
	return searchrun.Settings{
		Source:         o.Source,
		URL:            now.url,
		Config:         now.config,
		RemoteRefs:     o.Specs.FollowRemoteRefs,
		MaxBytes:       o.Specs.MaxBytes,
		Service:        observed,
		BlackBox:       observed.Observable() && !chosen.WhiteBox,
		Network:        o.Network.WithSwitch(chosen.Net, now.config.Net),
		OnDenied:       model.PauseWhenDenied,
		Limits:         chosen.Limits,
		Tuning:         chosen.Tuning,
		Sampling:       chosen.Sampling,
		Sizes:          chosen.Sizes,
		Minimise:       chosen.Minimise,
		Security:       chosen.Security,
		Workers:        chosen.Workers,
		Seed:           chosen.Seed,
		AllowHosts:     now.allowedHosts(o.AllowHosts),
		RequestOptions: now.sending,
		Commands:       commandsOf(chosen.Stubs),
	}, now, nil
}

// allowedHosts returns hosts and those that the configuration allows, without duplicates.
func (s openSpec) allowedHosts(hosts []string) []string {
	all := slices.Clone(hosts)
	for _, host := range s.config.Hosts {
		if !slices.Contains(all, host) {
			all = append(all, host)
		}
	}
	return all
}

// commandsOf returns the commands that inject stubs when a search begins.
func commandsOf(stubs []model.Stub) (all []model.AppliedCommand) {
	for _, s := range stubs {
		all = append(all, model.AppliedCommand{Command: model.Command{Stub: &s}})
	}
	return all
}
