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

// codeCoverage holds the code targets of a run and records which of them are covered. It is nil in a run that does
// not measure coverage. An argument for a target is its index in ids, unless noted otherwise. Only the scheduler's
// goroutine uses the coverage.
type codeCoverage struct {
	manifest       *probedata.Manifest
	ids            []string
	byID           map[string]int               // target ID → index in ids
	files          map[probedata.SourceFile]int // file that a driver reported → index in manifest.Files
	numbers        []int                        // index in ids → number of the target in the search; empty if coverage is only shown
	indexByNumber  []int                        // number of a target in the search → 1 + its index in ids; 0 for other targets
	covered        []bool                       // index in ids → whether the target is covered
	order          []int                        // covered targets in the order in which they were covered
	coveredByTests int                          // number of targets that tests cover
	figures        model.Coverage
	packageOf      []int // index in manifest.Files → index in figures.Packages
	reach          codeReach
}

func newCodeCoverage(m *probedata.Manifest) *codeCoverage {
	c := &codeCoverage{
		manifest: m,
		byID:     make(map[string]int, len(m.Targets)),
		files:    map[probedata.SourceFile]int{},
		covered:  make([]bool, len(m.Targets)),
		figures:  model.Coverage{Targets: len(m.Targets)},
		reach:    newCodeReach(m),
	}
	for _, f := range m.Files {
		c.addToPackage(f.Package)
	}
	for i, t := range m.Targets {
		c.ids, c.byID[t.ID] = append(c.ids, t.ID), i
		c.countTarget(t, func(p *model.CoverageCount, n int) { p.All += n })
	}
	return c
}

// addToPackage notes the package of the next file, and adds the package to the figures if it is new.
func (c *codeCoverage) addToPackage(name string) {
	at := slices.IndexFunc(c.figures.Packages, func(p model.PackageCoverage) bool { return p.Package == name })
	if at < 0 {
		at = len(c.figures.Packages)
		c.figures.Packages = append(c.figures.Packages, model.PackageCoverage{Package: name})
	}
	c.packageOf = append(c.packageOf, at)
}

// countTarget calls add for the figures of a target's package and file. n is the number of the target's
// statements, or 1 for a branch. A target of another kind is not counted.
func (c *codeCoverage) countTarget(t probedata.Target, add func(p *model.CoverageCount, n int)) {
	p, f := &c.figures.Packages[c.packageOf[t.File]], &c.reach.files[t.File].current
	switch {
	case t.Kind == probedata.Statement:
		add(&p.Statements, t.Statements)
		add(&f.Statements, t.Statements)
	case t.Kind.IsBranch():
		add(&p.Branches, 1)
		add(&f.Branches, 1)
	}
}

// indexOf returns the index of the code target that has the given number in the search, or -1 if the target with this
// number is not a code target.
func (c *codeCoverage) indexOf(number int) int {
	if c == nil || number >= len(c.indexByNumber) {
		return -1
	}
	return c.indexByNumber[number] - 1
}

// setNumber sets the number that a target has in the search. It must be called for the targets in the order of their
// indexes.
func (c *codeCoverage) setNumber(i, number int) {
	c.numbers = append(c.numbers[:i], number)
	c.indexByNumber = append(c.indexByNumber, make([]int, max(0, number+1-len(c.indexByNumber)))...)
	c.indexByNumber[number] = i + 1
}

// indexOfID returns the index of the target with the given ID, or -1 if there is none.
func (c *codeCoverage) indexOfID(id string) int {
	if c == nil {
		return -1
	}
	if i, known := c.byID[id]; known {
		return i
	}
	return -1
}

// cover marks a target as covered and reports whether it was not covered before.
func (c *codeCoverage) cover(i int) bool {
	if c.covered[i] {
		return false
	}
	c.covered[i] = true
	c.reach.noteScore(i, 1)
	c.order = append(c.order, i)
	c.figures.Covered++
	c.countTarget(c.manifest.Targets[i], func(p *model.CoverageCount, n int) { p.Covered += n })
	return true
}

// coverByTest marks a target as covered by a test, not only by the start of the service.
func (c *codeCoverage) coverByTest(i int) {
	c.cover(i)
	c.coveredByTests++
}

// noteScores notes how near a test came to code targets that it did not cover.
func (c *codeCoverage) noteScores(scores []model.Score) {
	for _, sc := range scores {
		if i := c.indexOf(sc.Number); i >= 0 && !isCovered(sc) {
			c.reach.noteScore(i, sc.H)
		}
	}
}

// setCoveredWanted sets whether the observer of a tracker reports covered targets. The tracker may be nil.
func (c *codeCoverage) setCoveredWanted(w *tracker, want bool) {
	if c == nil || w == nil {
		return
	}
	for _, i := range c.order {
		w.observer.setWanted(i, c.ids[i], want)
	}
}

// coveredOrder returns the covered targets in the order in which they were covered.
func (c *codeCoverage) coveredOrder() []int {
	if c == nil {
		return nil
	}
	return c.order
}

func (c *codeCoverage) targetIDs() []string {
	if c == nil {
		return nil
	}
	return c.ids
}

