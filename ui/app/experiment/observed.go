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

// sight lets the runs of a study see into a service, which is built for the first of
// them, and once: with probes, and as go build -cover does. It may be used by several
// goroutines.
type sight struct {
	building *service.Builder
	shop     *BuildFolder

	mu     sync.Mutex
	binary string // with probes; "" before it is built
	probed *model.Service
	plain  *model.Service
}

// open builds the service where it is not built yet.
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

// see is a plan of the service as it was built.
func (s *sight) see(ctx context.Context, p model.Plan) (model.Plan, func(), error) {
	if err := s.open(ctx); err != nil {
		return p, nil, err
	}
	p.BaseURL, p.Service, p.Probes = s.building.BaseURL, s.probed, &model.Probes{Binary: s.binary}
	return p, func() {}, nil
}

// count plays tests on the service that was built without probes.
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
	if err := search.Replay(ctx, p, tests); err != nil {
		return model.CoverageCount{}, err
	}
	blocks, err := probe.ReadCover(ctx, dir)
	return probe.CountStatements(blocks), err
}

// seen is a service of a study that is seen into. Its plan is that of runs which are
// not.
func seen(of study.Service, b *service.Builder, shop *BuildFolder, plan model.Plan) study.Service {
	s := &sight{building: b, shop: shop}
	of.Count = s.count
	of.Copy = func(ctx context.Context) (model.Plan, func(), error) { return s.see(ctx, plan) }
	return of
}

// BuildFolder is a temporary folder in which services are built; it is made when it is
// needed.
type BuildFolder struct {
	mu  sync.Mutex
	dir string
}

// folder makes a new folder in it.
func (w *BuildFolder) folder() (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dir == "" {
		dir, err := os.MkdirTemp("", "sonde-study-")
		if err != nil {
			return "", fmt.Errorf("there is no place to build the services: %w", err)
		}
		w.dir = dir
	}
	return os.MkdirTemp(w.dir, "")
}

// Close removes all of it.
func (w *BuildFolder) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dir == "" {
		return nil
	}
	return os.RemoveAll(w.dir)
}
