package search

import (
	"slices"

	"sonde/model"
	"sonde/runner/instrument/probedata"
)

// codeReach records how near a run came to each code target, for the screens. Snapshots are immutable. A
// snapshot copies only the files that have changed since the previous snapshot. The scheduler's goroutine owns
// the reach.
type codeReach struct {
	source    *model.Source
	positions []filePosition // index of a target → its file, and its index in the file
	files     []fileReach
}

// filePosition is the index of a file, and the index of a target among the targets of that file.
type filePosition struct{ file, index int }

// fileReach is the reach of a file. snapshot is the copy of current in the newest snapshot; it is nil
// if current has changed since.
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

// beforeGrowth copies the source, which snapshots share, so that addFile and addTarget do not change the
// snapshots.
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

// noteScore raises the reach of a target to h, the value of a score, unless the reach is higher already.
func (r *codeReach) noteScore(i int, h float64) {
	at := r.positions[i]
	f := &r.files[at.file]
	if h > f.current.Near[at.index] {
		f.current.Near[at.index], f.snapshot = h, nil
	}
}

// keptBy notes the ID of the test that is kept for a target.
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
