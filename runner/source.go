package runner

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/probe"
	"sonde/runner/rest"
)

// source is what a run knows of the service's source: which targets in it there
// are, and which of them are covered. A nil one is that of a run which sees
// nothing of it. The engine's goroutine owns it.
type source struct {
	manifest *probe.Manifest
	ids      []string
	places   map[string]int     // of the targets, by ID
	files    map[probe.File]int // of those that came to be known by targets
	numbers  []int              // in the search, by target; none where they are not in it
	at       []int              // by number in the search: 1 + the target, 0 for none
	covered  []bool             // by target
	order    []int              // the covered ones, as they came
	tested   int                // those that a test covers
	coverage model.Coverage
	parts    []int // by file: its package's place in the coverage
	reach    reach
}

func newSource(m *probe.Manifest) *source {
	s := &source{manifest: m, places: make(map[string]int, len(m.Targets)), files: map[probe.File]int{}, covered: make([]bool, len(m.Targets)), coverage: model.Coverage{Targets: len(m.Targets)}, reach: newReach(m)}
	for _, f := range m.Files {
		s.addPart(f.Package)
	}
	for i, t := range m.Targets {
		s.ids, s.places[t.ID] = append(s.ids, t.ID), i
		s.count(t, func(p *model.Part, n int) { p.All += n })
	}
	return s
}

// addPart makes room for the figures of another file, which are those of its
// package.
func (s *source) addPart(name string) {
	at := slices.IndexFunc(s.coverage.Packages, func(p model.PackageCoverage) bool { return p.Package == name })
	if at < 0 {
		at = len(s.coverage.Packages)
		s.coverage.Packages = append(s.coverage.Packages, model.PackageCoverage{Package: name})
	}
	s.parts = append(s.parts, at)
}

// count adds a target to what it belongs to.
func (s *source) count(t probe.Target, add func(p *model.Part, n int)) {
	p, f := &s.coverage.Packages[s.parts[t.File]], &s.reach.files[t.File].now
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
	if s == nil || number >= len(s.at) {
		return -1
	}
	return s.at[number] - 1
}

// enrol notes the number that a target has in the search. The targets get theirs in
// their order.
func (s *source) enrol(i, number int) {
	s.numbers = append(s.numbers[:i], number)
	s.at = append(s.at, make([]int, max(0, number+1-len(s.at)))...)
	s.at[number] = i + 1
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

// cover notes a target that is covered, and reports whether it was not before.
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

// ask lets a reader ask for what is covered, too, or not any more.
func (s *source) ask(w *watch, want bool) {
	if s == nil || w == nil {
		return
	}
	for _, i := range s.order {
		w.eye.ask(i, s.ids[i], want)
	}
}

// told are the targets that copies need not ask for.
func (s *source) told() []int {
	if s == nil {
		return nil
	}
	return s.order
}

// known are the IDs of the targets.
func (s *source) known() []string {
	if s == nil {
		return nil
	}
	return s.ids
}

// now is the coverage of this moment, nil where nobody sees.
func (s *source) now() *model.Coverage {
	if s == nil {
		return nil
	}
	c := s.coverage
	c.Packages = slices.SortedFunc(slices.Values(c.Packages), func(a, b model.PackageCoverage) int { return strings.Compare(a.Package, b.Package) })
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
	if s == nil || len(s.numbers) == 0 {
		return 0, 0
	}
	return len(s.ids), s.tested
}

// profile is what was reached, as go tool cover reads it.
func (s *source) profile() []byte {
	return s.manifest.Profile(func(i int) bool { return s.covered[i] })
}

// hints are those of a test that are about a target, given by its number in the
// search; all where none is.
func (s *source) hints(number int, all []rest.Hint) []rest.Hint {
	i := s.index(number)
	if i < 0 || len(all) == 0 {
		return nil
	}
	slots := s.manifest.Slots(i)
	about := slices.DeleteFunc(slices.Clone(all), func(h rest.Hint) bool { return !slices.Contains(slots, h.Slot) })
	if len(about) == 0 {
		return all
	}
	return about
}

// covers reports whether a target of the source is among what was covered.
func (s *source) covers(seen []model.Score, target int) bool {
	return slices.ContainsFunc(seen, func(sc model.Score) bool { return covering(sc) && sc.Target == s.ids[target] })
}
