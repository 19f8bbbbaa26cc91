package config

import (
	"fmt"
	"path/filepath"
	"slices"

	"sonde/model"
)

// StudyConfig is the content of a study's file. Missing keys have their default values.
type StudyConfig struct {
	Services []StudiedService
	// Smart are the probabilities P to compare, in ascending order. With Lists, P has no effect, and Smart is only 0.
	Smart []float64
	// White are the modes of the searches, in sorted order: false means black-box, true means white-box. It is empty
	// if the file does not set it.
	White []bool
	// Sampling and Sizes are used for all runs. If there are Ways, each way has its own sampling instead of Sampling.
	Sampling model.Sampling
	Sizes    model.Sizes
	// Ways are named samplings that the study compares with the first of them. It is empty if the file has none.
	Ways []Way
	// Mutants are the mutants of each service by which the suites are judged.
	Mutants model.MutantSample
	// Lists are the lists of seqs that the study compares. A study with lists makes no searches. It is empty if the file
	// has none.
	Lists []SeqList
}

// SeqList says how seqs are listed by Algorithm 3 of the distiller paper. See distil.Options and match.Weight.
type SeqList struct {
	Rule         string `json:"rule"` // dc or sc
	RequiredOnly bool   `json:"required_only,omitempty"`
	LinksOnly    bool   `json:"links_only,omitempty"`
	MinEvidence  string `json:"min_evidence,omitempty"` // the name of a grade; "" means any
	// Again reports whether all seqs are called again with new values, until the budget is used up.
	Again bool `json:"again,omitempty"`
}

// isWeighted reports whether the list restricts condition II, which only rule dc has.
func (l SeqList) isWeighted() bool { return l.RequiredOnly || l.LinksOnly || l.MinEvidence != "" }

// Name describes the list: its rule, what restricts condition II, and whether the seqs are called again. An example is
// "dc, links only".
func (l SeqList) Name() string {
	name := l.Rule
	if l.RequiredOnly {
		name += ", required only"
	}
	if l.LinksOnly {
		name += ", links only"
	}
	if l.MinEvidence != "" {
		name += ", evidence " + l.MinEvidence
	}
	if l.Again {
		name += ", again"
	}
	return name
}

// Way is a sampling with a name.
type Way struct {
	Name     string
	Sampling model.Sampling
}

// StudiedService is a service of a study.
type StudiedService struct {
	Name string
	Demo bool // the built-in service
	// Config is the path of a sonde.yaml, "" for the built-in service.
	Config  string
	Budgets []Budget // budgets of the runs, in ascending order
	Manual  ManualTests
}

// ManualTests are the commands of a service's own tests, which run in its folder. Each of the three may be
// empty.
type ManualTests struct {
	All  []string
	Unit []string // tests of units, and integration tests without HTTP
	HTTP []string // tests that call the service
}

// IsZero reports whether there are no tests.
func (m ManualTests) IsZero() bool { return len(m.All)+len(m.Unit)+len(m.HTTP) == 0 }

// Budget is a number of calls, with the seeds of the runs that have this budget.
type Budget struct {
	Calls int
	Seeds []uint64
}

// Limits of a study, and its defaults. The defaults are those of the EvoMaster paper, except that the number of seeds
// is smaller.
const (
	maxServices = 100
	maxWays     = 100
	maxLists    = 20
	maxMutants  = 1000 // each is a binary on the disk
	maxSeeds    = 10_000
	usualCalls  = 10_000
	usualSeeds  = 30
)

var usualSmart = []float64{0, 0.2, 0.4, 0.6, 0.8, 1}

// LoadStudy reads the file of a study. Relative paths in the file are relative to the folder of the file. The error is
// one line that names the file.
func LoadStudy(path string) (StudyConfig, error) {
	data, err := contents("configuration", path, "sonde study --help shows one")
	if err != nil {
		return StudyConfig{}, err
	}
	s, err := ParseStudy(data)
	if err != nil {
		return StudyConfig{}, fmt.Errorf("configuration %q: %w", path, err)
	}
	for i, service := range s.Services {
		if !service.Demo && !filepath.IsAbs(service.Config) {
			s.Services[i].Config = filepath.Join(filepath.Dir(path), service.Config)
		}
	}
	return s, nil
}

// ParseStudy parses the text of a study's file. It does not change paths.
func ParseStudy(data []byte) (StudyConfig, error) {
	v, err := parse(data)
	if err != nil {
		return StudyConfig{}, err
	}
	s := studyDecoder{decoder: &decoder{}, study: StudyConfig{Sampling: model.DefaultSampling(), Sizes: model.DefaultSizes()}}
	s.decoder.object(v, "a study", s.fields())
	if s.changes != nil {
		s.sampling(&s.study.Sampling)(s.changes)
	}
	s.resolveWays()
	s.checkLists(v)
	if len(s.study.Services) == 0 {
		s.decoder.fail(v, "a study needs services: name at least one, with demo: true or the path of its sonde.yaml as config")
	}
	for _, service := range s.study.Services {
		if !service.Manual.IsZero() && len(s.study.White) == 0 {
			s.decoder.fail(v, "manual of %.60q needs statements to compare with, which are counted with white: say white: [false, true]",
				service.Name)
		}
	}
	if s.study.Mutants.Size > 0 && len(s.study.White) == 0 {
		s.decoder.fail(v, "mutants needs services that Sonde builds: say white: [false], [true] or [false, true]")
	}
	if s.decoder.err != nil {
		return StudyConfig{}, s.decoder.err
	}
	return s.complete(), nil
}

// shape has the budgets and seeds of a service, or the defaults for all services. A budget with its own seeds does
// not use the seeds of the shape.
type shape struct {
	budgets []Budget
	seeds   []uint64
}

// within returns the budgets of a service. The parameter all has the budgets and seeds that count where s has none. If
// it has none either, usualCalls and usualSeeds count.
func (s shape) within(all shape) []Budget {
	budgets, seeds := s.budgets, s.seeds
	if len(budgets) == 0 {
		budgets = all.budgets
	}
	if len(budgets) == 0 {
		budgets = []Budget{{Calls: usualCalls}}
	}
	if len(seeds) == 0 {
		seeds = all.seeds
	}
	if len(seeds) == 0 {
		seeds = upTo(usualSeeds)
	}
	out := slices.Clone(budgets)
	for i, b := range out {
		if len(b.Seeds) == 0 {
			out[i].Seeds = seeds
		}
	}
	return out
}
