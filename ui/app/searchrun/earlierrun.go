package searchrun

import (
	"fmt"

	"sonde/model"
	"sonde/model/codec"
)

// EarlierRun is the run that a search replays or resumes. Both folders are "" for a new search.
type EarlierRun struct {
	Replayed, Resumed string // folders as given by the user
	Previous          codec.StoredRun
	Yes               bool // do not ask before using a configuration from another folder
}

// EarlierFolder returns the folder of the earlier run, "" if there is none.
func (a EarlierRun) EarlierFolder() string { return a.Replayed + a.Resumed }

// CheckSpec returns an error if the spec has changed since the earlier run, or does not have an operation
// that a test of the run calls. For a new search it returns nil.
func (a EarlierRun) CheckSpec(spec *model.Spec) error {
	switch {
	case a.EarlierFolder() == "":
		return nil
	case !spec.SameContract(a.Previous.SpecHash):
		return fmt.Errorf("run %q was made with another version of %q: it needs the same", a.EarlierFolder(), a.Previous.Spec)
	}
	return known(spec, a.Previous.Tests)
}

// wider returns a copy of l in which each limit that is set in given replaces that of l.
func wider(l, given model.Limits) model.Limits {
	if given.Calls > 0 {
		l.Calls = given.Calls
	}
	if given.Time > 0 {
		l.Time = given.Time
	}
	return l
}

// known returns an error if a test calls an operation that is not in the spec.
func known(spec *model.Spec, tests []model.Test) error {
	for _, t := range tests {
		for _, c := range t.Calls {
			if spec.Operation(c.Op) == nil {
				return fmt.Errorf("test %q calls %q, which is not an operation any more: has the configuration changed?", t.ID, c.Op)
			}
		}
	}
	return nil
}
