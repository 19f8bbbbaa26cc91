package search

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/search/individual"
)

// codeCoverage holds the targets in the service's source and which of them are covered. It is nil
// for a run that does not see the source. The scheduler's goroutine owns it.
type codeCoverage struct {
	manifest  *probedata.Manifest
	ids       []string
	byID      map[string]int               // index in ids
	files     map[probedata.SourceFile]int // index in manifest.Files, of files that drivers reported
	numbers   []int                        // by target: its number in the search; empty if coverage is only shown
	at        []int                        // by number in the search: 1 + the target's index, 0 for none
	covered   []bool                       // by target
	order     []int                        // covered targets in the order in which they were covered
	tested    int                          // number of targets that tests cover
	figures   model.Coverage
	packageOf []int // by file: index of its package in figures.Packages
	reach     codeReach
}

func newCodeCoverage(m *probedata.Manifest) *codeCoverage {
	s := &codeCoverage{
		manifest: m,
		byID:     make(map[string]int, len(m.Targets)),
		files:    map[probedata.SourceFile]int{},
		covered:  make([]bool, len(m.Targets)),
		figures:  model.Coverage{Targets: len(m.Targets)},
		reach:    newCodeReach(m),
	}
	for _, f := range m.Files {
		s.addPart(f.Package)
	}
	for i, t := range m.Targets {
		s.ids, s.byID[t.ID] = append(s.ids, t.ID), i
		s.countTarget(t, func(p *model.CoverageCount, n int) { p.All += n })
	}
	return s
}

// addPart adds a file of a package to the figures.
func (s *codeCoverage) addPart(name string) {
	at := slices.IndexFunc(s.figures.Packages, func(p model.PackageCoverage) bool { return p.Package == name })
	if at < 0 {
		at = len(s.figures.Packages)
		s.figures.Packages = append(s.figures.Packages, model.PackageCoverage{Package: name})
	}
	s.packageOf = append(s.packageOf, at)
}

// countTarget applies add to the figures of a target's package and file.
func (s *codeCoverage) countTarget(t probedata.Target, add func(p *model.CoverageCount, n int)) {
	p, f := &s.figures.Packages[s.packageOf[t.File]], &s.reach.files[t.File].current
	switch {
	case t.Kind == probedata.Statement:
		add(&p.Statements, t.Statements)
		add(&f.Statements, t.Statements)
	case t.Kind.IsBranch():
		add(&p.Branches, 1)
		add(&f.Branches, 1)
	}
}

// index returns the index of the code target that has a number in the search, or -1.
func (s *codeCoverage) index(number int) int {
	if s == nil || number >= len(s.at) {
		return -1
	}
	return s.at[number] - 1
}

// setNumber sets the number that a target has in the search. It is called in target order.
func (s *codeCoverage) setNumber(i, number int) {
	s.numbers = append(s.numbers[:i], number)
	s.at = append(s.at, make([]int, max(0, number+1-len(s.at)))...)
	s.at[number] = i + 1
}

// target returns the index of the target with an ID, or -1.
func (s *codeCoverage) target(id string) int {
	if s == nil {
		return -1
	}
	if i, known := s.byID[id]; known {
		return i
	}
	return -1
}

// cover marks a target as covered and reports whether it was not covered before.
func (s *codeCoverage) cover(i int) bool {
	if s.covered[i] {
		return false
	}
	s.covered[i] = true
	s.reach.noteScore(i, 1)
	s.order = append(s.order, i)
	s.figures.Covered++
	s.countTarget(s.manifest.Targets[i], func(p *model.CoverageCount, n int) { p.Covered += n })
	return true
}

// coverByTest marks a target as covered by a test.
func (s *codeCoverage) coverByTest(i int) {
	s.cover(i)
	s.tested++
}

// noteScores notes how near a test came to uncovered targets.
func (s *codeCoverage) noteScores(scores []model.Score) {
	for _, sc := range scores {
		if i := s.index(sc.Number); i >= 0 && !isCovered(sc) {
			s.reach.noteScore(i, sc.H)
		}
	}
}

// setWanted sets whether an observer reports targets that are covered already.
func (s *codeCoverage) setWanted(w *tracker, want bool) {
	if s == nil || w == nil {
		return
	}
	for _, i := range s.order {
		w.observer.setWanted(i, s.ids[i], want)
	}
}

// coveredOrder returns the covered targets, which workers need not report.
func (s *codeCoverage) coveredOrder() []int {
	if s == nil {
		return nil
	}
	return s.order
}

// targetIDs returns the IDs of the targets.
func (s *codeCoverage) targetIDs() []string {
	if s == nil {
		return nil
	}
	return s.ids
}

// snapshot returns the current coverage, nil if the source is not seen.
func (s *codeCoverage) snapshot() *model.Coverage {
	if s == nil {
		return nil
	}
	c := s.figures
	c.Packages = slices.SortedFunc(
		slices.Values(c.Packages),
		func(a, b model.PackageCoverage) int { return strings.Compare(a.Package, b.Package) },
	)
	return &c
}

// reachSnapshot returns the current reach, nil if the source is not seen.
func (s *codeCoverage) reachSnapshot() *model.SourceCoverage {
	if s == nil {
		return nil
	}
	return s.reach.snapshot()
}

