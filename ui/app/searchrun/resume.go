package searchrun

import (
	"fmt"

	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/command"
	"sonde/ui/app/service"
)

// ResumeInApp changes the settings to resume the run in a folder. The service and the spec must be
// the same.
func (s *Settings) ResumeInApp(dir string, spec *model.Spec) error {
	run, err := codec.OpenRun(dir)
	if err == nil {
		err = EarlierRun{Resumed: dir, Previous: run}.CheckSpec(spec)
	}
	if base, _ := s.Service.StartFor(run.Net); err == nil && base != run.BaseURL &&
		s.Service.Name != service.DemoSource { // the usual port of the demo may have been in use
		err = fmt.Errorf(
			"run %q called %s, but the service here is %s: resume it with sonde search --resume %s", dir, run.BaseURL, base,
			command.Quote(dir),
		)
	}
	if err != nil {
		return err
	}
	return s.ResumeFrom(dir, run, model.Limits{})
}

// ResumeFrom changes the settings to resume a run, with its kept tests and the rest of its budget. A limit that is
// set in budget replaces the limit of the run.
func (s *Settings) ResumeFrom(dir string, run codec.StoredRun, budget model.Limits) error {
	course, err := codec.OpenHistory(dir)
	if err != nil {
		return err
	}
	last := course.Last
	s.Limits = wider(s.Limits, budget)
	switch {
	case s.Limits.Calls > 0 && last.Call >= s.Limits.Calls:
		return fmt.Errorf("run %q has used up its budget of %d calls: give it a larger one with --calls", dir, s.Limits.Calls)
	case s.Limits.Time > 0 && last.Elapsed >= s.Limits.Time:
		return fmt.Errorf("run %q has used up its budget of %s: give it a larger one with --time", dir, s.Limits.Time)
	}
	s.Folder, s.Commands, s.StartupStubs = dir, run.Commands, run.StartupStubs()
	s.Resume = &model.ResumeState{
		Tests:   run.Tests,
		Faults:  run.Faults,
		Answers: run.Answers,
		Curve:   course.Curve,
		Last:    last,
		Ended:   course.Summary != nil,
	}
	return nil
}
