package app

import (
	"context"
	"errors"
	"sync"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/command"
	"sonde/ui/app/paths"
	"sonde/ui/app/recent"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/suite"
	"sonde/ui/app/usecase"
)

// searcher starts searches, one at a time, and opens stored ones.
type searcher struct {
	session *session
	memory  memory
	// calling is held while the app calls the service and while a search begins, because each may reset the
	// service.
	calling *sync.Mutex
	leaving context.Context // ends with the app; ends the search, too
	rest    func()          // stops the service for manual calls; its mutex calling must be locked
	busy    func() error    // the reason why no search can start now, nil if one can

	mu     sync.Mutex
	run    *searchrun.Run             // the latest, nil before the first
	opened map[string]codec.StoredRun // folder → run that was opened from it
	shown  string                     // folder of the run that was started or opened last
}

// errBusy is the error of a call that would disturb a search.
var errBusy = errors.New("a search is running: stop it first")

// start starts a search.
func (s *searcher) start(ctx context.Context, chosen usecase.SearchSettings) (usecase.SearchRun, error) {
	settings, now, err := s.session.settings(chosen)
	if err != nil {
		return nil, err
	}
	s.calling.Lock()
	defer s.calling.Unlock()
	if err := s.busy(); err != nil {
		return nil, err
	}
	if s.session.environment() != environmentName(now.config) {
		return nil, errSwitched
	}
	spec, err := now.config.FilterOperations(now.spec)
	if err != nil {
		return nil, err
	}
	if chosen.ResumeFolder != "" {
		if err := settings.ResumeInApp(chosen.ResumeFolder, spec); err != nil {
			return nil, err
		}
	}
	s.rest() // the service of the search may need the same port
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(s.leaving, cancel)
	run, err := settings.StartRunInApp(ctx, spec)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.run, s.shown = run, paths.Absolute(run.Folder())
	s.mu.Unlock()
	s.memory.addRun(run.Folder(), now.spec.Title)
	return run, nil
}

// latest returns the search that was started last, nil if there is none.
func (s *searcher) latest() *searchrun.Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.run
}

// running reports whether a search uses the service.
func (s *searcher) running() bool {
	run := s.latest()
	return run != nil && run.Run.Snapshot().Phase != model.PhaseDone
}

// stop ends the search and waits until it is written.
func (s *searcher) stop() {
	if run := s.latest(); run != nil {
		run.Stop()
		run.Wait()
	}
}

// earlier lists the recent runs with the title of the open spec. It leaves out runs that cannot be read.
func (s *searcher) earlier(ctx context.Context) (all []usecase.PastSearch, err error) {
	spec := s.session.state().spec
	_, runs := recent.ReadRecent()
	for _, r := range runs {
		if spec == nil || r.Title != spec.Title || ctx.Err() != nil {
			continue
		}
		if run, history, err := OpenPast(r.Folder); err == nil {
			all = append(all, s.past(r.Folder, run, history))
		}
	}
	return all, nil
}

// open reads the run in a folder.
func (s *searcher) open(_ context.Context, dir string) (usecase.PastSearch, model.Snapshot, error) {
	run, history, err := OpenPast(dir)
	if err != nil {
		return usecase.PastSearch{}, model.Snapshot{}, err
	}
	folder := paths.Absolute(dir)
	s.mu.Lock()
	if s.opened == nil {
		s.opened = map[string]codec.StoredRun{}
	}
	s.opened[folder], s.shown = run, folder
	s.mu.Unlock()
	return s.past(dir, run, history), run.Snapshot(history), nil
}

// OpenPast reads the run in a folder with its history.
func OpenPast(dir string) (run codec.StoredRun, history codec.RunHistory, err error) {
	run, err = codec.OpenRun(dir)
	if err == nil {
		history, err = codec.OpenHistory(dir)
	}
	return run, history, err
}

// past describes the run in a folder for the list of past searches.
func (s *searcher) past(dir string, run codec.StoredRun, history codec.RunHistory) usecase.PastSearch {
	spec := s.session.state().spec
	p := usecase.PastSearch{
		Folder:       paths.Absolute(dir),
		Started:      run.Started,
		Settings:     s.pastSettings(run),
		Summary:      run.Snapshot(history).Summary,
		Finished:     history.Summary != nil,
		OtherVersion: spec != nil && !spec.SameContract(run.SpecHash),
		Command:      run.Command,
	}
	p.Settings.WhiteBox = p.Summary.Code != nil || run.Code != nil
	if len(run.Commands) > 0 {
		p.Command = command.SearchCommand([]string{"--replay", p.Folder})
	}
	return p
}

// pastSettings returns the settings of an earlier run.
func (s *searcher) pastSettings(run codec.StoredRun) usecase.SearchSettings {
	if s.session.options.SettingsOf != nil {
		return s.session.options.SettingsOf(run)
	}
	return usecase.SearchSettings{
		Limits:   run.Limits,
		Tuning:   run.Tuning,
		Seed:     run.Seed,
		Sampling: run.Sampling,
		Sizes:    run.Sizes,
		Net:      run.Net != nil,
		Workers:  1,
	}
}

// keptRun returns the run in a folder. It does not read a run again that was opened before.
func (s *searcher) keptRun(folder string) (codec.StoredRun, error) {
	s.mu.Lock()
	run, ok := s.opened[folder]
	s.mu.Unlock()
	if ok {
		return run, nil
	}
	return codec.OpenRun(folder)
}

// source is a run whose tests are exported.
type source struct {
	suite  export.Suite // suite of the run, without tests and command
	tests  []model.Test // the current tests of the run
	faults []model.Fault
}

// keeps reports whether the run still has all the given tests.
func (s source) keeps(tests []model.Test) bool {
	_, err := suite.SelectTests(s.tests, suite.TestIDs(tests))
	return err == nil
}

// source returns the run in a folder as the source of an export. It uses the state in memory for the latest
// search, and the files on disk for other runs.
func (s *searcher) source(folder string) (source, error) {
	if run := s.latest(); run != nil && paths.Absolute(run.Folder()) == folder {
		last := run.Run.Snapshot()
		return source{suite: s.session.suite(run.Service, run.VirtualNetwork()), tests: last.Tests, faults: last.Faults}, nil
	}
	run, err := s.keptRun(folder)
	if err != nil {
		return source{}, err
	}
	made := suite.WithHosts(suite.FromRun(run.RunHeader, nil, ""), run.Net, false)
	made.Code = run.Code
	return source{suite: made, tests: run.Tests, faults: run.Faults}, nil
}

// shownFolder returns the folder of the run that was started or opened last, "" if there is none.
func (s *searcher) shownFolder() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown
}
