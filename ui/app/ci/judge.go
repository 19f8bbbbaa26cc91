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
	// Only are the operations that the search is for, nil for all. Known faults of others are not gone.
	Only  []model.OpID
	Flaky FlakyPolicy
	Today time.Time
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
	c := e.court()
	var j Judgement
	for _, f := range faults {
		key := f.Key()
		c.found[key] = true
		if f.Severity != model.SeverityNote {
			c.sort(f, key, &j)
		}
	}
	for _, k := range e.Known {
		if !c.found[k.Key()] && e.looksFor(k) {
			j.Gone = append(j.Gone, k)
		}
	}
	return j
}

// looksFor reports whether the search is for the operation of a known fault.
func (e Expectations) looksFor(k config.KnownFault) bool {
	return e.Only == nil || slices.ContainsFunc(e.Only, func(op model.OpID) bool {
		return model.Fault{Op: op}.Key().Operation == k.Key().Operation
	})
}

// court has what is known by the keys of faults, and what a run has found.
type court struct {
	Expectations
	known    map[model.FaultKey]config.KnownFault
	earlier  map[model.FaultKey]bool
	found    map[model.FaultKey]bool
	position map[position]int // where a list of the judgement has a finding
}

// position is a key in a list of a judgement.
type position struct {
	list *[]Finding
	key  model.FaultKey
}

func (e Expectations) court() court {
	c := court{
		Expectations: e, known: map[model.FaultKey]config.KnownFault{}, earlier: map[model.FaultKey]bool{},
		found: map[model.FaultKey]bool{}, position: map[position]int{},
	}
	for _, k := range e.Known {
		c.known[k.Key()] = k
	}
	for _, f := range e.Earlier {
		c.earlier[f.Key()] = true
	}
	return c
}

// sort adds a fault to one of the lists.
func (c court) sort(f model.Fault, key model.FaultKey, j *Judgement) {
	remark, known := c.remark(key)
	one := Finding{Fault: f, Remark: remark}
	switch {
	case known:
		c.add(&j.Known, one, key)
	case f.CountsAsFailure(), c.Flaky == FlakyFail:
		c.add(&j.New, one, key)
	case c.Flaky != FlakyIgnore:
		c.add(&j.Flaky, one, key)
	}
}

// add adds a finding to a list, or to the finding of the list with the same key.
func (c court) add(list *[]Finding, one Finding, key model.FaultKey) {
	at, has := c.position[position{list, key}]
	if !has {
		c.position[position{list, key}] = len(*list)
		*list = append(*list, one)
		return
	}
	same := &(*list)[at]
	if one.Severity == model.SeverityError && same.Severity != model.SeverityError {
		same.Fault, one.Fault = one.Fault, same.Fault
	}
	same.Others = append(same.Others, one.ID)
}

// remark reports whether a fault is known. The text says why, or that its entry has expired.
func (c court) remark(key model.FaultKey) (text string, known bool) {
	if c.earlier[key] {
		return "in the run " + c.EarlierRun, true
	}
	k, listed := c.known[key]
	switch {
	case !listed:
		return "", false
	case k.Expired(c.Today):
		return fmt.Sprintf("known until %s, which is over", k.Until), false
	case k.Reason != "":
		return k.Reason, true
	case k.FirstSeen != "":
		return "first seen " + k.FirstSeen, true
	}
	return "in the baseline", true
}

// IDs returns the IDs of all faults of the finding.
func (f Finding) IDs() []string { return append([]string{f.ID}, f.Others...) }

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
