package search

import (
	"cmp"
	"iter"
	"math"

	"sonde/model"
	"sonde/runner/search/mio"
	"sonde/runner/target/client"
)

// archive records which tests of a run are kept, and for which targets. The tests themselves are in search.
type archive struct {
	search   *mio.Search[*trial]
	budget   *budget
	judge    *judge
	code     *codeTracker
	journal  *journal
	previous map[*worker]*trial // the last test that each worker played
}

// blamePrevious offers the previous test of a worker to the search again. late is a fault of this test that was found
// only after the test had been judged. blamePrevious does nothing if late is nil, or if the worker has no previous test.
func (a *archive) blamePrevious(w *worker, late *model.Fault) {
	t := a.previous[w]
	if late == nil || t == nil {
		return
	}
	scores := faultScores(late)
	if a.judge.plan.Sampling.Binary == 1 {
		scores = nil // see judge.scores
	}
	a.offerAgain(t, scores, a.judge.faults.record(*late))
}

// forgetPrevious forgets the last tests of all workers, so that no fault or score found later is attributed
// to these tests.
func (a *archive) forgetPrevious() { a.previous = map[*worker]*trial{} }

// creditPrevious offers the previous test of a worker to the search again. late has the scores that the test reached
// only after it had been judged.
func (a *archive) creditPrevious(w *worker, late []model.Score) {
	if t := a.previous[w]; t != nil && len(late) > 0 {
		a.offerAgain(t, late, nil)
	}
}

// offerAgain offers a judged test to the search again, with scores that were not known when the test was judged.
// It emits events for the targets that the test is the first to cover, and for the new faults.
func (a *archive) offerAgain(t *trial, scores []model.Score, faults []model.Fault) {
	outcome := a.search.Offer(t, scores)
	a.code.coverage.noteScores(scores)
	if outcome.Archived {
		t.remember(t.results)
		a.journal.markChanged()
	}
	first, code := a.noteFirsts(outcome)
	a.record(first, code, faults)
}

// noteFirsts marks the code targets that a test is the first to cover, and returns their number. It also returns
// the IDs of the other targets that the test is the first to cover.
func (a *archive) noteFirsts(v mio.Outcome) (statuses []string, code int) {
	for i, number := range v.FirstNumbers {
		at := a.code.coverage.indexOf(number)
		if at < 0 {
			statuses = append(statuses, v.FirstCovered[i])
			continue
		}
		a.code.coverage.coverByTest(at)
		code++
	}
	return statuses, code
}

// isOpen reports whether the target of a score is not covered.
func (a *archive) isOpen(sc model.Score) bool {
	if i := a.code.coverage.indexOf(sc.Number); i >= 0 {
		return !a.code.coverage.covered[i]
	}
	return a.judge.targets.open(sc.Target)
}

// codeCovers returns the kept tests that cover code targets, each with these targets.
func (a *archive) codeCovers() []model.TestTargets {
	covers := []model.TestTargets{}
	at := map[*trial]int{}
	for _, k := range a.search.Archive() {
		if a.code.coverage.indexOf(k.Number) < 0 {
			continue
		}
		i, known := at[k.Individual]
		if !known {
			i = len(covers)
			at[k.Individual] = i
			covers = append(covers, model.TestTargets{Test: k.Individual.test.ID})
		}
		covers[i].Targets = append(covers[i].Targets, k.Target)
	}
	return covers
}

// maxOpenTargets bounds the uncovered targets that are shown.
const maxOpenTargets = 200

// openTargets returns up to maxOpenTargets targets that are reached and not covered yet.
func (a *archive) openTargets() []model.OpenTarget {
	all := a.search.OpenTargets(maxOpenTargets)
	for i := range all {
		all[i].Op = a.judge.targets.operation(all[i].Target)
	}
	return all
}

