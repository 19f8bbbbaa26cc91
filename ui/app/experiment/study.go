// Package experiment prepares the services of a study, so that each run gets its own copy. Package
// runner/lab/study performs the runs.
package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"path/filepath"
	"slices"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/config"
	"sonde/model/openapi"
	"sonde/runner/lab/study"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
)

// NewStudy returns the study of a configuration. White-box services are built in folder.
func NewStudy(ctx context.Context, c config.StudyConfig, jobs int, users []model.User, folder *BuildFolder) (study.Study, error) {
	w := Preparation{Setup: setupOf(c, ""), jobs: jobs, users: users}
	if w.isBuilt() {
		w.folder = folder
	}
	return w.study(ctx, c)
}

// study returns the study of a configuration.
func (w Preparation) study(ctx context.Context, c config.StudyConfig) (study.Study, error) {
	s := study.Study{
		Smart: c.Smart, White: c.White, Mutants: c.Mutants, Statements: w.Statements,
		Paper: len(c.Ways) == 0 && isPaper(c.Sampling, c.Sizes),
	}
	for _, way := range c.Ways {
		s.Ways, s.Paper = append(s.Ways, study.Way(way)), s.Paper || isPaper(way.Sampling, c.Sizes)
	}
	for _, l := range c.Lists {
		s.Lists, s.Paper = append(s.Lists, l.Name()), false
	}
	w.ways = c.Ways
	for _, entry := range c.Services {
		service, err := w.service(ctx, entry)
		if err != nil {
			return s, fmt.Errorf("service %q: %w", entry.Name, err)
		}
		service.Name = entry.Name
		for _, b := range entry.Budgets {
			service.Budgets = append(service.Budgets, study.Series(b))
		}
		s.Services = append(s.Services, service)
	}
	return s, nil
}

// isPaper reports whether a sampling and sizes are those of the EvoMaster paper.
func isPaper(s model.Sampling, n model.Sizes) bool {
	paper, _ := model.StrategyPaper.Sampling()
	return s == paper && n.OrDefault() == model.DefaultSizes()
}

// Setup has the settings of a study for all runs of one way of sampling.
type Setup struct {
	White    []bool             `json:"white,omitempty"` // see config.StudyConfig
	Sampling model.Sampling     `json:"sampling"`
	Sizes    model.Sizes        `json:"sizes,omitzero"` // the zero value means the defaults
	Mutants  model.MutantSample `json:"mutants,omitzero"`
	Lists    []config.SeqList   `json:"lists,omitempty"`
	// Statements reports whether a table of the study has statements.
	Statements bool `json:"statements,omitempty"`
}

// isBuilt reports whether the study builds its services.
func (s Setup) isBuilt() bool { return len(s.White) > 0 || len(s.Lists) > 0 }

// setupOf returns the settings of a study for one of its ways, which are samplings with names. way is "" for a study
// without ways.
func setupOf(c config.StudyConfig, way string) Setup {
	s := Setup{White: c.White, Sampling: c.Sampling, Sizes: c.Sizes, Mutants: c.Mutants, Lists: c.Lists}
	s.Statements = len(c.White) > 1 ||
		slices.ContainsFunc(c.Services, func(s config.StudiedService) bool { return !s.Manual.IsZero() })
	for _, w := range c.Ways {
		if w.Name == way {
			s.Sampling = w.Sampling
		}
	}
	return s
}

// Preparation has the settings for preparing services.
type Preparation struct {
	Setup
	ways   []config.Way // see config.StudyConfig
	jobs   int
	users  []model.User // come before the users of each service
	folder *BuildFolder // folder for builds of white-box services, nil for black-box ones
	// builds maps the key of a service to its earlier builds. It is nil if builds are not shared. buildKey is the key of
	// the service that is being prepared.
	builds   map[string]*whiteBoxBuild
	buildKey string
	check    func(*config.Config) error // returns an error for what a worker must not do; nil if everything is allowed
}

func (w Preparation) service(ctx context.Context, entry config.StudiedService) (study.Service, error) {
	if entry.Demo {
		return w.DemoService(ctx)
	}
	read, err := config.Load(entry.Config)
	if err == nil && w.check != nil {
		err = w.check(&read)
	}
	switch {
	case err != nil:
		return study.Service{}, err
	case read.Driver != "":
		return study.Service{}, fmt.Errorf(
			"%q names a driver, but a study starts services itself: set how to start it instead", entry.Config,
		)
	case read.Service == nil:
		return study.Service{}, fmt.Errorf("%q does not say how to start it: a study needs a copy for each run; set sut", entry.Config)
	case read.Reset != nil && read.Reset.Clean:
		return study.Service{}, fmt.Errorf(
			"%q resets by clean, but a study also plays tests on builds that cannot clean databases: reset by a request or restart",
			entry.Config,
		)
	case read.Service.Port > 0 && w.jobs > 1:
		return study.Service{}, fmt.Errorf(
			"%q gives it the port %d, so there can be only one copy: remove port, or use --jobs 1",
			entry.Config, read.Service.Port,
		)
	case w.folder != nil && read.Service.Build == nil:
		return study.Service{}, fmt.Errorf(
			"%q does not say how to build it, as %s: set sut: {build: ./cmd/server}", entry.Config, w.reasonToBuild(),
		)
	}
	if w.Mutants.Size > 0 {
		if err := checkMutable(read.Service); err != nil {
			return study.Service{}, fmt.Errorf("%q: %w", entry.Config, err)
		}
	}
	read.Service.Log = "" // copies would write over each other
	read.Users = service.MergeUsers(w.users, read.Users)
	s, err := w.started(ctx, service.Configuration{Config: read, Path: entry.Config})
	s.Manual = manualTests(service.BuilderOf(read.Service, ""), entry.Manual)
	return s, err
}

