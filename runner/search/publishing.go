package search

import (
	"errors"
	"maps"
	"slices"
	"time"

	"sonde/model"
)

// How often the snapshot is published, and how often the suite and the traffic are saved.
const (
	publishEvery = 50 * time.Millisecond
	saveEvery    = time.Second
	trafficEvery = 10 * time.Second // traffic may be large, and takes time to write
)

// publishIfDue publishes a snapshot and saves results, each after its interval.
func (s *scheduler) publishIfDue() {
	now := time.Now()
	if now.Sub(s.lastPublished) >= publishEvery {
		s.publish(model.PhaseRunning)
	}
	if now.Sub(s.journal.lastSaved) >= saveEvery {
		s.journal.save(s.archive)
	}
	if now.Sub(s.journal.lastTraffic) >= trafficEvery {
		s.journal.saveTraffic(s.archive)
	}
}

// publish replaces the snapshot by the current state of the run.
func (s *scheduler) publish(phase model.RunPhase) {
	snapshot := model.Snapshot{
		Phase:   phase,
		Summary: s.summary(),
		Used:    s.pool.budget.usedShare(),
		Tuning:  s.commands.tuning,
		Applied: s.archive.search.AppliedTuning(),
		Curve:   slices.Clip(s.judge.stats.curve),
		Marks:   slices.Clip(s.judge.stats.appliedCommands),
		Refused: slices.Clip(s.judge.stats.refused),
		Faults:  slices.Clone(s.judge.faults.all()),
		Grid:    s.judge.stats.answerCounts(),
		Newest:  maps.Clone(s.judge.stats.samples),
		Tests:   s.archive.savedTests(),
		Weights: s.commands.weights,
		Denied:  s.denied,
		Err:     errors.Join(s.err, s.journal.sinkErr),
	}
	snapshot.Summary.Forecast = s.archive.forecast(phase == model.PhaseDone)
	snapshot.Open = s.archive.openTargets()
	snapshot.Log, snapshot.Unlogged = s.journal.recent.Entries()
	snapshot.Net, snapshot.Hosts = s.plan.Net != nil, s.hosts.snapshot()
	snapshot.StartupStubs = s.bed.startup.Stubs
	snapshot.Source = s.code.coverage.reachSnapshot() // must come after savedTests, which records the tests of covered targets
	if s.lastTrial != nil {
		last := s.lastTrial.test
		snapshot.Last = &last
	}
	s.run.snapshot.Store(&snapshot)
	s.lastPublished = time.Now()
}

// summary returns the figures of the calls and of the search.
func (s *scheduler) summary() model.Summary {
	sum := s.bed.summary()
	sum.Asked = s.judged
	sum.NoReset = s.judge.history != nil
	sum.Cancelled = s.cancelled
	if _, ok := errors.AsType[*DeniedError](s.err); ok {
		sum.Warnings = slices.DeleteFunc(sum.Warnings, followsFromDenial)
	}
	sum.Targets, sum.Covered = s.archive.statusTargets()
	for t := range s.archive.tests() {
		sum.Tests++
		sum.Replayed += boolToInt(t.replayed)
		sum.FlakyTests += boolToInt(t.test.Flaky != "")
		sum.EarlierState += boolToInt(s.archive.earlierState(t) != "")
		sum.DroppedChecks += t.droppedChecks
		sum.RemovedCalls += t.removedCalls
	}
	return sum
}

// updateProgress passes the used share of the budget to the search and emits the progress. It does nothing if the
// share has not changed.
func (s *scheduler) updateProgress() {
	if s.usage.advance(s.asked) {
		s.archive.search.SetBudgetUsed(s.usage.used)
		s.journal.emit(s.progressEvent())
	}
}

// progressEvent returns the event with the figures that a killed run needs for resuming.
func (s *scheduler) progressEvent() model.Progress {
	b := s.pool.budget
	targets, _ := s.archive.statusTargets()
	return model.Progress{
		Call: b.calls, SetUp: b.setUp, Checking: b.checking, Minimising: b.minimising, Elapsed: b.elapsed(),
		Unanswered: s.judge.stats.unanswered, NoAnswer: s.judge.stats.noAnswer, Restarts: s.pool.restarts,
		Asked: s.asked, Used: s.usage.used, Targets: targets,
	}
}