// targets returns the number of code targets of the search and how many of them tests cover.
func (s *codeCoverage) targets() (all, covered int) {
	if s == nil || len(s.numbers) == 0 {
		return 0, 0
	}
	return len(s.ids), s.tested
}

// profile returns what was reached in the format that go tool cover reads.
func (s *codeCoverage) profile() []byte {
	return s.manifest.Profile(func(i int) bool { return s.covered[i] })
}

// hints returns those hints of a test that concern the target with a number in the search, or all
// hints if none does.
func (s *codeCoverage) hints(number int, all []individual.Hint) []individual.Hint {
	i := s.index(number)
	if i < 0 || len(all) == 0 {
		return nil
	}
	slots := s.manifest.TargetSlots(i)
	about := slices.DeleteFunc(slices.Clone(all), func(h individual.Hint) bool { return !slices.Contains(slots, h.Slot) })
	if len(about) == 0 {
		return all
	}
	return about
}

// covers reports whether scores show that a target is covered.
func (s *codeCoverage) covers(seen []model.Score, target int) bool {
	return slices.ContainsFunc(seen, func(sc model.Score) bool { return isCovered(sc) && sc.Target == s.ids[target] })
}

// codeReach records how near a run came to each code target. Snapshots of it are immutable and
// cheap: only files that changed since the last snapshot are copied. The scheduler's goroutine
// owns it.
type codeReach struct {
	source    *model.Source
	positions []filePosition // by target
	files     []fileReach
}

// filePosition is the position of a target: an index among the targets of a file.
type filePosition struct{ file, index int }

// fileReach is the reach of a file; snapshot is the last copy handed out, nil if the reach has
// changed since.
type fileReach struct {
	current  model.FileCoverage
	snapshot *model.FileCoverage
}

func newCodeReach(m *probedata.Manifest) codeReach {
	r := codeReach{source: &model.Source{Files: make([]model.SourceFile, len(m.Files))}, files: make([]fileReach, len(m.Files))}
	for i, f := range m.Files {
		r.source.Files[i] = sourceFile(f)
	}
	for _, skipped := range m.Skipped {
		r.source.Plain = append(r.source.Plain, skipped.Path)
	}
	for _, t := range m.Targets {
		f := &r.source.Files[t.File]
		r.positions = append(r.positions, filePosition{t.File, len(f.Targets)})
		f.Targets = append(f.Targets, sourceTarget(t))
	}
	for i, f := range r.source.Files {
		r.files[i].current.Near, r.files[i].current.Tests = make([]float64, len(f.Targets)), make([]string, len(f.Targets))
	}
	return r
}

func sourceFile(f probedata.SourceFile) model.SourceFile {
	return model.SourceFile{Package: f.Package, Name: f.Name, Path: f.Path, Sum: f.Sum}
}

// beforeGrowth copies what snapshots share, so that addFile and addTarget do not change them.
func (r *codeReach) beforeGrowth() {
	source := *r.source
	source.Files = slices.Clone(source.Files)
	r.source = &source
}

func (r *codeReach) addFile(f probedata.SourceFile) {
	r.source.Files, r.files = append(r.source.Files, sourceFile(f)), append(r.files, fileReach{})
}

func (r *codeReach) addTarget(t probedata.Target) {
	of, f := &r.source.Files[t.File], &r.files[t.File]
	r.positions = append(r.positions, filePosition{t.File, len(of.Targets)})
	of.Targets = append(of.Targets, sourceTarget(t))
	f.current.Near, f.current.Tests, f.snapshot = append(f.current.Near, 0), append(f.current.Tests, ""), nil
}

func sourceTarget(t probedata.Target) model.SourceTarget {
	out := model.SourceTarget{
		Kind: model.SourceCondition, Outcome: string(t.Kind), Line: t.Line, Col: t.Col,
		EndLine: t.EndLine, EndCol: t.EndCol, Statements: t.Statements, Label: t.Label,
	}
	switch {
	case t.Kind == probedata.Statement:
		out.Kind = model.SourceBlock
	case t.Kind == probedata.CallCompleted:
		out.Kind = model.SourceCompletedCall
	case t.Kind.IsBranch():
		out.Kind = model.SourceBranch
	}
	return out
}

// noteScore raises the reach of a target to the heuristic value of a score.
func (r *codeReach) noteScore(i int, h float64) {
	at := r.positions[i]
	f := &r.files[at.file]
	if h > f.current.Near[at.index] {
		f.current.Near[at.index], f.snapshot = h, nil
	}
}

// keptBy notes which test is kept for a target.
func (r *codeReach) keptBy(i int, test string) {
	at := r.positions[i]
	f := &r.files[at.file]
	if f.current.Tests[at.index] != test {
		f.current.Tests[at.index], f.snapshot = test, nil
	}
}

// snapshot returns the current reach.
func (r *codeReach) snapshot() *model.SourceCoverage {
	out := &model.SourceCoverage{Source: r.source, Reached: make([]*model.FileCoverage, len(r.files))}
	for i := range r.files {
		f := &r.files[i]
		if f.snapshot == nil {
			c := f.current
			c.Near, c.Tests = slices.Clone(c.Near), slices.Clone(c.Tests)
			f.snapshot = &c
		}
		out.Reached[i] = f.snapshot
	}
	return out
}
