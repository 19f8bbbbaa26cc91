package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sonde/model"
)

// StoredRun is a run read from disk.
type StoredRun struct {
	RunHeader
	Tests  []model.Test
	Faults []model.Fault
	// Code has, by the ID of each test, the targets in the service's source for which the test is kept. It is nil if
	// coverage was not measured.
	Code map[string][]string
	// Answers has the number of answers by operation and status. It is nil in runs of older versions of
	// Sonde.
	Answers map[model.OpID]map[int]int
}

// OpenRun reads the run in a folder, finished or not. The error is of one line and names the folder.
func OpenRun(dir string) (StoredRun, error) {
	var r StoredRun
	var s suite
	var f faults
	var c code
	var a answers
	r.Sampling.Delay, r.Sampling.Extensions = unset, unset
	err := loadAll(dir, &r.RunHeader, &s, &f, &c, &a)
	r.addSampling()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, fmt.Errorf("%q is not a run: give the folder that sonde search -o wrote", dir)
	case err != nil:
		return r, fmt.Errorf("run %q cannot be read: %w", dir, err)
	case r.Version < 1 || s.Version < 1:
		return r, fmt.Errorf("%q holds no run that Sonde wrote: give the folder that sonde search -o wrote", dir)
	}
	if newest := max(r.Version, s.Version, f.Version, c.Version, a.Version); newest > Version {
		return r, fmt.Errorf("run %q was written by a newer Sonde (format %d, this one reads up to %d): update Sonde", dir, newest, Version)
	}
	r.Tests, r.Faults, r.Code, r.Answers = s.Tests, f.Faults, c.byTest(), a.Answers
	model.NumberFaults(r.Faults)
	r.setProvenance(dir)
	if err := valid(r.Tests); err != nil {
		return r, fmt.Errorf("run %q cannot be read: %s: %w", dir, SuiteFile, err)
	}
	if err := valid(testsOf(r.Faults)); err != nil {
		return r, fmt.Errorf("run %q cannot be read: %s: %w", dir, FaultsFile, err)
	}
	return r, nil
}

// unset marks a probability that is missing in run.json.
const unset = -1

// addSampling sets the probabilities that are missing in a run.json of an earlier release. They get their defaults, or
// 0 if Operands is 0, because these releases did not use them without Operands.
func (r *StoredRun) addSampling() {
	usual := model.DefaultSampling()
	if r.Sampling.Operands == 0 {
		usual = model.Sampling{}
	}
	if r.Sampling.Delay == unset {
		r.Sampling.Delay = usual.Delay
	}
	if r.Sampling.Extensions == unset {
		r.Sampling.Extensions = usual.Extensions
	}
}

// StartupStubs returns the startup stubs that the run has found.
func (r *StoredRun) StartupStubs() []model.Stub {
	if r.Net == nil {
		return nil
	}
	return r.Net.StartupStubs
}

// setProvenance sets the folder of the run as the provenance of its tests and faults.
func (r *StoredRun) setProvenance(dir string) {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	for i := range r.Tests {
		r.Tests[i].Provenance = model.Provenance{Run: dir, Virtual: r.Net != nil}
	}
	for i := range r.Faults {
		r.Faults[i].Run = dir
	}
}

// loadAll reads the files of a run. faults.json, code.json and answers.json may be missing.
func loadAll(dir string, h *RunHeader, s *suite, f *faults, c *code, a *answers) error {
	if err := load(dir, runFile, h); err != nil {
		return err
	}
	if err := load(dir, SuiteFile, s); err != nil {
		return err
	}
	for name, v := range map[string]any{FaultsFile: f, codeFile: c, answersFile: a} {
		if err := load(dir, name, v); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// testsOf returns the tests that show the faults.
func testsOf(faults []model.Fault) (tests []model.Test) {
	for _, f := range faults {
		if f.Test != nil {
			tests = append(tests, *f.Test)
		}
	}
	return tests
}

func load(dir, name string, v any) error {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// valid returns an error if a link or a check refers to a call that does not exist, or if a link does not lead from an
// earlier call to a later one.
func valid(tests []model.Test) error {
	for _, t := range tests {
		n := len(t.Calls)
		for _, l := range t.Links {
			if l.From < 0 || l.From >= l.To || l.To >= n {
				return fmt.Errorf("test %q has a link from call %d to %d of %d", t.ID, l.From, l.To, n)
			}
		}
		for _, c := range t.Checks {
			if c.Call < 0 || c.Call >= n {
				return fmt.Errorf("test %q checks call %d of %d", t.ID, c.Call, n)
			}
		}
	}
	return nil
}
