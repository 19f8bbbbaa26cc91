// Package mutation distributes mutation analysis: workers try the mutants of a service, one a unit.
package mutation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"sonde/runner/campaign"
	"sonde/runner/instrument/probe"
	"sonde/runner/lab/mutate"
	"sonde/ui/app/sources"
)

// CampaignKind is the kind of the campaigns of mutation analyses.
const CampaignKind = "mutation"

// sentAnalysis is what a worker needs to try the mutants of an analysis.
type sentAnalysis struct {
	Basis     mutate.Basis      `json:"basis"`
	Operators []mutate.Operator `json:"operators"`
	Broken    []string          `json:"broken,omitempty"` // tests that are left out
	Demo      bool              `json:"demo,omitempty"`
	Service   probe.Options     `json:"service"`          // its Dir is in the pack
	Module    string            `json:"module,omitempty"` // hash of the pack with the service's module; the demo has none
	Tests     string            `json:"tests"`            // hash of the pack with the tests
	TestsDir  string            `json:"testsDir"`         // the tests' folder in the pack
}

// sentMutant is a unit of an analysis.
type sentMutant struct {
	Analysis string `json:"analysis"` // hash of the sentAnalysis
	ID       string `json:"id"`
}

// Source says where the sources of an analysis are.
type Source struct {
	Demo    bool
	Results string // path of the file of results, which is not sent; "" if there is none
}

func (s Source) without() []string {
	if s.Results == "" {
		return nil
	}
	return []string{s.Results, s.Results + ".lock"}
}

// Distributed is an analysis whose mutants are tried by workers.
//
// Each mutant of the service is a unit, even if the tests do not reach it. A coordinator that resumes plays the tests
// again, and their calls may then reach other code; the units must still be the same. Units of mutants that are not
// to be tried count as done from the start.
type Distributed struct {
	analysis *mutate.Analysis
	log      *mutate.Log
	sent     string // hash of the sentAnalysis
	ids      []string
	wanted   map[string]bool // IDs of the mutants to try
	failed   int
	first    string // why the first of the failed units failed
}

// Distribute stores the service and its tests on the servers of campaigns. Results go into the log.
func Distribute(ctx context.Context, s *campaign.Store, a *mutate.Analysis, log *mutate.Log, from Source) (*Distributed, error) {
	sent := sentAnalysis{
		Basis: a.Basis(), Operators: a.Operators, Broken: a.Broken, Demo: from.Demo,
		Service: probe.Options{Package: a.Service.Package, Cover: a.Service.Cover, Tags: a.Service.Tags, Vendor: a.Service.Vendor},
	}
	if !from.Demo {
		packed, err := packService(ctx, a, from, &sent.Service)
		if err != nil {
			return nil, err
		}
		if sent.Module, err = s.PutInput(ctx, packed); err != nil {
			return nil, err
		}
	}
	packed, dir, err := packTests(ctx, a.Suite.Dir, from.without())
	if err != nil {
		return nil, err
	}
	sent.TestsDir = dir
	if sent.Tests, err = s.PutInput(ctx, packed); err != nil {
		return nil, err
	}
	data, err := json.Marshal(sent)
	if err != nil {
		return nil, err
	}
	d := &Distributed{analysis: a, log: log, ids: a.IDs(), wanted: map[string]bool{}}
	for _, m := range a.Mutants {
		d.wanted[m.ID] = a.Equivalent[m.ID] == ""
	}
	d.sent, err = s.PutInput(ctx, data)
	return d, err
}

// packService packs the module of a service, and sets the folder and the packages of o to those in the pack.
func packService(ctx context.Context, a *mutate.Analysis, from Source, o *probe.Options) ([]byte, error) {
	if a.Module() == "" {
		return nil, errors.New("the service is in no Go module: workers need one")
	}
	if file := a.Outside(); file != "" {
		return nil, fmt.Errorf("%q is not in the service's module %q, and workers get only that: leave out its --package", file, a.Module())
	}
	dir, err := filepath.Abs(a.Service.Dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir) // sources.Module resolves symbolic links, too
	}
	if err != nil {
		return nil, err
	}
	files, err := sources.OfModule(ctx, a.Module(), from.without()...)
	if err != nil {
		return nil, err
	}
	packed, folder, err := sources.Pack(files)
	if err != nil {
		return nil, err
	}
	o.Dir, err = filepath.Rel(folder, dir)
	o.Dir = filepath.ToSlash(o.Dir)
	o.Package = relative(dir, o.Package)
	cover := o.Cover
	o.Cover = nil
	for _, pattern := range cover {
		o.Cover = append(o.Cover, relative(dir, pattern))
	}
	return packed, err
}

// relative makes a pattern of packages relative to a folder if the pattern is an absolute path. It returns any other
// pattern unchanged.
func relative(dir, pattern string) string {
	if !filepath.IsAbs(pattern) {
		return pattern
	}
	path, err := filepath.Rel(dir, pattern)
	if err != nil {
		return pattern
	}
	return "./" + filepath.ToSlash(path)
}

// Describe returns the description of the analysis as a campaign, without its ID.
func (d *Distributed) Describe() (campaign.Description, error) {
	data, err := json.Marshal(struct {
		Basis mutate.Basis
		Seed  uint64 // determines the order of the units
	}{d.analysis.Basis(), d.analysis.Seed})
	if err != nil {
		return campaign.Description{}, err
	}
	return campaign.Description{Kind: CampaignKind, Units: len(d.ids), Setup: campaign.Digest(data)}, nil
}

// Skipped returns the number of units whose mutants were not chosen for the analysis.
func (d *Distributed) Skipped() int { return len(d.ids) - len(d.analysis.Mutants) }

// Work returns the payload of each unit, the units that are done already, and functions that store the result or the
// failure of a unit.
func (d *Distributed) Work() campaign.Work {
	return campaign.Work{
		Payload: func(unit int) (any, error) { return sentMutant{Analysis: d.sent, ID: d.ids[unit]}, nil },
		IsDone: func(unit int) bool {
			_, ok := d.log.Result(d.ids[unit])
			return ok || !d.wanted[d.ids[unit]]
		},
		Handle: func(unit int, value json.RawMessage) error {
			var r mutate.Result
			if err := json.Unmarshal(value, &r); err != nil || r.ID != d.ids[unit] || r.Status == "" {
				return errors.New("a worker sent a result that cannot be read: do all have this version of Sonde?")
			}
			return d.analysis.Add(d.log, r)
		},
		Fail: func(unit int, reason string) error {
			if d.failed++; d.failed == 1 {
				d.first = fmt.Sprintf("%s: %s", d.ids[unit], reason)
			}
			return nil
		},
	}
}

// Err returns an error if some mutants could not be tried, and nil otherwise.
func (d *Distributed) Err() error {
	if d.failed == 0 {
		return nil
	}
	return fmt.Errorf("not all mutants could be tried (%d failed); the first: %s", d.failed, d.first)
}
