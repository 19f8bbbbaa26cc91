package experiment

import (
	"context"
	"fmt"
	"maps"
	"os"
	"sync"
	"time"

	"sonde/model"
	"sonde/runner/instrument/probe"
	"sonde/runner/lab/study"
	"sonde/runner/search"
	"sonde/ui/app/service"
)

// whiteBoxBuild builds a service for white-box runs. The first run builds the service twice: with probes,
// and with go build -cover. A whiteBoxBuild may be used by several goroutines at once.
type whiteBoxBuild struct {
	builder *service.Builder
	folder  *BuildFolder

	mu     sync.Mutex
	binary string // with probes; "" before it is built
	probed *model.Service
	plain  *model.Service // nil before it is built
	judges map[model.MutantSample]*mutantJudge
}

// judge returns the judge with a sample of mutants. All calls with the same sample return the same judge.
func (b *whiteBoxBuild) judge(sample model.MutantSample) *mutantJudge {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.judges[sample] == nil {
		b.judges[sample] = &mutantJudge{builder: b.builder, folder: b.folder, sample: sample}
	}
	return b.judges[sample]
}

// build builds the service, unless an earlier call has built it.
func (b *whiteBoxBuild) build(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.binary != "" {
		return nil
	}
	if err := b.buildPlain(ctx); err != nil {
		return err
	}
	dir, err := b.folder.subfolder()
	if err != nil {
		return err
	}
	r, err := b.builder.Build(ctx, dir, service.Additions{})
	if err != nil {
		return err
	}
	b.binary, b.probed = r.Binary, b.builder.StartBinary(r.Binary)
	return nil
}

// buildPlain builds the service without probes, unless an earlier call has built it. b.mu must be locked.
func (b *whiteBoxBuild) buildPlain(ctx context.Context) error {
	if b.plain != nil {
		return nil
	}
	dir, err := b.folder.subfolder()
	if err != nil {
		return err
	}
	plain, err := b.builder.BuildPlain(ctx, dir, false)
	if err != nil {
		return err
	}
	b.plain = plain
	return nil
}

// planWithoutProbes returns a plan for the service without probes.
func (b *whiteBoxBuild) planWithoutProbes(ctx context.Context, p model.Plan) (model.Plan, func(), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.buildPlain(ctx); err != nil {
		return p, nil, err
	}
	p.BaseURL, p.Service = b.builder.BaseURL, b.plain
	return p, func() {}, nil
}

// planWithProbes returns a plan for the service with probes.
func (b *whiteBoxBuild) planWithProbes(ctx context.Context, p model.Plan) (model.Plan, func(), error) {
	if err := b.build(ctx); err != nil {
		return p, nil, err
	}
	p.BaseURL, p.Service, p.Probes = b.builder.BaseURL, b.probed, &model.Probes{Binary: b.binary}
	return p, func() {}, nil
}

// countCoverage returns the coverage of tests on the service without probes.
func (b *whiteBoxBuild) countCoverage(ctx context.Context, p model.Plan, tests []model.Test) (study.ReachedCode, error) {
	dir, err := b.folder.subfolder()
	if err != nil {
		return study.ReachedCode{}, err
	}
	defer os.RemoveAll(dir)
	start := *b.plain
	start.Env = maps.Clone(start.Env)
	if start.Env == nil {
		start.Env = map[string]string{}
	}
	start.Env[probe.CoverDirVariable] = dir
	p.Service = &start
	begin := time.Now()
	if err := search.PlayTests(ctx, p, tests); err != nil {
		return study.ReachedCode{}, err
	}
	took := time.Since(begin)
	blocks, err := probe.ReadCover(ctx, dir)
	return study.ReachedCode{Statements: probe.CountStatements(blocks), Blocks: probe.CountBlocks(blocks), Took: took}, err
}

// withWhiteBox returns a service of a study with white-box runs. plans are the plans of black-box runs, to
// which the probes are added.
func (w Preparation) withWhiteBox(of study.Service, b *service.Builder, plans wayPlans) study.Service {
	built := w.builds[w.buildKey]
	if built == nil {
		built = &whiteBoxBuild{builder: b, folder: w.folder, judges: map[model.MutantSample]*mutantJudge{}}
	}
	if w.builds != nil {
		w.builds[w.buildKey] = built
	}
	of.Count = built.countCoverage
	if len(w.Lists) > 0 {
		of.List = newSeqLister(plans.usual.Spec, w.Lists).list
		of.Copy = func(ctx context.Context, _ string) (model.Plan, func(), error) {
			return built.planWithoutProbes(ctx, plans.usual)
		}
		return of
	}
	of.Copy = func(ctx context.Context, way string) (model.Plan, func(), error) {
		return built.planWithProbes(ctx, plans.of(way))
	}
	if w.Mutants.Size == 0 {
		return of
	}
	judge := built.judge(w.Mutants)
	of.Judge = judge.judge
	of.Copy = func(ctx context.Context, way string) (model.Plan, func(), error) {
		if _, err := judge.mutants(ctx); err != nil { // built before the search: if the build failed later, the search would be lost
			return model.Plan{}, nil, err
		}
		return built.planWithProbes(ctx, plans.of(way))
	}
	return of
}

// BuildFolder is a temporary folder for builds of services. It is created when it is first used. It may be
// used by several goroutines at once.
type BuildFolder struct {
	mu  sync.Mutex
	dir string
}

// subfolder returns a new folder in the temporary folder.
func (w *BuildFolder) subfolder() (string, error) {
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

// Close removes the temporary folder.
func (w *BuildFolder) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dir == "" {
		return nil
	}
	return os.RemoveAll(w.dir)
}
