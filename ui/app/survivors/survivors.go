// Package survivors searches for tests that kill surviving mutants: mutants that the tests of a recording do not
// notice. It makes tests of the exchanges that have no test, and copies of all tests with a changed value. It records
// what the unchanged service answers, and keeps the tests that fail on a mutant.
package survivors

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"sonde/model"
	"sonde/runner/lab/mutate"
	"sonde/runner/replay/generate"
	"sonde/runner/replay/variation"
	"sonde/ui/app/generation"
	"sonde/ui/words"
)

// plays is the number of times that each candidate is played on the unchanged service. A candidate is used only if the
// service gives the same answers each time.
const plays = 3

// Search is a search for tests that notice mutants.
type Search struct {
	Tests   string // folder that sonde generate has written
	Mutants []mutate.Mutant
	// Plan says how to build the service and its mutants. Its Suite, Only, Sample and Equivalent are not used.
	Plan mutate.Plan
	// Recording is the recording from which the tests were made. It may also have exchanges without tests. Spec is the spec
	// of the recording. Both are nil if one of them cannot be read.
	Recording *model.Recording
	Spec      *model.Spec
	// Reaches reports whether the tests of an operation reach a mutant. Tests that reach no mutant are changed last. In
	// the copies of a test, only the constants near the mutants that the test reaches are tried. If Reaches is nil, all
	// tests count as reaching all mutants.
	Reaches func(operation string, m mutate.Mutant) bool
	// MaxCandidates is the maximum number of candidates. At most half of them are new tests, of recorded exchanges that
	// no test has yet. The others are copies of tests with a changed value.
	MaxCandidates int
	// Note is called with a line when a step begins.
	Note func(string)
}

// Result is what a search has found.
type Result struct {
	Candidates int `json:"candidates"` // number of tests that were tried
	Stable     int `json:"stable"`     // number of these tests to which the unchanged service gives the same answers each time
	// Kills has a test for each noticed mutant, in the order of the mutants.
	Kills []Kill `json:"kills"`
	// Files are the paths of the files with Tests.
	Files []string `json:"files"`
	// Tests are the tests of Kills, each once.
	Tests []model.Test `json:"-"`

	generation *generation.Generation
}

// Kill is a mutant that a new test notices.
type Kill struct {
	Mutant mutate.Mutant `json:"mutant"`
	Test   string        `json:"test"`  // ID of the test
	About  string        `json:"about"` // what the test does
}

// Run searches. It returns an error if the tests cannot be played, or ctx ends.
func (s Search) Run(ctx context.Context) (Result, error) {
	if len(s.Mutants) == 0 {
		return Result{}, nil
	}
	g, err := generation.OpenTests(s.Tests, model.OutputOracle, plays)
	if err != nil {
		return Result{}, err
	}
	s.setCandidates(g)
	r := Result{Candidates: len(g.Generated.Tests), generation: g}
	if r.Candidates == 0 {
		return r, nil
	}
	s.Note("playing " + words.Plural(r.Candidates, "test") + " of other exchanges and with other values on the unchanged service")
	if err := g.ObserveAnswers(ctx); err != nil {
		return r, err
	}
	if err := g.RunTests(ctx); err != nil {
		return r, err
	}
	g.Generated.Tests, _ = g.SplitTests()
	r.Stable = len(g.Generated.Tests)
	if r.Stable == 0 {
		return r, nil
	}
	s.Note("playing " + words.Count(r.Stable) + " of them on " + words.Plural(len(s.Mutants), "mutant"))
	all, functions, err := s.try(ctx, g)
	if err != nil {
		return r, err
	}
	r.choose(all, functions)
	return r, nil
}

// setCandidates replaces the tests of a generation by the candidates.
func (s Search) setCandidates(g *generation.Generation) {
	tests := g.Generated.Tests
	others := s.nearestFirst(s.otherTests(g))
	others = others[:min(len(others), s.MaxCandidates/2)]
	changed := s.changedTests(slices.Concat(tests, others), s.MaxCandidates-len(others))
	g.Generated.Tests = slices.Concat(others, changed)
}

// otherTests returns tests of the recorded exchanges for which g has no tests. If these tests have users who log in,
// the users of g are replaced by them. otherTests returns nil if there is no recording, or if all exchanges have tests.
func (s Search) otherTests(g *generation.Generation) []model.Test {
	if s.Recording == nil {
		return nil
	}
	known := map[string]bool{}
	for _, t := range g.Generated.Tests {
		if t.Mock != nil {
			known[t.Mock.Exchange] = true
		}
	}
	o := generate.Options{Snapshot: generation.SnapshotUseOf(g.Recording.Reset)}
	for _, x := range s.Recording.Served {
		if !known[x.ID] {
			o.Exchanges = append(o.Exchanges, x.ID)
		}
	}
	if len(o.Exchanges) == 0 {
		return nil
	}
	made := generate.Tests(*s.Recording, s.Spec, o)
	if len(made.Users) > 0 {
		g.Generated.Users = made.Users
	}
	return made.Tests
}

