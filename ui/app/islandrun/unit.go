// Package islandrun runs one search as a campaign of several islands, each on its own copy of the service. Package
// runner/campaign/islands shares the budget and the tests between them. The search then continues on the coordinator's
// machine, where a run in a folder resumes from the tests of all islands.
package islandrun

import (
	"sonde/model"
	"sonde/runner/campaign/islands"
	"sonde/runner/search"
	"sonde/ui/app/experiment"
)

// CampaignKind is the kind of the campaigns of searches.
const CampaignKind = "search"

// sentIsland is a unit of a search: one island.
type sentIsland struct {
	Service  experiment.SentService `json:"service"`
	White    bool                   `json:"white,omitempty"` // the service is built with probes
	Setup    islands.Setup          `json:"setup"`
	Island   int                    `json:"island"`
	Settings sentSettings           `json:"settings"`
}

// sentSettings are the settings of a search that are not part of its service.
type sentSettings struct {
	Seed     uint64
	Tuning   model.Tuning
	Sampling model.Sampling
	Sizes    model.Sizes
	Oracles  []string
	Commands []model.AppliedCommand
	Rate     float64 // requests per second that an island may send
	OnDenied model.AccessDeniedPolicy
	Recorded []model.Test
	Hosts    []string // hosts that an island may call, besides the worker's machine
}

// apply changes the plan of a service to the plan of an island.
func (s sentSettings) apply(p *model.Plan) {
	p.Seed, p.Tuning, p.Oracles, p.Commands, p.Rate = s.Seed, s.Tuning, s.Oracles, s.Commands, s.Rate
	p.OnDenied, p.Recorded = s.OnDenied, s.Recorded
}

// found is what an island has found. It is the result of the island's unit. If a worker takes over an island from
// another worker, it continues from what that worker had stored.
type found struct {
	Kept    []search.Migrant
	Faults  []model.Fault
	Answers map[model.OpID]map[int]int
	// Covered are the targets outside the source in the order in which the island covered them.
	Covered  []coveredTarget
	Declared int // number of targets that the spec declares
	Last     model.Progress
}

// coveredTarget is a target, and when an island covered it.
type coveredTarget struct {
	Target string `json:"target"`
	Call   int    `json:"call"` // number of requests that the island had sent by then
}
