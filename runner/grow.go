package runner

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/driver"
	"sonde/runner/probe"
)

// discern takes what a driver told behind a test: it finds out which places in the
// source are meant, and gives the scores their numbers.
func (e *engine) discern(ctx context.Context, c *caller, p *played) {
	if p.unseen != nil && c.watch.blind && e.unseen == nil {
		e.sightless(p.unseen)
	}
	if c.driver == nil || e.source == nil {
		return
	}
	e.meet(ctx, c.driver, p.setUp, p.seen, p.belated)
	p.setUp, p.seen, p.belated = e.source.numbered(p.setUp), e.source.numbered(p.seen), e.source.numbered(p.belated)
}

// mostPlaces bounds the targets of a source that turn up one after the other.
const mostPlaces = 1_000_000

// meet adds the targets of scores that are not known yet.
func (e *engine) meet(ctx context.Context, d *driver.Driver, all ...[]model.Score) {
	strange := e.source.strange(all)
	if room := mostPlaces - len(e.source.ids); len(strange) > room {
		strange = strange[:max(room, 0)]
	}
	if len(strange) > 0 {
		e.source.grow(e.described(ctx, d, strange), e.plan.Driver)
		e.enrol()
	}
}

// sightless goes on without what nobody sees any more. What was found stays.
func (e *engine) sightless(why error) {
	e.unseen = why
	e.emit(model.Note{Call: e.budget.calls, Text: e.unsighted().Text})
	e.weigh()
}

// unsighted warns of a driver that does not tell what it should.
func (c *crew) unsighted() model.Warning {
	return model.Warning{Kind: model.WarnDriver, Text: c.unseen.Error() + "; the run went on black-box from there"}
}

// survey takes all targets that the drivers know from the start. It is no fault not
// to know them: then they turn up as tests reach them.
func (e *engine) survey(ctx context.Context) {
	if e.plan.Driver == nil {
		return
	}
	all, err := e.first().driver.All(ctx)
	if err != nil && ctx.Err() == nil {
		e.emit(model.Note{Text: err.Error() + "; the targets turn up as tests reach them"})
	}
	e.source.grow(all, e.plan.Driver)
	e.enrol()
}

// described are the targets with IDs that nobody knew, those that the driver does
// not know, either, without a place.
func (e *engine) described(ctx context.Context, d *driver.Driver, ids []string) []driver.Target {
	found, err := d.Targets(ctx, ids)
	if err != nil && !e.mute && ctx.Err() == nil {
		e.mute = true
		e.emit(model.Note{Call: e.budget.calls, Text: err.Error() + "; what is covered there is counted without a place"})
	}
	of := make(map[string]driver.Target, len(found))
	for _, t := range found {
		of[t.ID] = t
	}
	all := make([]driver.Target, len(ids))
	for i, id := range ids {
		all[i] = of[id]
		all[i].ID = id
	}
	return all
}

// enrol gives targets that are new their numbers, unless the search does not look.
func (e *engine) enrol() {
	for i := len(e.source.numbers); i < len(e.source.ids) && !e.blind(); i++ {
		e.source.enrol(i, e.search.Number(e.source.ids[i]))
	}
}

// strange are the IDs of scores that are not known.
func (s *source) strange(all [][]model.Score) (ids []string) {
	seen := map[string]bool{}
	for _, scores := range all {
		for _, sc := range scores {
			if s.place(sc.Target) < 0 && !seen[sc.Target] {
				seen[sc.Target] = true
				ids = append(ids, sc.Target)
			}
		}
	}
	return ids
}

// numbered gives scores their numbers, but for those of targets for which there was
// no room.
func (s *source) numbered(scores []model.Score) []model.Score {
	scores = slices.DeleteFunc(scores, func(sc model.Score) bool { return s.place(sc.Target) < 0 })
	for i := range scores {
		scores[i].Number = s.numbers[s.place(scores[i].Target)]
	}
	return scores
}

// grow adds targets that are new, in the order of their places.
func (s *source) grow(all []driver.Target, d *model.Driver) {
	slices.SortFunc(all, func(a, b driver.Target) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column, strings.Compare(a.ID, b.ID))
	})
	s.reach.grows()
	for _, of := range all {
		if s.place(of.ID) < 0 {
			s.add(of.Plain(), d)
		}
	}
}

func (s *source) add(of driver.Target, d *model.Driver) {
	t := targetOf(of)
	t.File = s.file(fileOf(of, d))
	s.places[t.ID] = len(s.ids)
	s.ids, s.covered = append(s.ids, t.ID), append(s.covered, false)
	s.manifest.Targets = append(s.manifest.Targets, t)
	s.coverage.Targets++
	s.reach.add(t)
	s.count(t, func(p *model.Part, n int) { p.All += n })
}

// file is the index of a file, which is added where it is new.
func (s *source) file(f probe.File) int {
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

// elsewhere is where targets are of which the driver says no file.
const elsewhere = "(no file)"

// fileOf is the file of a target. Its path starts from where the driver does.
func fileOf(t driver.Target, d *model.Driver) probe.File {
	if t.File == "" {
		return probe.File{Package: cmp.Or(t.Package, elsewhere), Name: elsewhere}
	}
	f := probe.File{Name: filepath.ToSlash(t.File), Path: t.File}
	f.Package = cmp.Or(t.Package, path.Dir(f.Name))
	if !filepath.IsAbs(t.File) && !strings.HasPrefix(f.Name, ".") {
		f.Name = "./" + f.Name // for go tool cover a path, and no package
	}
	if d.Run != nil && !filepath.IsAbs(t.File) {
		f.Path = filepath.Join(d.Run.Dir, t.File)
	}
	return f
}

// wholeLine is a column behind all others.
const wholeLine = 1 << 12

func targetOf(t driver.Target) probe.Target {
	out := probe.Target{
		ID: t.ID, Kind: cmp.Or(probe.Kind(t.Kind), probe.Statement), Line: t.Line, Col: max(t.Column, 1), Label: t.Label,
	}
	if out.Kind == probe.Statement {
		out.Statements, out.EndLine, out.EndCol = max(t.Statements, 1), max(t.EndLine, t.Line), cmp.Or(t.EndColumn, wholeLine)
	}
	return out
}
