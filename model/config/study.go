package config

import (
	"fmt"
	"path/filepath"
	"slices"

	"sonde/model"
)

// StudyConfig is what the file of a study says, with what it leaves out filled in.
type StudyConfig struct {
	Services []StudiedService
	// Smart are the probabilities P that are compared, rising.
	Smart []float64
	// White are whether the searches see into the services: false before true; none
	// where the file does not say.
	White []bool
	// Sampling is the same for all runs.
	Sampling model.Sampling
}

// StudiedService is a service of a study.
type StudiedService struct {
	Name string
	Demo bool // the built-in one; else
	// Config is the path of a sonde.yaml.
	Config  string
	Budgets []Budget // rising
}

// Budget are runs that differ in nothing but their seeds.
type Budget struct {
	Calls int
	Seeds []uint64
}

// The bounds of a study, and what it does where its file does not say: as the
// EvoMaster paper has it, but with seeds that a desk computer gets through.
const (
	mostServices = 100
	mostSeeds    = 10_000
	usualCalls   = 10_000
	usualSeeds   = 30
)

var usualSmart = []float64{0, 0.2, 0.4, 0.6, 0.8, 1}

// LoadStudy reads the file of a study. Paths in it start from its folder. The
// error is as Load's.
func LoadStudy(path string) (StudyConfig, error) {
	data, err := contents(path, "sonde study --help shows one")
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

// ParseStudy reads the text of such a file; paths stay as they are written.
func ParseStudy(data []byte) (StudyConfig, error) {
	v, err := parse(data)
	if err != nil {
		return StudyConfig{}, err
	}
	r := &reader{}
	s := StudyConfig{Sampling: model.DefaultSampling()}
	all := shape{}
	var entries []shape
	fields := r.shape(&all)
	fields["smart"], fields["sampling"] = r.probabilities(&s.Smart), r.sampling(&s.Sampling)
	fields["white"] = r.sights(&s.White)
	fields["services"] = r.entries(&s.Services, &entries)
	r.object(v, "a study", fields)
	if r.err == nil && len(s.Services) == 0 {
		r.fail(v, "a study needs services: name at least one, with demo: true or the path of its sonde.yaml as config")
	}
	if r.err != nil {
		return StudyConfig{}, r.err
	}
	if len(s.Smart) == 0 {
		s.Smart = slices.Clone(usualSmart)
	}
	for i := range s.Services {
		s.Services[i].Budgets = entries[i].within(all)
	}
	return s, nil
}

// shape is how often and how long something is searched, as far as it is said:
// the seeds of a series may be left to what is around it.
type shape struct {
	budgets []Budget
	seeds   []uint64
}

func (r *reader) shape(to *shape) fields {
	return fields{"budgets": r.series(&to.budgets), "seeds": r.seeds(&to.seeds)}
}

// within fills in what a service does not say.
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
