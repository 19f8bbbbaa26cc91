package islandrun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/campaign/islands"
	"sonde/runner/search"
	"sonde/ui/app/searchrun"
)

// Merge returns what the islands of a campaign have found, as the first part of a run. It must be called when all islands have
// ended, and before the servers remove the data of the campaign.
func (d *Distributed) Merge(ctx context.Context, campaignID string) (e searchrun.Explored, err error) {
	var all []found
	for i, result := range d.results {
		if result == nil {
			kept, err := readKept(ctx, d.store, campaignID, i)
			if err != nil {
				return e, err
			}
			result = &kept
		}
		all = append(all, *result)
	}
	e = merge(all)
	if len(e.Tests)+len(e.Faults) == 0 && len(d.Failures()) > 0 {
		return e, errors.New(d.Failures()[0])
	}
	e.Last.Call, err = islands.Granted(ctx, d.store.Board(campaignID), d.units[0].Setup)
	e.Last.Used = float64(e.Last.Call) / float64(d.limit)
	return e, err
}

// merge returns what several islands have found. The islands ran at the same time, so numbers of calls are multiplied
// by the number of islands: what one of four islands found with its 10th call counts as found with the 40th call of
// the search.
func merge(all []found) (e searchrun.Explored) {
	e.Answers = map[model.OpID]map[int]int{}
	for i, f := range all {
		rename(f, i)
		for op, counts := range f.Answers {
			if e.Answers[op] == nil {
				e.Answers[op] = map[int]int{}
			}
			for status, n := range counts {
				e.Answers[op][status] += n
			}
		}
		e.Declared = max(e.Declared, f.Declared)
		addProgress(&e.Last, f.Last)
	}
	e.Tests, e.Faults, e.Covered = chooseTests(all), mergeFaults(all), mergeCovered(all)
	return e
}

// rename gives the tests of an island IDs that no test of another island has.
func rename(f found, island int) {
	name := func(id string) string {
		if id == "" {
			return ""
		}
		return fmt.Sprintf("i%d%s", island+1, id)
	}
	adapt := func(t *model.Test) {
		t.ID = name(t.ID)
		if t.Lineage != nil {
			l := *t.Lineage
			l.Parent = name(l.Parent)
			t.Lineage = &l
		}
	}
	for i := range f.Kept {
		adapt(&f.Kept[i].Test)
	}
	for i := range f.Faults {
		if t := f.Faults[i].Test; t != nil {
			own := *t
			adapt(&own)
			f.Faults[i].Test = &own
		}
	}
}

// addProgress adds the progress of an island to that of the search.
func addProgress(sum *model.Progress, p model.Progress) {
	sum.SetUp += p.SetUp
	sum.Asked += p.Asked
	sum.Elapsed = max(sum.Elapsed, p.Elapsed)
	sum.Unanswered += p.Unanswered
	sum.NoAnswer = cmp.Or(sum.NoAnswer, p.NoAnswer)
	sum.Restarts += p.Restarts
	sum.Targets = max(sum.Targets, p.Targets)
}

// chooseTests returns the tests of the common archive: for each target the shortest test of all islands. The Covers of
// a returned test has only the targets for which this test was chosen.
func chooseTests(all []found) (tests []model.Test) {
	type choice struct{ island, test int }
	at := func(c choice) search.Migrant { return all[c.island].Kept[c.test] }
	best := map[string]choice{}
	for i, f := range all {
		for j, k := range f.Kept {
			for _, score := range k.Scores {
				now, known := best[score.Target]
				if !known || len(k.Test.Calls) < len(at(now).Test.Calls) {
					best[score.Target] = choice{i, j}
				}
			}
		}
	}
	for i, f := range all {
		for j, k := range f.Kept {
			isBest := func(target string) bool { return best[target] == choice{i, j} }
			if !slices.ContainsFunc(k.Scores, func(s model.Score) bool { return isBest(s.Target) }) {
				continue
			}
			t := k.Test
			t.Covers = slices.DeleteFunc(slices.Clone(t.Covers), func(target string) bool { return !isBest(target) })
			tests = append(tests, t)
		}
	}
	return tests
}

// mergeFaults returns the faults of all islands, each once with its shortest test, in the order in which they were found.
func mergeFaults(all []found) (faults []model.Fault) {
	type key struct {
		op                model.OpID
		oracle, signature string
	}
	by := map[key]int{}
	for _, f := range all {
		for _, fault := range f.Faults {
			k := key{fault.Op, fault.Oracle, fault.Signature}
			i, known := by[k]
			if !known {
				by[k] = len(faults)
				faults = append(faults, fault)
				continue
			}
			count, first, merged := faults[i].Count+fault.Count, min(faults[i].At, fault.At), max(faults[i].Merged, fault.Merged)
			if fault.IsBetterShown(faults[i]) {
				faults[i] = fault
			}
			faults[i].Count, faults[i].At, faults[i].Merged = count, first, merged
		}
	}
	slices.SortStableFunc(faults, func(a, b model.Fault) int { return a.At - b.At })
	for i := range faults {
		faults[i].ID = fmt.Sprintf("f%d", i+1)
		faults[i].At *= len(all)
	}
	return faults
}

// mergeCovered returns each target that an island has covered, with the number of the call that first covered it.
func mergeCovered(all []found) (covered []model.TargetCovered) {
	first := map[string]int{}
	for _, f := range all {
		for _, c := range f.Covered {
			if call, known := first[c.Target]; !known || c.Call < call {
				first[c.Target] = c.Call
			}
		}
	}
	for target, call := range maps.All(first) {
		covered = append(covered, model.TargetCovered{Target: target, Call: call * len(all)})
	}
	slices.SortFunc(covered, func(a, b model.TargetCovered) int {
		return cmp.Or(a.Call-b.Call, strings.Compare(a.Target, b.Target))
	})
	return covered
}
