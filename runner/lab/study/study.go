// Package study compares searches: it makes many runs, on several services,
// with several probabilities of smart sampling, budgets and seeds, and computes
// from them the tables of the EvoMaster paper's empirical study.
package study

import (
	"context"
	"fmt"

	"sonde/model"
)

// Study is what is compared with what.
type Study struct {
	Services []Service
	// Smart are the probabilities P, rising. The first one is the base that the
	// others are compared with.
	Smart []float64
	// White are the ways to look at the services: not into them (false), which is
	// black-box, and into them. Without any nothing of them is seen or counted.
	White []bool
}

// Service is a service that is studied.
type Service struct {
	Name    string
	Budgets []Series // rising
	// Digest stands for all that shapes a run on the service.
	Digest string
	// Copy starts a copy of the service for one run, or leaves that to the plan.
	// It returns the plan, whose limits, P and seed are the study's, and what
	// ends the copy. It is called from several goroutines.
	Copy func(ctx context.Context) (p model.Plan, end func(), err error)
	// Count plays tests again on the service as Go alone counts its statements, and
	// returns what they reach. It is there where the study is one of White.
	Count func(ctx context.Context, p model.Plan, tests []model.Test) (model.CoverageCount, error)
}

// Series are runs that differ in nothing but their seeds.
type Series struct {
	Calls int      `json:"calls"`
	Seeds []uint64 `json:"seeds"`
}

// Cell is the place of a run in a study.
type Cell struct {
	Service string  `json:"service"`
	Budget  int     `json:"budget"`
	Smart   float64 `json:"smart"`
	Seed    uint64  `json:"seed"`
	White   bool    `json:"white,omitempty"`
}

// String names the run for a person.
func (c Cell) String() string {
	name := fmt.Sprintf("%s with %d calls, P=%v, seed %d", c.Service, c.Budget, c.Smart, c.Seed)
	if c.White {
		name += ", white-box"
	}
	return name
}

// sights are the values of White that runs have.
func (s Study) sights() []bool {
	if len(s.White) == 0 {
		return []bool{false}
	}
	return s.White
}

// cells are the runs in the order in which they are begun: the first seed of
// everything, then the second.
func (s Study) cells() []Cell {
	var all []Cell
	for i, more := 0, true; more; i++ {
		more = false
		for _, service := range s.Services {
			for _, b := range service.Budgets {
				if i >= len(b.Seeds) {
					continue
				}
				more = true
				for _, p := range s.Smart {
					for _, white := range s.sights() {
						all = append(all, Cell{Service: service.Name, Budget: b.Calls, Smart: p, Seed: b.Seeds[i], White: white})
					}
				}
			}
		}
	}
	return all
}

// Runs is how many there are.
func (s Study) Runs() int { return len(s.cells()) }

func (s Study) service(name string) Service {
	for _, service := range s.Services {
		if service.Name == name {
			return service
		}
	}
	return Service{}
}
