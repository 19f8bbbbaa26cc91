package runner

import (
	"context"
	"slices"

	"sonde/model"
	"sonde/runner/probe"
)

// source is what a run knows of the service's source: which targets in it there
// are, and which of them are covered. A nil one is that of a run which sees
// nothing of it. The engine's goroutine owns it.
type source struct {
	manifest *probe.Manifest
	ids      []string
	places   map[string]int // of the targets, by ID
	first    int            // the number in the search of the manifest's first target; 0 where they are not in it
	covered  []bool         // by target
	order    []int          // the covered ones, as they came
	tested   int            // those that a test covers
	coverage model.Coverage
	parts    []*model.PackageCoverage // by file
	reach    reach
}

func newSource(m *probe.Manifest) *source {
	s := &source{manifest: m, places: make(map[string]int, len(m.Targets)), covered: make([]bool, len(m.Targets)), coverage: model.Coverage{Targets: len(m.Targets)}, reach: newReach(m)}
	s.addPackages()
	for i, t := range m.Targets {
		s.ids, s.places[t.ID] = append(s.ids, t.ID), i
		s.count(t, func(p *model.Part, n int) { p.All += n })
	}
	return s
}

// addPackages makes the figures of the packages, in the order of their names.
func (s *source) addPackages() {
	var names []string
	for _, f := range s.manifest.Files {
		names = append(names, f.Package)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	s.coverage.Packages = make([]model.PackageCoverage, len(names))
	for i, name := range names {
		s.coverage.Packages[i].Package = name
	}
	for _, f := range s.manifest.Files {
		s.parts = append(s.parts, &s.coverage.Packages[slices.Index(names, f.Package)])
	}
}

// count adds a target to what it belongs to.
func (s *source) count(t probe.Target, add func(p *model.Part, n int)) {
	p, f := s.parts[t.File], &s.reach.files[t.File].now
	switch {
	case t.Kind == probe.Statement:
		add(&p.Statements, t.Statements)
		add(&f.Statements, t.Statements)
	case t.Kind.IsBranch():
		add(&p.Branches, 1)
		add(&f.Branches, 1)
	}
}

// index returns the target that has a number in the search, -1 where that is none
// of the source's.
func (s *source) index(number int) int {
	if s == nil || s.first == 0 || number < s.first || number >= s.first+len(s.ids) {
		return -1
	}
	return number - s.first
}

// place returns the target that has an ID, -1 where there is none.
func (s *source) place(id string) int {
	if s == nil {
		return -1
	}
	if i, known := s.places[id]; known {
		return i
	}
	return -1
}

// cover notes a target that is covered, and tells whether it was not before.
func (s *source) cover(i int) bool {
	if s.covered[i] {
		return false
	}
	s.covered[i] = true
	s.reach.near(i, 1)
	s.order = append(s.order, i)
	s.coverage.Covered++
	s.count(s.manifest.Targets[i], func(p *model.Part, n int) { p.Covered += n })
	return true
}

// saw notes how near a test came to what is not covered.
func (s *source) saw(scores []model.Score) {
	for _, sc := range scores {
		if i := s.index(sc.Number); i >= 0 && !covering(sc) {
			s.reach.near(i, sc.H)
		}
	}
}

// look covers what a copy of the service has come to, whoever had it do so.
func (s *source) look(w *watch) {
	now, err := w.eye.now(context.Background())
	for _, sc := range now {
		if i := s.place(sc.Target); err == nil && i >= 0 && covering(sc) {
			s.cover(i)
		}
	}
}

// ask lets a reader ask for what is covered, too, or not any more.
func (s *source) ask(w *watch, want bool) {
	if s == nil || w == nil {
		return
	}
	for _, i := range s.order {
		w.eye.ask(i, want)
	}
}

// told are the targets that copies need not ask for.
func (s *source) told() []int {
	if s == nil {
		return nil
	}
	return s.order
}

// now is the coverage of this moment, nil where nobody sees.
func (s *source) now() *model.Coverage {
	if s == nil {
		return nil
	}
	c := s.coverage
	c.Packages = slices.Clone(c.Packages)
	return &c
}

// shown is what was reached by now, nil where nobody sees.
func (s *source) shown() *model.Reach {
	if s == nil {
		return nil
	}
	return s.reach.show()
}

// targets are those of the source that are searched for, and how many of them are
// covered by tests.
func (s *source) targets() (all, covered int) {
	if s == nil || s.first == 0 {
		return 0, 0
	}
	return len(s.ids), s.tested
}

// profile is what was reached, as go tool cover reads it.
func (s *source) profile() []byte {
	return s.manifest.Profile(func(i int) bool { return s.covered[i] })
}
