// Package ci has the use cases of continuous integration: which faults of a run are known, and whether the run passes;
// baselines of known faults; and what GitHub and GitLab read of a run. It makes no searches.
package ci

import (
	"fmt"
	"slices"
	"time"

	"sonde/model"
	"sonde/model/codec"
	"sonde/model/config"
)

// FlakyPolicy says what a flaky fault of severity error or warning means for a run.
type FlakyPolicy string

// The policies for flaky faults.
const (
	FlakyWarn   FlakyPolicy = "warn"   // it is reported, but the run passes
	FlakyFail   FlakyPolicy = "fail"   // the run fails
	FlakyIgnore FlakyPolicy = "ignore" // it is not reported
)

// FlakyPolicies are all policies, the default first.
var FlakyPolicies = []FlakyPolicy{FlakyWarn, FlakyFail, FlakyIgnore}

// Expectations are what is known before a run, and how its faults are judged.
type Expectations struct {
	Known []config.KnownFault // the baseline
	// Earlier are the faults of an earlier run, which count as known, too. EarlierRun is its folder.
	Earlier    []model.Fault
	EarlierRun string
	Flaky      FlakyPolicy
	Today      time.Time
}

// Finding is a fault of a run, or several with the same key, which are other wordings of one fault.
type Finding struct {
	model.Fault // the first one of the highest severity
	// Others are the IDs of the other faults with the same key.
	Others []string
	// Remark is why the fault counts as known, or that its entry has expired. It is "" for other faults.
	Remark string
}

// Judgement sorts the faults of severity error or warning of a run. Each fault is in at most one of the lists, which
// have each key once.
type Judgement struct {
	New   []Finding // faults that make the run fail, also those whose entry in the baseline has expired
	Known []Finding
	Flaky []Finding // flaky faults that are neither known nor make the run fail
	// Gone are the faults of the baseline that the run did not find.
	Gone []config.KnownFault
}

// Passed reports whether no fault makes the run fail.
func (j Judgement) Passed() bool { return len(j.New) == 0 }

// Judge judges the faults of a run.
func (e Expectations) Judge(faults []model.Fault) Judgement {
	var j Judgement
	found := map[model.FaultKey]bool{}
	for _, f := range faults {
		found[f.Key()] = true
		if f.Severity != model.SeverityNote {
			e.sort(f, &j)
		}
	}
	for _, k := range e.Known {
		if !found[k.Key()] {
			j.Gone = append(j.Gone, k)
		}
	}
	return j
}

// sort adds a fault to one of the lists.
func (e Expectations) sort(f model.Fault, j *Judgement) {
	remark, known := e.known(f)
	one := Finding{Fault: f, Remark: remark}
	switch {
	case known:
		j.Known = join(j.Known, one)
	case f.CountsAsFailure(), e.Flaky == FlakyFail:
		j.New = join(j.New, one)
	case e.Flaky != FlakyIgnore:
		j.Flaky = join(j.Flaky, one)
	}
}

// join adds a finding to a list, or to the finding of the list with the same key.
func join(all []Finding, one Finding) []Finding {
	key := one.Key()
	at := slices.IndexFunc(all, func(other Finding) bool { return other.Key() == key })
	if at < 0 {
		return append(all, one)
	}
	same := &all[at]
	if one.Severity == model.SeverityError && same.Severity != model.SeverityError {
		same.Fault, one.Fault = one.Fault, same.Fault
	}
	same.Others = append(same.Others, one.ID)
	return all
}

// IDs returns the IDs of all faults of the finding.
func (f Finding) IDs() []string { return append([]string{f.ID}, f.Others...) }

// known reports whether a fault is known. The remark says why, or that its entry has expired.
func (e Expectations) known(f model.Fault) (remark string, known bool) {
	key := f.Key()
	if slices.ContainsFunc(e.Earlier, func(other model.Fault) bool { return other.Key() == key }) {
		return "in the run " + e.EarlierRun, true
	}
	at := slices.IndexFunc(e.Known, func(k config.KnownFault) bool { return k.Key() == key })
	if at < 0 {
		return "", false
	}
	k := e.Known[at]
	switch {
	case k.Expired(e.Today):
		return fmt.Sprintf("known until %s, which is over", k.Until), false
	case k.Reason != "":
		return k.Reason, true
	case k.FirstSeen != "":
		return "first seen " + k.FirstSeen, true
	}
	return "in the baseline", true
}

// KnownFaults returns the entries of a baseline for the errors and warnings of runs, also for flaky ones, which may be
// reproducible in the next run.
func KnownFaults(runs ...codec.StoredRun) (known []config.KnownFault) {
	for _, run := range runs {
		for _, f := range run.Faults {
			if f.Severity != model.SeverityNote {
				known = append(known, config.NewKnownFault(f, run.Started))
			}
		}
	}
	return known
}
