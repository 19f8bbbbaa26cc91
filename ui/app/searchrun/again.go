package searchrun

import (
	"fmt"

	"sonde/model"
	"sonde/model/codec"
)

// EarlierRun is a run that was before: its folder is "" where there is none.
type EarlierRun struct {
	Replayed, Resumed string // folders, as they were named
	Previous          codec.StoredRun
	Yes               bool // its configuration is confirmed, wherever it is
}

// EarlierFolder is the folder of the run of before.
func (a EarlierRun) EarlierFolder() string { return a.Replayed + a.Resumed }

// CheckSpec says what has changed since the run of before.
func (a EarlierRun) CheckSpec(spec *model.Spec) error {
	switch {
	case a.EarlierFolder() == "":
		return nil
	case a.Previous.SpecHash != spec.Hash:
		return fmt.Errorf("run %q was made with another version of %q: it needs the same", a.EarlierFolder(), a.Previous.Spec)
	}
	return known(spec, a.Previous.Tests)
}

// wider returns limits with those that are given anew.
func wider(l, given model.Limits) model.Limits {
	if given.Calls > 0 {
		l.Calls = given.Calls
	}
	if given.Time > 0 {
		l.Time = given.Time
	}
	return l
}

// known are the operations of a spec that tests call.
func known(spec *model.Spec, tests []model.Test) error {
	for _, t := range tests {
		for _, c := range t.Calls {
			if spec.Operation(c.Op) == nil {
				return fmt.Errorf("test %q calls %q, which is no operation any more: has the configuration changed?", t.ID, c.Op)
			}
		}
	}
	return nil
}