// reasonToBuild says what needs services that Sonde builds.
func (w Preparation) reasonToBuild() string {
	if len(w.Lists) > 0 {
		return "a study with lists needs"
	}
	return "white-box needs"
}

// started returns a service that each run starts for itself.
func (w Preparation) started(ctx context.Context, c service.Configuration) (study.Service, error) {
	source, err := c.SpecSource(nil, "")
	if err != nil {
		return study.Service{}, err
	}
	spec, err := openapi.Load(ctx, source, openapi.Options{})
	if err == nil {
		spec, err = c.FilterOperations(spec)
	}
	if err != nil {
		return study.Service{}, err
	}
	set := searchrun.Settings{
		Config:         c,
		RequestOptions: service.RequestOptions{TLSOptions: service.TLSOptions{Insecure: c.Insecure, TLS: c.TLS}},
		Service:        c.ServiceAt(c.URL, spec),
		Tuning:         c.ApplyTuning(model.DefaultTuning()),
		Sampling:       w.Sampling,
		Sizes:          w.Sizes,
	}
	plans := w.plans(set, spec)
	digest, err := PlanDigest(movable(plans.usual, filepath.Dir(c.Path)))
	s := study.Service{Digest: digest, Endpoints: len(spec.Operations), Size: sizeOf(set.Service.Builder)}
	if w.folder != nil {
		return w.withWhiteBox(s, set.Service.Builder, plans), err
	}
	s.Copy = func(_ context.Context, way string) (model.Plan, func(), error) { return plans.of(way), func() {}, nil }
	return s, err
}

// wayPlans are the plans of a service for the ways of a study.
type wayPlans struct {
	usual  model.Plan // plan with Preparation.Sampling
	byName map[string]model.Plan
}

// plans returns the plans of a service: one for each way, and the usual one. set has the sampling of the usual plan.
func (w Preparation) plans(set searchrun.Settings, spec *model.Spec) wayPlans {
	samplings := []model.Sampling{set.Sampling}
	for _, way := range w.ways {
		samplings = append(samplings, way.Sampling)
	}
	all := set.Plans(spec, samplings)
	p := wayPlans{usual: all[0], byName: map[string]model.Plan{}}
	for i, way := range w.ways {
		p.byName[way.Name] = all[1+i]
	}
	return p
}

// of returns the plan of a way. If there is no such way, it returns the usual plan: a study may have no ways, and a
// worker prepares a single sampling, which is that of its usual plan.
func (p wayPlans) of(way string) model.Plan {
	if plan, ok := p.byName[way]; ok {
		return plan
	}
	return p.usual
}

// sizeOf returns a function that measures the source of a service. The function returns nil if the source cannot be read,
// or if b is nil because Sonde does not build the service.
func sizeOf(b *service.Builder) func(context.Context) *model.SourceSize {
	return func(ctx context.Context) *model.SourceSize {
		if b == nil {
			return nil
		}
		size, err := b.SourceSize(ctx)
		if err != nil {
			return nil
		}
		return &size
	}
}

// movable makes the folder of the service relative to the folder of its configuration, so that a study can
// be resumed after it was moved.
func movable(p model.Plan, folder string) model.Plan {
	if inside, err := filepath.Rel(folder, p.Service.Dir); err == nil {
		s := *p.Service
		s.Dir = inside
		p.Service = &s
	}
	return p
}

// DemoService returns the built-in demo. It runs in this process unless it is white-box. The demo names its
// faults in a header, which the search ignores.
func (w Preparation) DemoService(ctx context.Context) (study.Service, error) {
	spec, err := service.LoadDemo(ctx)
	if err != nil {
		return study.Service{}, err
	}
	set := searchrun.Settings{Service: service.DemoAt(""), Tuning: model.DefaultTuning(), Sampling: w.Sampling, Sizes: w.Sizes}
	plans := w.plans(set, spec)
	digest, err := PlanDigest(plans.usual)
	b := service.DemoBuilder()
	s := study.Service{Digest: digest, Endpoints: len(spec.Operations), Size: sizeOf(b)}
	if w.folder != nil {
		b.Service.Command = append(b.Service.Command, "--reveal")
		return w.withWhiteBox(s, b, plans), err
	}
	s.Copy = func(ctx context.Context, way string) (model.Plan, func(), error) {
		ctx, end := context.WithCancel(ctx)
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			end()
			return model.Plan{}, nil, fmt.Errorf("no free port for the demo: %w", err)
		}
		go demo.Serve(ctx, l, demo.NewShop(demo.Config{Reveal: true}))
		own := plans.of(way)
		own.BaseURL = "http://" + l.Addr().String()
		return own, end, nil
	}
	return s, err
}

// PlanDigest returns a digest of a plan. It includes the hash and the operations of the spec, but not the
// templates and the distilled seqs, which are derived from the spec.
func PlanDigest(p model.Plan) (string, error) {
	called := p.Spec.Hash
	for _, op := range p.Spec.Operations {
		called += "\n" + string(op.ID)
	}
	p.Spec, p.Templates, p.PlainTemplates, p.Distilled = nil, nil, nil, nil // derived from the spec
	data, err := json.Marshal(struct {
		Called string
		Plan   model.Plan
	}{called, p})
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8]), err
}
