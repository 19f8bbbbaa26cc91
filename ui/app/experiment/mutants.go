package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/lab/mutate"
	"sonde/runner/lab/study"
	"sonde/runner/network/netns"
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
	pool, err := j.build(ctx, dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	j.pool = pool
	return pool, nil
}

// build builds the mutants in a folder. Their tests run in a network namespace if the kernel allows it, so that no changed
// service reaches another host.
func (j *mutantJudge) build(ctx context.Context, dir string) (*mutate.Pool, error) {
	o, err := j.builder.Options(dir)
	if err != nil {
		return nil, err
	}
	return mutate.NewPool(ctx, mutate.Plan{
		Service: o, Operators: mutate.Operators, Sample: j.sample.Size, Seed: j.sample.Seed, Dir: dir,
		Alone: netns.CheckSupport() == nil,
	})
}

// judge exports the tests of a run as Go tests, and runs them on the mutants. The tests expect the answers of the
// unchanged service, even answers that are faults. A service without a reset is restarted before each test, so that
// no test depends on others. It is an error if no test passes on the unchanged service.
func (j *mutantJudge) judge(ctx context.Context, p model.Plan, tests []model.Test, faults []model.Fault) (study.MutationScore, error) {
	pool, err := j.mutants(ctx)
	if err != nil {
		return study.MutationScore{}, err
	}
	dir, err := j.folder.subfolder()
	if err != nil {
		return study.MutationScore{}, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "suite")
	exported := suite.WithFaults(j.exported(p, tests), faults, string(export.PinFaults), false)
	if _, _, err := suite.WriteFiles(out, suite.DefaultFormat, exported, true); err != nil {
		return study.MutationScore{}, err
	}
	s, err := mutate.OpenSuite(ctx, out, dir)
	if err != nil {
		return study.MutationScore{}, err
	}
	for _, u := range p.Users {
		for name, value := range u.Secrets {
			if _, set := os.LookupEnv(name); !set {
				s.Env = append(s.Env, name+"="+value)
			}
		}
	}
	score, err := pool.Judge(ctx, s)
	if err != nil {
		return study.MutationScore{}, fmt.Errorf("its mutants: %w", err)
	}
	return study.MutationScore(score), nil
}

// exported returns the suite of tests of a run with a plan.
func (j *mutantJudge) exported(p model.Plan, tests []model.Test) export.Suite {
	reset := p.Reset
	if reset == nil {
		reset = &model.Reset{Restart: true}
	}
	s := suite.FromRun(codec.RunHeader{
		Title: p.Spec.Title, BaseURL: j.builder.BaseURL, Users: p.Users, Headers: p.Headers, Reset: reset, Insecure: p.Insecure, TLS: p.TLS,
		Service: &j.builder.Service, Dir: service.StartDir(&j.builder.Service, reset),
	}, tests, "")
	s.IncludeEarlierState = true
	return s
}

// checkMutable returns an error if exported tests cannot start a mutant in the place of the service. The path of the
// mutant replaces the first word of the command, so no other word may contain the placeholder of the binary.
func checkMutable(s *model.Service) error {
	for i, word := range s.Command {
		if strings.Contains(word, model.BinaryPlaceholder) && (i > 0 || word != model.BinaryPlaceholder) {
			return fmt.Errorf("its command begins with %q: mutants need one that begins with %s", s.Command[0], model.BinaryPlaceholder)
		}
	}
	return nil
}
