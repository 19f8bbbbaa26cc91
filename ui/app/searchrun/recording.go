package searchrun

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/replay/generate"
	"sonde/ui/words"
)

// AddRecordedTests makes the search begin with the tests of a recording, the shortest first, so that a small
// budget reaches many operations. It leaves out tests with unknown users or operations and returns their
// number. If no test remains, it returns an error. The tests keep their stubs if the service has a virtual
// network. AddRecordedTests does nothing if no recording is given, or if the search is resumed.
func (s *Settings) AddRecordedTests(spec *model.Spec) (left int, err error) {
	if s.Directives.Recording == "" || s.Resume != nil {
		return 0, nil
	}
	rec, err := codec.OpenRecording(s.Directives.Recording)
	if err != nil {
		return 0, fmt.Errorf("--seed-from: %w", err)
	}
	made := generate.Tests(rec, spec, generate.Options{})
	for _, t := range made.Tests {
		if !s.playable(spec, t) {
			continue
		}
		if !s.Network.Enabled(s.Config.Net) {
			t.Stubs = nil
		}
		s.recorded = append(s.recorded, t)
	}
	if len(s.recorded) == 0 {
		return 0, fmt.Errorf(
			"--seed-from: no test can be made of the %s in %q", words.Plural(len(rec.Served), "request"),
			s.Directives.Recording,
		)
	}
	slices.SortStableFunc(s.recorded, func(a, b model.Test) int { return len(a.Calls) - len(b.Calls) })
	return len(made.Tests) - len(s.recorded), nil
}

// playable reports whether the search has all users and operations of a test.
func (s *Settings) playable(spec *model.Spec, t model.Test) bool {
	return !slices.ContainsFunc(t.Calls, func(c model.Call) bool {
		known := c.User == "" || slices.ContainsFunc(s.Service.Users, func(u model.User) bool { return u.Name == c.User })
		return !known || spec.Operation(c.Op) == nil
	})
}
