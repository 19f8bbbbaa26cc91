package app

import (
	"context"
	"slices"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/command"
	"sonde/ui/app/paths"
	"sonde/ui/app/recent"
	"sonde/ui/app/suite"
	"sonde/ui/tui/screen"
)

// Searches hand the app the searches that are kept on disk.
func (w *Workspace) Searches() screen.Searches {
	return screen.Searches{
		List: func(ctx context.Context) ([]screen.PastSearch, error) { return w.pastOf(ctx, w.document()), nil },
		Open: func(_ context.Context, dir string) (screen.PastSearch, model.Snapshot, error) {
			run, course, err := OpenPast(dir)
			if err != nil {
				return screen.PastSearch{}, model.Snapshot{}, err
			}
			w.mu.Lock()
			w.Past = &pastRun{paths.Abs(dir), run}
			w.mu.Unlock()
			return w.newPast(dir, run, course, w.document()), run.Snapshot(course), nil
		},
	}
}

// pastRun is a run that the app opened.
type pastRun struct {
	Folder string
	codec.Run
}

// pastOf are the runs of late that are of a spec, those that can be read.
func (w *Workspace) pastOf(ctx context.Context, spec *model.Spec) (all []screen.PastSearch) {
	_, runs := recent.List()
	for _, r := range runs {
		if spec == nil || r.Title != spec.Title || ctx.Err() != nil {
			continue
		}
		if run, course, err := OpenPast(r.Folder); err == nil {
			all = append(all, w.newPast(r.Folder, run, course, spec))
		}
	}
	return all
}

// OpenPast reads the run in a folder with its history.
func OpenPast(dir string) (run codec.Run, course codec.RunHistory, err error) {
	run, err = codec.OpenRun(dir)
	if err == nil {
		course, err = codec.OpenHistory(dir)
	}
	return run, course, err
}

// newPast is a run in a folder as the app lists it.
func (w *Workspace) newPast(dir string, run codec.Run, course codec.RunHistory, spec *model.Spec) screen.PastSearch {
	p := screen.PastSearch{
		Folder:       paths.Abs(dir),
		Started:      run.Started,
		Settings:     w.pastSettings(run),
		Summary:      run.Snapshot(course).Summary,
		Finished:     course.Summary != nil,
		OtherVersion: spec != nil && spec.Hash != run.SpecHash,
		Command:      run.Command,
	}
	p.Settings.WhiteBox = p.Summary.Code != nil || run.Code != nil
	if len(run.Commands) > 0 {
		p.Command = command.Search([]string{"--replay", p.Folder})
	}
	return p
}

// pastSettings are the settings of an earlier run.
func (w *Workspace) pastSettings(run codec.Run) screen.SearchSettings {
	if w.SettingsOf != nil {
		return w.SettingsOf(run)
	}
	return screen.SearchSettings{
		Limits:   run.Limits,
		Tuning:   run.Tuning,
		Seed:     run.Seed,
		Sampling: run.Sampling,
		Net:      run.Net != nil,
		Workers:  1,
	}
}

// AsKept is what sonde export writes of tests that are all of the run which was opened.
func (w *Workspace) AsKept(format string, tests []model.Test) (export.Suite, bool) {
	if w.Past == nil {
		return export.Suite{}, false
	}
	for _, t := range tests {
		if !slices.ContainsFunc(w.Past.Tests, func(k model.Test) bool { return suite.Same(k, t) }) {
			return export.Suite{}, false
		}
	}
	command := suite.Command(w.Past.Folder, suite.IDs(tests), "", suite.FormatArgs(format)...)
	s := suite.WithHosts(suite.OfRun(w.Past.Header, tests, command), w.Past.Net, false)
	s.Code = w.Past.Code
	return s, true
}
