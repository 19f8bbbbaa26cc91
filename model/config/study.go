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
	s := studyDecoder{decoder: &decoder{}, study: StudyConfig{Sampling: model.DefaultSampling()}}
	s.decoder.object(v, "a study", s.fields())
	if len(s.study.Services) == 0 {
		s.decoder.fail(v, "a study needs services: name at least one, with demo: true or the path of its sonde.yaml as config")
	}
	if s.decoder.err != nil {
		return StudyConfig{}, s.decoder.err
	}
	return s.complete(), nil
}

// shape is how often and how long something is searched, as far as it is said:
// the seeds of a series may be left to what is around it.
type shape struct {
	budgets []Budget
	seeds   []uint64
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