// snapshot returns the current coverage, nil if coverage of the source is not measured.
func (c *codeCoverage) snapshot() *model.Coverage {
	if c == nil {
		return nil
	}
	figures := c.figures
	figures.Packages = slices.SortedFunc(
		slices.Values(figures.Packages),
		func(a, b model.PackageCoverage) int { return strings.Compare(a.Package, b.Package) },
	)
	return &figures
}

// reachSnapshot returns the current snapshot of the reach, nil if coverage of the source is not measured.
func (c *codeCoverage) reachSnapshot() *model.SourceCoverage {
	if c == nil {
		return nil
	}
	return c.reach.snapshot()
}

// searchTargets returns how many code targets the search has, and how many of them tests cover. Both are 0
// if coverage does not guide the search.
func (c *codeCoverage) searchTargets() (all, covered int) {
	if c == nil || len(c.numbers) == 0 {
		return 0, 0
	}
	return len(c.ids), c.coveredByTests
}

// profile returns the covered targets in the format that go tool cover reads.
func (c *codeCoverage) profile() []byte {
	return c.manifest.Profile(func(i int) bool { return c.covered[i] })
}

// hints returns those of the given hints that are about one target, given by its number in the search. It returns all
// hints if none is about the target, and nil if the target is not a code target. A hint proposes a value that may reach
// a target.
func (c *codeCoverage) hints(number int, all []individual.Hint) []individual.Hint {
	i := c.indexOf(number)
	if i < 0 || len(all) == 0 {
		return nil
	}
	if about := c.hintsAbout(i, all); len(about) > 0 {
		return about
	}
	return all
}

// hintsAbout returns those of the given hints that are about a target.
func (c *codeCoverage) hintsAbout(i int, all []individual.Hint) []individual.Hint {
	slots := c.manifest.TargetSlots(i)
	return slices.DeleteFunc(slices.Clone(all), func(h individual.Hint) bool { return !slices.Contains(slots, h.Slot) })
}

// covers reports whether one of the scores says that a target is covered.
func (c *codeCoverage) covers(seen []model.Score, target int) bool {
	return slices.ContainsFunc(seen, func(sc model.Score) bool { return isCovered(sc) && sc.Target == c.ids[target] })
}

// unknownIDs returns the IDs of those targets in the scores that are not in ids yet, each once.
func (c *codeCoverage) unknownIDs(all [][]model.Score) (ids []string) {
	seen := map[string]bool{}
	for _, scores := range all {
		for _, sc := range scores {
			if c.indexOfID(sc.Target) < 0 && !seen[sc.Target] {
				seen[sc.Target] = true
				ids = append(ids, sc.Target)
			}
		}
	}
	return ids
}

// numbered sets the target numbers of scores. It removes scores of unknown targets: these were not added because
// there were too many targets.
func (c *codeCoverage) numbered(scores []model.Score) []model.Score {
	scores = slices.DeleteFunc(scores, func(sc model.Score) bool { return c.indexOfID(sc.Target) < 0 })
	for i := range scores {
		scores[i].Number = c.numbers[c.indexOfID(scores[i].Target)]
	}
	return scores
}

// addTargets adds those targets of a driver that are new, sorted by position.
func (c *codeCoverage) addTargets(all []driver.Target, d *model.Driver) {
	slices.SortFunc(all, func(a, b driver.Target) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column, strings.Compare(a.ID, b.ID))
	})
	c.reach.beforeGrowth()
	for _, of := range all {
		if c.indexOfID(of.ID) < 0 {
			c.addTarget(of.Sanitised(), d)
		}
	}
}

func (c *codeCoverage) addTarget(of driver.Target, d *model.Driver) {
	t := probeTarget(of)
	t.File = c.fileIndex(fileOf(of, d))
	c.byID[t.ID] = len(c.ids)
	c.ids, c.covered = append(c.ids, t.ID), append(c.covered, false)
	c.manifest.Targets = append(c.manifest.Targets, t)
	c.figures.Targets++
	c.reach.addTarget(t)
	c.countTarget(t, func(p *model.CoverageCount, n int) { p.All += n })
}

// fileIndex returns the index of a file. It adds the file if the file is new.
func (c *codeCoverage) fileIndex(f probedata.SourceFile) int {
	at, known := c.files[f]
	if !known {
		at = len(c.manifest.Files)
		c.files[f] = at
		c.manifest.Files = append(c.manifest.Files, f)
		c.addToPackage(f.Package)
		c.reach.addFile(f)
	}
	return at
}

// noFile is the file name shown for targets without a file.
const noFile = "(no file)"

// fileOf returns the file of a target. A relative path starts at the folder of the driver's start command, if
// there is one.
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

// wholeLine is a column after the end of any usual line.
const wholeLine = 1 << 12

// probeTarget returns the target of a driver as a target of a manifest.
func probeTarget(t driver.Target) probedata.Target {
	out := probedata.Target{
		ID: t.ID, Kind: cmp.Or(probedata.TargetKind(t.Kind), probedata.Statement), Line: t.Line, Col: max(t.Column, 1), Label: t.Label,
	}
	if out.Kind == probedata.Statement {
		out.Statements, out.EndLine, out.EndCol = max(t.Statements, 1), max(t.EndLine, t.Line), cmp.Or(t.EndColumn, wholeLine)
	}
	return out
}
