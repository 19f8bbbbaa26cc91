package mutation

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"sonde/runner/campaign"
	"sonde/runner/lab/mutate"
	"sonde/runner/network/netns"
	"sonde/ui/app/experiment"
	"sonde/ui/app/service"
)

const (
	// keepUnused is how long a tester keeps what it has prepared for an analysis after the last unit of that
	// analysis.
	keepUnused = 10 * time.Minute
	// retryAfter is how long a tester refuses the units of an analysis after a failed preparation, so that other
	// workers do them. After this time it tries to prepare again.
	retryAfter = time.Minute
)

// Tester tries mutants for others. It prepares once for each analysis. It is safe for concurrent use. Close it after use.
type Tester struct {
	Cache       string // folder for files from the servers
	Permissions experiment.Permissions

	mu       sync.Mutex
	prepared map[string]*preparation // key: hash of the sentAnalysis
}

// preparation is what a tester has prepared for an analysis.
type preparation struct {
	trier *mutate.Trier
	err   error  // why trier is nil
	dir   string // folder with the sources and the binaries
	users int    // number of units that use the preparation now
	used  time.Time
}

// unable is the error of a worker that cannot try mutants on its machine. The unit is then given to another worker.
type unable struct{ error }

func (u unable) Error() string { return "this worker cannot try the mutants: " + u.error.Error() }

func (u unable) Is(target error) bool { return target == campaign.ErrRefused }

// Execute tries the mutant of a unit.
func (r *Tester) Execute(ctx context.Context, t campaign.Task) (any, error) {
	var u sentMutant
	if err := json.Unmarshal(t.Payload, &u); err != nil {
		return nil, err
	}
	if err := r.Permissions.CheckBuild(); err != nil {
		return nil, err
	}
	p, err := r.acquire(ctx, t.Store, u.Analysis)
	if err != nil {
		return nil, err
	}
	defer r.release(p)
	return p.trier.Try(ctx, u.ID)
}

// acquire returns what is prepared for an analysis. The first caller prepares it, while others wait. The caller must
// release the preparation. If this machine cannot try the mutants, acquire returns an error of the type unable.
func (r *Tester) acquire(ctx context.Context, s *campaign.Store, analysis string) (*preparation, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.prepared[analysis]; p != nil && (p.err == nil || time.Since(p.used) < retryAfter) {
		if p.err == nil {
			p.users++
		}
		return p, p.err
	}
	if err := r.removeUnused(); err != nil {
		return nil, err
	}
	p, err := r.prepare(ctx, s, analysis)
	switch {
	case err != nil:
		return nil, errors.Join(err, os.RemoveAll(p.dir))
	case p.err != nil:
		err = os.RemoveAll(p.dir)
	default:
		p.users++
	}
	if r.prepared == nil {
		r.prepared = map[string]*preparation{}
	}
	p.used = time.Now()
	r.prepared[analysis] = p
	return p, errors.Join(p.err, err)
}

func (r *Tester) release(p *preparation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.users--
	p.used = time.Now()
}

// removeUnused removes the preparations that no unit has used for the duration keepUnused.
func (r *Tester) removeUnused() (err error) {
	for analysis, p := range r.prepared {
		if p.users == 0 && time.Since(p.used) > keepUnused {
			err = errors.Join(err, os.RemoveAll(p.dir))
			delete(r.prepared, analysis)
		}
	}
	return err
}

// Close removes what was prepared.
func (r *Tester) Close() (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.prepared {
		err = errors.Join(err, os.RemoveAll(p.dir))
	}
	r.prepared = nil
	return err
}

// prepare gets the files of an analysis, builds the service and the tests, and makes the mutants. If this machine
// cannot do so, prepare returns no error. It stores the reason in p.err, so that the tester remembers it. p is never
// nil, so that the caller can remove its folder.
func (r *Tester) prepare(ctx context.Context, s *campaign.Store, analysis string) (p *preparation, err error) {
	p = &preparation{}
	data, err := s.Input(ctx, analysis, r.files())
	if err != nil {
		return p, err
	}
	var a sentAnalysis
	if err := json.Unmarshal(data, &a); err != nil {
		return p, err
	}
	if p.dir, err = os.MkdirTemp("", "sonde-mutate-"); err != nil {
		return p, err
	}
	if err := r.unpack(ctx, s, a, p.dir); err != nil {
		return p, err
	}
	p.trier, err = newTrier(ctx, a, p.dir)
	switch {
	case ctx.Err() != nil:
		return p, ctx.Err()
	case err != nil:
		p.err = unable{err}
	}
	return p, nil
}

// files returns the folder for files from the servers.
func (r *Tester) files() string { return filepath.Join(r.Cache, "files") }

// The folders of an analysis in the folder of its preparation.
const (
	moduleFolder = "module"
	testsFolder  = "tests"
	binaryFolder = "binaries"
)

// unpack writes the service's module and the tests into folders of dir. Each preparation has its own copy, because
// tests may write files into their folder.
func (r *Tester) unpack(ctx context.Context, s *campaign.Store, a sentAnalysis, dir string) error {
	packs := map[string]string{testsFolder: a.Tests}
	if !a.Demo {
		packs[moduleFolder] = a.Module
	}
	for folder, hash := range packs {
		packed, err := s.Input(ctx, hash, r.files())
		if err != nil {
			return err
		}
		if err := campaign.Unpack(packed, filepath.Join(dir, folder)); err != nil {
			return err
		}
	}
	return os.Mkdir(filepath.Join(dir, binaryFolder), 0o700)
}

// newTrier builds the service and the tests that are in folders of dir.
func newTrier(ctx context.Context, a sentAnalysis, dir string) (*mutate.Trier, error) {
	binaries := filepath.Join(dir, binaryFolder)
	p := mutate.Plan{Service: a.Service, Operators: a.Operators, Alone: netns.CheckSupport() == nil, Dir: binaries}
	p.Service.Dir = filepath.Join(dir, moduleFolder, filepath.FromSlash(a.Service.Dir))
	if a.Demo {
		demo, err := service.DemoBuilder().Options(dir)
		if err != nil {
			return nil, err
		}
		p.Service.Dir = demo.Dir
	}
	var err error
	p.Suite, err = mutate.OpenSuite(ctx, filepath.Join(dir, testsFolder, filepath.FromSlash(a.TestsDir)), binaries)
	if err != nil {
		return nil, err
	}
	return mutate.NewTrier(ctx, p, a.Basis, a.Broken)
}
