package cli

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/mimic"
	"sonde/ui/words"
)

// seed has the search begin with the tests of a recording. What hosts answered counts
// where the service has a virtual network.
func (f *searchFlags) seed(s streams, spec *model.Spec) error {
	if f.wishes.record == "" || f.resume != nil {
		return nil
	}
	rec, err := codec.OpenRecording(f.wishes.record)
	if err != nil {
		return fmt.Errorf("--seed-from: %w", err)
	}
	made := mimic.Tests(rec, spec, mimic.Options{})
	for _, t := range made.Tests {
		if !f.playable(spec, t) {
			continue
		}
		if !f.net.wanted(f.config.Net) {
			t.Stubs = nil
		}
		f.recorded = append(f.recorded, t)
	}
	if left := len(made.Tests) - len(f.recorded); left > 0 {
		tell(s.err, "%s of %q left out: the search has not all of their users and operations", words.Plural(left, "test"), f.wishes.record)
	}
	if len(f.recorded) == 0 {
		return fmt.Errorf("--seed-from: no test can be made of the %s in %q", words.Plural(len(rec.Served), "request"), f.wishes.record)
	}
	return nil
}

// playable reports whether all who call in a test are users of the search, and all that
// they call are operations of it.
func (f *searchFlags) playable(spec *model.Spec, t model.Test) bool {
	return !slices.ContainsFunc(t.Calls, func(c model.Call) bool {
		known := c.User == "" || slices.ContainsFunc(f.service.users, func(u model.User) bool { return u.Name == c.User })
		return !known || spec.Operation(c.Op) == nil
	})
}
