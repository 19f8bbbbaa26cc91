package search

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/search/individual"
	"sonde/runner/target/driver"
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

// unknownIDs returns the target IDs of scores that are not known yet.
func (s *codeCoverage) unknownIDs(all [][]model.Score) (ids []string) {
	seen := map[string]bool{}
	for _, scores := range all {
		for _, sc := range scores {
			if s.target(sc.Target) < 0 && !seen[sc.Target] {
				seen[sc.Target] = true
				ids = append(ids, sc.Target)
			}
		}
	}
	return ids
}

// numbered sets the target numbers of scores. It removes scores of targets that were not added
// because there were too many.
func (s *codeCoverage) numbered(scores []model.Score) []model.Score {
	scores = slices.DeleteFunc(scores, func(sc model.Score) bool { return s.target(sc.Target) < 0 })
	for i := range scores {
		scores[i].Number = s.numbers[s.target(scores[i].Target)]
	}
	return scores
}

// addTargets adds the targets that are new, sorted by position.
func (s *codeCoverage) addTargets(all []driver.Target, d *model.Driver) {
	slices.SortFunc(all, func(a, b driver.Target) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column, strings.Compare(a.ID, b.ID))
	})
	s.reach.beforeGrowth()
	for _, of := range all {
		if s.target(of.ID) < 0 {
			s.addTarget(of.Sanitised(), d)
		}
	}
}

func (s *codeCoverage) addTarget(of driver.Target, d *model.Driver) {
	t := probeTarget(of)
	t.File = s.fileIndex(fileOf(of, d))
	s.byID[t.ID] = len(s.ids)
	s.ids, s.covered = append(s.ids, t.ID), append(s.covered, false)
	s.manifest.Targets = append(s.manifest.Targets, t)
	s.figures.Targets++
	s.reach.addTarget(t)
	s.countTarget(t, func(p *model.CoverageCount, n int) { p.All += n })
}

// fileIndex returns the index of a file, which is added if it is new.
func (s *codeCoverage) fileIndex(f probedata.SourceFile) int {
	at, known := s.files[f]
	if !known {
		at = len(s.manifest.Files)
		s.files[f] = at
		s.manifest.Files = append(s.manifest.Files, f)
		s.addPart(f.Package)
		s.reach.addFile(f)
	}
	return at
}

// noFile is the file name shown for targets without a file.
const noFile = "(no file)"

// fileOf returns the file of a target. Relative paths start at the directory of the driver.
func fileOf(t driver.Target, d *model.Driver) probedata.SourceFile {
	if t.File == "" {
		return probedata.SourceFile{Package: cmp.Or(t.Package, noFile), Name: noFile}
	}
	f := probedata.SourceFile{Name: filepath.ToSlash(t.File), Path: t.File}
	f.Package = cmp.Or(t.Package, path.Dir(f.Name))
	if !filepath.IsAbs(t.File) && !strings.HasPrefix(f.Name, ".") {
		f.Name = "./" + f.Name // go tool cover reads it as a path, not as a package
	}
	if d.Run != nil && !filepath.IsAbs(t.File) {
		f.Path = filepath.Join(d.Run.Dir, t.File)
	}
	return f
}

// wholeLine is a column after all others.
const wholeLine = 1 << 12

func probeTarget(t driver.Target) probedata.Target {
	out := probedata.Target{
		ID: t.ID, Kind: cmp.Or(probedata.TargetKind(t.Kind), probedata.Statement), Line: t.Line, Col: max(t.Column, 1), Label: t.Label,
	}
	if out.Kind == probedata.Statement {
		out.Statements, out.EndLine, out.EndCol = max(t.Statements, 1), max(t.EndLine, t.Line), cmp.Or(t.EndColumn, wholeLine)
	}
	return out
}
