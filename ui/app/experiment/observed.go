package experiment

import (
	"context"
	"fmt"
	"maps"
	"os"
	"sync"

	"sonde/model"
	"sonde/runner/instrument/probe"
	"sonde/runner/lab/study"
	"sonde/runner/search"
	"sonde/ui/app/service"
)

// sight is the white-box side of a studied service. The first run builds the service twice: with
// probes, and with go build -cover. It may be used by several goroutines.
type sight struct {
	building *service.Builder
	shop     *BuildFolder

	mu     sync.Mutex
	binary string // with probes; "" before it is built
	probed *model.Service
	plain  *model.Service
}

// open builds the service, once.
func (s *sight) open(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.binary != "" {
		return nil
	}
	dir, err := s.shop.folder()
	if err != nil {
		return err
	}
	s.plain, err = s.building.BuildPlain(ctx, dir, false)
	if err != nil {
		return err
	}
	r, err := s.building.Build(ctx, dir, false, false)
	if err != nil {
		return err
	}
	s.binary, s.probed = r.Binary, s.building.StartBinary(r.Binary)
	return nil
}

// see returns a plan for the service with probes.
func (s *sight) see(ctx context.Context, p model.Plan) (model.Plan, func(), error) {
	if err := s.open(ctx); err != nil {
		return p, nil, err
	}
	p.BaseURL, p.Service, p.Probes = s.building.BaseURL, s.probed, &model.Probes{Binary: s.binary}
	return p, func() {}, nil
}

// count returns the coverage of tests on the service without probes.
func (s *sight) count(ctx context.Context, p model.Plan, tests []model.Test) (model.CoverageCount, error) {
	dir, err := s.shop.folder()
	if err != nil {
		return model.CoverageCount{}, err
	}
	defer os.RemoveAll(dir)
	start := *s.plain
	start.Env = maps.Clone(start.Env)
	if start.Env == nil {
		start.Env = map[string]string{}
	}
	start.Env[probe.CoverDirVariable] = dir
	p.Service = &start
	if err := search.PlayTests(ctx, p, tests); err != nil {
		return model.CoverageCount{}, err
	}
	blocks, err := probe.ReadCover(ctx, dir)
	return probe.CountStatements(blocks), err
}

// seen returns a service of a study with white-box runs. Its plan is that of black-box runs.
func seen(of study.Service, b *service.Builder, shop *BuildFolder, plan model.Plan) study.Service {
	s := &sight{building: b, shop: shop}
	of.Count = s.count
	of.Copy = func(ctx context.Context) (model.Plan, func(), error) { return s.see(ctx, plan) }
	return of
}

// BuildFolder is a temporary folder for builds of services. It is created when it is needed. It may
// be used by several goroutines.
type BuildFolder struct {
	mu  sync.Mutex
	dir string
}

// folder returns a new folder in it.
func (w *BuildFolder) folder() (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dir == "" {
		dir, err := os.MkdirTemp("", "sonde-study-")
		if err != nil {
			return "", fmt.Errorf("no temporary folder to build the services in: %w", err)
		}
		w.dir = dir
	}
	return os.MkdirTemp(w.dir, "")
}

// Close removes it.
func (w *BuildFolder) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dir == "" {
		return nil
	}
	return os.RemoveAll(w.dir)
}
