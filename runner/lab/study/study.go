// Package study compares searches, or lists of seqs. It makes many runs on several services, with several probabilities
// of smart sampling, budgets and seeds, and computes the tables of the empirical study in the
// EvoMaster paper. It does not start services itself; see Service.Copy.
package study

import (
	"context"
	"fmt"
	"time"

	"sonde/model"
)

// Study describes the runs to compare.
type Study struct {
	Services []Service
	// Smart are the probabilities P of smart sampling, in ascending order. The first is the base to
	// which the others are compared.
	Smart []float64
	// White lists the modes: false for black-box, true for white-box. If it is empty, runs are
	// black-box.
	White []bool
	// Ways are ways of sampling, which are compared with the first. If it is empty, all runs sample in the same way.
	Ways []Way
	// Lists are the names of lists of seqs, which are compared with the first. If there are any, the runs list seqs and call
	// them in place of searches; see Service.List. Such a study has no Ways and one P, which has no effect.
	Lists []string
	// Statements reports whether tables have statements: those of both modes, and Table 3.
	Statements bool
	// Mutants are the mutants of each service by which suites are judged. See Service.Judge.
	Mutants model.MutantSample
	// Paper reports whether the runs sample as the paper does. If so, the tables are shown with those of the paper.
	Paper bool
}

// Service is a service on which a study runs.
type Service struct {
	Name    string
	Budgets []Series // in ascending order
	// Digest identifies everything that influences a run on the service.
	Digest string
	// Copy starts a copy of the service for one run, or returns a plan that starts it. way is one of the Ways, and sets
	// the plan's sampling. The study sets the plan's limits, P and seed. end stops the copy. Copy is called concurrently.
	Copy func(ctx context.Context, way string) (p model.Plan, end func(), err error)
	// Count plays tests on the service with Go's own coverage, and counts what they reach. It is required if
	// Study.Statements or Study.Lists is set.
	Count func(ctx context.Context, p model.Plan, tests []model.Test) (ReachedCode, error)
	// List lists seqs and calls them on the service, until the limits of the plan. list is the name of a list. It is
	// required if Study.Lists is set.
	List func(ctx context.Context, p model.Plan, list string) (CalledList, error)
	// Judge exports the tests of a run and runs them on mutants of the service. The mutants are the same for all runs. If it
	// is nil, suites are not judged.
	Judge func(ctx context.Context, p model.Plan, tests []model.Test, faults []model.Fault) (MutationScore, error)
	// Endpoints is the number of the service's operations. Size returns the size of its source, nil if it is not known. Size
	// may be nil, too.
	Endpoints int
	Size      func(ctx context.Context) *model.SourceSize
	// Manual runs the service's own tests and counts the statements that they reach. It is nil if the service has none. It
	// is used only with Count, which counts the same statements.
	Manual func(ctx context.Context) (ManualCoverage, error)
}

// ReachedCode counts the code that tests reach when they are played on a service that go build -cover built. A block is
// a piece of code without a branch inside, such as the body of an if.
type ReachedCode struct {
	Statements, Blocks model.CoverageCount
	Took               time.Duration // time for playing the tests, including starts and resets of the service
}

// Series are runs that differ only in their seeds.
type Series struct {
	Calls int      `json:"calls"`
	Seeds []uint64 `json:"seeds"`
}

// RunKey identifies a run of a study.
type RunKey struct {
	Service string  `json:"service"`
	Budget  int     `json:"budget"`
	Smart   float64 `json:"smart"`
	Seed    uint64  `json:"seed"`
	Way     string  `json:"way,omitempty"` // see Study.Ways; the name of a list if the study has Study.Lists
	White   bool    `json:"white,omitempty"`
}

// String describes the run for messages.
func (key RunKey) String() string {
	name := fmt.Sprintf("%s with %d calls, P=%v, seed %d", key.Service, key.Budget, key.Smart, key.Seed)
	if key.Way != "" {
		name += fmt.Sprintf(", way %q", key.Way)
	}
	if key.White {
		name += ", white-box"
	}
	return name
}

// modes returns the modes of the runs: false for black-box, true for white-box.
func (s Study) modes() []bool {
	if len(s.White) == 0 {
		return []bool{false}
	}
	return s.White
}

// RunKeys returns the runs in the order in which they begin: first all runs with the first seed,
// then all with the second, and so on.
func (s Study) RunKeys() []RunKey {
	var all []RunKey
	for i, more := 0, true; more; i++ {
		more = false
		for _, service := range s.Services {
			for _, b := range service.Budgets {
				if i >= len(b.Seeds) {
					continue
				}
				more = true
				all = append(all, s.keysOf(RunKey{Service: service.Name, Budget: b.Calls, Seed: b.Seeds[i]})...)
			}
		}
	}
	return all
}

// keysOf returns copies of the key at, one for each combination of a probability, a way and a mode.
func (s Study) keysOf(at RunKey) (all []RunKey) {
	for _, at.Smart = range s.Smart {
		for _, at.Way = range s.wayNames() {
			for _, at.White = range s.modes() {
				all = append(all, at)
			}
		}
	}
	return all
}

// RunCount returns the number of runs.
func (s Study) RunCount() int { return len(s.RunKeys()) }

// service returns the service with a name, the zero Service if there is none.
func (s Study) service(name string) Service {
	for _, service := range s.Services {
		if service.Name == name {
			return service
		}
	}
	return Service{}
}
