package experiment

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"sonde/export"
	"sonde/model"
	"sonde/runner/lab/mutate"
	"sonde/runner/lab/study"
	"sonde/runner/network/netns"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/app/suite"
)

// mutantJudge judges exported suites by mutants of a service. The first call builds the mutants. A mutantJudge may be used by
// several goroutines at once.
type mutantJudge struct {
	builder *service.Builder
	folder  *BuildFolder
	sample  model.MutantSample

	mu   sync.Mutex
	pool *mutate.Pool // nil before the mutants are built
}

// mutants returns the mutants, which the first call builds.
func (j *mutantJudge) mutants(ctx context.Context) (*mutate.Pool, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.pool != nil {
		return j.pool, nil
	}
	dir, err := j.folder.subfolder()
	if err != nil {
		return nil, err
	}
	o, err := j.builder.Options(dir)
	if err != nil {
		return nil, err
	}
	j.pool, err = mutate.NewPool(ctx, mutate.Plan{
		Service: o, Operators: mutate.Operators, Sample: j.sample.Size, Seed: j.sample.Seed, Dir: dir,
		Alone: netns.CheckSupport() == nil,
	})
	return j.pool, err
}

// judge exports the tests of a run as Go tests, in which the answers of faults are expected, and runs them on the mutants.
func (j *mutantJudge) judge(ctx context.Context, p model.Plan, tests []model.Test, faults []model.Fault) (study.Kills, error) {
	pool, err := j.mutants(ctx)
	if err != nil {
		return study.Kills{}, err
	}
	dir, err := j.folder.subfolder()
	if err != nil {
		return study.Kills{}, err
	}
	defer os.RemoveAll(dir)
	exported := export.Suite{
		Title: p.Spec.Title, BaseURL: j.builder.BaseURL, Service: &j.builder.Service,
		Dir: paths.AbsoluteOrEmpty(j.builder.Service.Dir), Reset: p.Reset, Users: p.Users, Tests: tests,
	}
	out := filepath.Join(dir, "suite")
	exported = suite.WithFaults(exported, faults, string(export.PinFaults), false)
	_, _, err = suite.WriteFiles(out, suite.DefaultFormat, exported, true)
	switch {
	case errors.Is(err, export.ErrEmpty):
		return study.Kills{Mutants: pool.Size()}, nil
	case err != nil:
		return study.Kills{}, err
	}
	s, err := mutate.OpenSuite(ctx, out, dir)
	if err != nil {
		return study.Kills{}, err
	}
	score, err := pool.Judge(ctx, s)
	return study.Kills(score), err
}
