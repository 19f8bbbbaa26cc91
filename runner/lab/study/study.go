// Package study compares searches: it makes many runs on several services, with several
// probabilities of smart sampling, budgets and seeds, and computes the tables of the EvoMaster
// paper's empirical study from them. It does not start services itself; see Service.Copy.
package study

import (
	"context"
	"fmt"

	"sonde/model"
)

// Study describes the runs to compare.
type Study struct {
	Services []Service
	// Smart are the probabilities P in ascending order. The first one is the base that the others
	// are compared with.
	Smart []float64
	// White lists the modes: black-box (false) and white-box (true). If it is empty, runs are
	// black-box and no statements are counted.
	White []bool
}

// Service is a service that is studied.
type Service struct {
	Name    string
	Budgets []Series // in ascending order
	// Digest identifies everything that influences a run on the service.
	Digest string
	// Copy starts a copy of the service for one run, or lets the plan start it. It returns the
	// plan, whose limits, P and seed are set by the study, and a function that ends the copy. It is
	// called concurrently.
	Copy func(ctx context.Context) (p model.Plan, end func(), err error)
	// Count replays tests on the service with Go's own coverage, and returns the statements that
	// they reach. It is required if White is not empty.
	Count func(ctx context.Context, p model.Plan, tests []model.Test) (model.CoverageCount, error)
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
	White   bool    `json:"white,omitempty"`
}

// String describes the run for people.
func (c RunKey) String() string {
	name := fmt.Sprintf("%s with %d calls, P=%v, seed %d", c.Service, c.Budget, c.Smart, c.Seed)
	if c.White {
		name += ", white-box"
	}
	return name
}

// modes returns the values of White of the runs.
func (s Study) modes() []bool {
	if len(s.White) == 0 {
		return []bool{false}
	}
	return s.White
}

// cells returns the runs in the order in which they begin: the first seed of everything, then the
// second.
func (s Study) cells() []RunKey {
	var all []RunKey
	for i, more := 0, true; more; i++ {
		more = false
		for _, service := range s.Services {
			for _, b := range service.Budgets {
				if i >= len(b.Seeds) {
					continue
				}
				more = true
				for _, p := range s.Smart {
					for _, white := range s.modes() {
						all = append(all, RunKey{Service: service.Name, Budget: b.Calls, Smart: p, Seed: b.Seeds[i], White: white})
					}
				}
			}
		}
	}
	return all
}

// RunCount returns the number of runs.
func (s Study) RunCount() int { return len(s.cells()) }

func (s Study) service(name string) Service {
	for _, service := range s.Services {
		if service.Name == name {
			return service
		}
	}
	return Service{}
}