// changedTests returns at most max copies of tests, each with one changed value. It takes one copy of each test in
// turn, so that the tests have about the same number of copies. Copies of tests that reach no mutant come last.
func (s Search) changedTests(tests []model.Test, max int) []model.Test {
	var near, far [][]model.Test
	for _, t := range tests {
		if t.Mock == nil || t.Flaky != "" {
			continue
		}
		reached := s.reachedBy(t)
		column := variation.Tests(t, constantsNear(reached), max)
		if len(reached) > 0 {
			near = append(near, column)
		} else {
			far = append(far, column)
		}
	}
	all := variation.Interleave(near, max)
	return append(all, variation.Interleave(far, max-len(all))...)
}

// reachedBy returns the mutants that a test reaches.
func (s Search) reachedBy(t model.Test) []mutate.Mutant {
	if s.Reaches == nil {
		return s.Mutants
	}
	operation := string(t.Calls[t.Mock.Call].Op)
	return slices.DeleteFunc(slices.Clone(s.Mutants), func(m mutate.Mutant) bool { return !s.Reaches(operation, m) })
}

// constantsNear returns the constants near mutants, each once.
func constantsNear(mutants []mutate.Mutant) (all []string) {
	for _, m := range mutants {
		for _, c := range m.Constants {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// nearestFirst returns the tests that reach a mutant, followed by the others.
func (s Search) nearestFirst(tests []model.Test) []model.Test {
	var near, far []model.Test
	for _, t := range tests {
		if len(s.reachedBy(t)) > 0 {
			near = append(near, t)
		} else {
			far = append(far, t)
		}
	}
	return append(near, far...)
}

// try runs the tests of a generation on the mutants. It returns the results, and a map from the names of test
// functions to the IDs of their tests.
func (s Search) try(ctx context.Context, g *generation.Generation) ([]mutate.Result, map[string]string, error) {
	dir, err := os.MkdirTemp(s.Plan.Dir, "survivors-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	files, err := g.WriteTests(filepath.Join(dir, "suite"), g.Generated.Tests, "", true)
	if err != nil {
		return nil, nil, err
	}
	functions, err := generation.TestFunctions(files[0])
	if err != nil {
		return nil, nil, err
	}
	p := s.Plan
	p.Dir, p.Sample, p.Equivalent, p.Only, p.Operations = dir, 0, nil, nil, nil
	for _, m := range s.Mutants {
		p.Only = append(p.Only, m.ID)
	}
	p.Suite, err = mutate.OpenSuite(ctx, filepath.Join(dir, "suite"), dir)
	if err != nil {
		return nil, nil, err
	}
	a, err := mutate.Prepare(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	log, err := mutate.OpenLog("", a.Head)
	if err != nil {
		return nil, nil, err
	}
	if err := a.Run(ctx, log); err != nil {
		return nil, nil, err
	}
	return a.Results(log), functions, nil
}

// choose chooses a test for each mutant that a test killed. It prefers a test that it has already chosen for another
// mutant.
func (r *Result) choose(all []mutate.Result, functions map[string]string) {
	byID := map[string]model.Test{}
	for _, t := range r.generation.Generated.Tests {
		byID[t.ID] = t
	}
	chosen := map[string]int{} // key: ID of a chosen test; value: its index in r.Tests
	for _, m := range all {
		if m.Status != mutate.Killed {
			continue
		}
		var id string
		for _, function := range m.Tests {
			if candidate := functions[function]; candidate != "" {
				if _, known := chosen[candidate]; known || id == "" {
					id = candidate
				}
			}
		}
		t, ok := byID[id]
		if !ok {
			continue
		}
		if _, known := chosen[id]; !known {
			chosen[id] = len(r.Tests)
			r.Tests = append(r.Tests, t)
		}
		r.Kills = append(r.Kills, Kill{Mutant: m.Mutant, Test: id, About: t.Mock.About})
	}
}

// Write writes the tests of the result to a folder, and returns the paths of the files. command is the command line
// that repeats the search; it is written into the files.
func (r Result) Write(dir, command string, force bool) ([]string, error) {
	return r.generation.WriteTests(dir, r.Tests, command, force)
}
