package search

import (
	"slices"
	"testing"

	"sonde/model"
	"sonde/runner/instrument/probedata"
)

// twoFiles is a manifest with targets in two files.
func twoFiles() *probedata.Manifest {
	return &probedata.Manifest{
		Preds: 1, Hits: 9,
		Files: []probedata.SourceFile{
			{Package: "shop", Name: "shop/a.go", Path: "/a.go", Sum: "1f"},
			{Package: "shop", Name: "shop/b.go"},
		},
		Skipped: []probedata.SkippedFile{{Path: "/c.go", Why: "cgo"}},
		Targets: []probedata.Target{
			{ID: "a1", Kind: probedata.Statement, Statements: 3, Line: 4, Hit: 1},
			{ID: "a2", Kind: probedata.BranchTrue, Terms: []probedata.ScoreTerm{{Scale: 1}}},
			{ID: "b1", File: 1, Kind: probedata.Statement, Statements: 2, Hit: 2},
			{ID: "b2", File: 1, Kind: probedata.CallCompleted, Hit: 3, Near: 4},
			{ID: "b3", File: 1, Kind: probedata.ConditionFalse, Terms: []probedata.ScoreTerm{{Scale: 1, Outcome: 1}}},
		},
	}
}

func TestReach(t *testing.T) {
	s := newCodeCoverage(twoFiles())
	for i := range s.ids {
		s.setNumber(i, 11+i)
	}
	first := s.reachSnapshot()
	s.noteScores([]model.Score{{Number: 12, H: .4}, {Number: 14, H: .5}, {Number: 3, H: .9}, {Number: 99, H: .9}, {Number: 11, H: 1}})
	s.noteScores([]model.Score{{Number: 12, H: .3}})
	s.cover(2)
	s.reach.keptBy(2, "t7")
	if got, want := first.Reached[0].Near, []float64{0, 0}; !slices.Equal(got, want) {
		t.Errorf("what was shown became %v", got)
	}
	now := s.reachSnapshot()
	if got, want := now.Reached[0].Near, []float64{0, .4}; !slices.Equal(got, want) {
		t.Errorf("a.go: near %v, want %v: a score of 1 is covered only when the search says so", got, want)
	}
	b := now.Reached[1]
	if want := (model.CoverageCount{Covered: 2, All: 2}); !slices.Equal(b.Near, []float64{1, .5, 0}) ||
		!slices.Equal(b.Tests, []string{"t7", "", ""}) || b.Statements != want || b.Branches.All != 0 {
		t.Errorf("b.go: %+v", b)
	}
	if got := now.Reached[0].Branches; got != (model.CoverageCount{All: 1}) {
		t.Errorf("branches of a.go: %v", got)
	}
	completed := now.Files[1].Targets[1].Kind == model.SourceCompletedCall
	if now.Source != first.Source || now.Files[0].Sum != "1f" || now.Plain[0] != "/c.go" || !completed {
		t.Errorf("source: %+v", now.Source)
	}
}

// Files that have not changed are shared between snapshots.
func TestReachIsShared(t *testing.T) {
	s := newCodeCoverage(twoFiles())
	before := s.reachSnapshot()
	s.reach.noteScore(0, .2)
	s.reach.keptBy(3, "")
	s.reach.noteScore(3, 0)
	after := s.reachSnapshot()
	if before.Reached[0] == after.Reached[0] || before.Reached[1] != after.Reached[1] {
		t.Error("a.go is the same, or b.go another")
	}
	var none *codeCoverage
	none.noteScores([]model.Score{{Number: 1, H: 1}})
	if none.reachSnapshot() != nil {
		t.Error("a run that does not see the source shows some of it")
	}
}

// BenchmarkShowing measures how long it takes to make a snapshot of 100,000 targets in a
// hundred files. The targets of one file have changed.
func BenchmarkShowing(b *testing.B) {
	m := &probedata.Manifest{Files: make([]probedata.SourceFile, 100)}
	for i := range 100_000 {
		m.Targets = append(m.Targets, probedata.Target{File: i / 1000, Kind: probedata.Statement, Statements: 1})
	}
	s := newCodeCoverage(m)
	for i := 0; b.Loop(); i++ {
		s.reach.noteScore(i%100_000, 1/(2+1/float64(i+1)))
		for n := range 100_000 {
			s.reach.keptBy(n, "t1")
		}
		s.reachSnapshot()
	}
}
