package runner

import (
	"slices"

	"sonde/model"
	"sonde/runner/probe"
)

// reach is how near a run came to each target in the source, in a form that can be
// shown at any moment: what is handed out stays as it is, and of what has changed
// since only the files are made anew. The engine's goroutine owns it.
type reach struct {
	source *model.Source
	places []spot // by target
	files  []fileReach
}

// spot is where a target is: which of a file's it is.
type spot struct{ file, at int }

// fileReach is that of a file; shown is as it was handed out last, nil where it has
// changed since.
type fileReach struct {
	now   model.FileReach
	shown *model.FileReach
}

func newReach(m *probe.Manifest) reach {
	r := reach{source: &model.Source{Files: make([]model.SourceFile, len(m.Files))}, files: make([]fileReach, len(m.Files))}
	for i, f := range m.Files {
		r.source.Files[i] = sourceFile(f)
	}
	for _, skipped := range m.Skipped {
		r.source.Plain = append(r.source.Plain, skipped.Path)
	}
	for _, t := range m.Targets {
		f := &r.source.Files[t.File]
		r.places = append(r.places, spot{t.File, len(f.Targets)})
		f.Targets = append(f.Targets, sourceTarget(t))
	}
	for i, f := range r.source.Files {
		r.files[i].now.Near, r.files[i].now.Tests = make([]float64, len(f.Targets)), make([]string, len(f.Targets))
	}
	return r
}

func sourceFile(f probe.File) model.SourceFile {
	return model.SourceFile{Package: f.Package, Name: f.Name, Path: f.Path, Sum: f.Sum}
}

// grows lets what was handed out be as it is, before add and addFile.
func (r *reach) grows() {
	source := *r.source
	source.Files = slices.Clone(source.Files)
	r.source = &source
}

func (r *reach) addFile(f probe.File) {
	r.source.Files, r.files = append(r.source.Files, sourceFile(f)), append(r.files, fileReach{})
}

func (r *reach) add(t probe.Target) {
	of, f := &r.source.Files[t.File], &r.files[t.File]
	r.places = append(r.places, spot{t.File, len(of.Targets)})
	of.Targets = append(of.Targets, sourceTarget(t))
	f.now.Near, f.now.Tests, f.shown = append(f.now.Near, 0), append(f.now.Tests, ""), nil
}

func sourceTarget(t probe.Target) model.SourceTarget {
	out := model.SourceTarget{
		Kind: model.Condition, Outcome: string(t.Kind), Line: t.Line, Col: t.Col,
		EndLine: t.EndLine, EndCol: t.EndCol, Statements: t.Statements, Label: t.Label,
	}
	switch {
	case t.Kind == probe.Statement:
		out.Kind = model.Block
	case t.Kind == probe.Call:
		out.Kind = model.Complete
	case t.Kind.IsBranch():
		out.Kind = model.Branch
	}
	return out
}

// near notes how near a test came to a target.
func (r *reach) near(i int, h float64) {
	at := r.places[i]
	f := &r.files[at.file]
	if h > f.now.Near[at.at] {
		f.now.Near[at.at], f.shown = h, nil
	}
}

// keptBy notes which test is kept for a target.
func (r *reach) keptBy(i int, test string) {
	at := r.places[i]
	f := &r.files[at.file]
	if f.now.Tests[at.at] != test {
		f.now.Tests[at.at], f.shown = test, nil
	}
}

// show hands out the reach of this moment.
func (r *reach) show() *model.Reach {
	out := &model.Reach{Source: r.source, Reached: make([]*model.FileReach, len(r.files))}
	for i := range r.files {
		f := &r.files[i]
		if f.shown == nil {
			c := f.now
			c.Near, c.Tests = slices.Clone(c.Near), slices.Clone(c.Tests)
			f.shown = &c
		}
		out.Reached[i] = f.shown
	}
	return out
}