// savedTests returns each kept test once, with the targets that it is kept for, in the order of the tests' first
// targets. savedTests also notes which test is kept for each code target.
func (a *archive) savedTests() []model.Test {
	var tests []model.Test
	at := map[*trial]int{}
	for _, k := range a.search.Archive() {
		i, ok := at[k.Individual]
		if !ok {
			i = len(tests)
			at[k.Individual] = i
			tests = append(tests, k.Individual.test)
			tests[i].EarlierState = a.earlierState(k.Individual)
		}
		if code := a.code.coverage.indexOf(k.Number); code < 0 {
			tests[i].Covers = append(tests[i].Covers, k.Target)
		} else {
			tests[i].Code++
			a.code.coverage.reach.keptBy(code, tests[i].ID)
		}
	}
	return tests
}

// earlierState returns the reason why a kept test may fail after other tests, "" if there is none.
func (a *archive) earlierState(t *trial) string {
	why := cmp.Or(a.judge.locksOut(t.test), t.test.EarlierState)
	if a.judge.history != nil && !t.replayed {
		return cmp.Or(why, notProven)
	}
	return why
}

// statusTargets returns the number of targets outside the source, and how many of them are covered. It leaves out the
// target opTargets.nextError of each operation, because these targets are never covered.
func (a *archive) statusTargets() (targets, covered int) {
	targets, covered = a.search.Targets()
	code, reached := a.code.coverage.searchTargets()
	return targets - len(a.judge.targets.byOp) - code, covered - reached
}

// forecast returns a forecast of the targets that further calls will cover, nil if the run is too short. The number
// of targets that are left is unknown if the service gave answers that the spec does not declare. If exact is false,
// the result may be a slightly older forecast.
func (a *archive) forecast(exact bool) *model.Forecast {
	open := math.MaxInt
	if targets, covered := a.statusTargets(); targets <= a.judge.targets.declared {
		code, reached := a.code.coverage.searchTargets()
		open = targets - covered + code - reached
	}
	return a.judge.stats.discoveries.forecast(a.budget.searched(), open, exact)
}

// tests yields each kept test once, in the order of the tests' first targets.
func (a *archive) tests() iter.Seq[*trial] {
	return func(yield func(*trial) bool) {
		seen := map[*trial]bool{}
		for _, k := range a.search.Archive() {
			if t := k.Individual; !seen[t] {
				seen[t] = true
				if !yield(t) {
					return
				}
			}
		}
	}
}

// record emits events for newly covered targets and new faults. first has the IDs of the newly covered targets
// outside the source; record marks them as covered, and adds a point to the curve. code is the number of newly
// covered code targets.
func (a *archive) record(first []string, code int, faults []model.Fault) {
	for _, id := range first {
		a.judge.targets.cover(id)
		a.journal.emit(model.TargetCovered{Call: a.budget.calls, Target: id})
	}
	if len(first) > 0 {
		a.judge.stats.addCurvePoint(a.budget.calls, a.judge.targets.coveredCount)
	}
	a.judge.stats.discoveries.add(a.budget.searched(), len(first)+code)
	if code > 0 {
		a.journal.emit(model.CodeCovered{Call: a.budget.calls, Targets: code})
	}
	for _, f := range faults {
		a.journal.markChanged()
		f.Exchanges = nil // faults.json has them
		a.journal.emit(model.FaultFound{Fault: f})
	}
}

// setPrevious notes that t is now the last test of a worker. It releases the results of the test that was the last
// one before.
func (a *archive) setPrevious(w *worker, t *trial, results []client.CallResult) {
	if before := a.previous[w]; before != nil {
		before.results = nil
	}
	t.results, a.previous[w] = results, t
}

// traffic returns the kept tests with their exchanges, in the order in which the method tests yields them.
func (a *archive) traffic() []model.PlayedTest {
	var all []model.PlayedTest
	for t := range a.tests() {
		all = append(all, model.PlayedTest{Test: t.test, Exchanges: t.exchanges})
	}
	return all
}
