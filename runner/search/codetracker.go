package search

import (
	"context"
	"fmt"
	"slices"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/network/hostmodel"
	"sonde/runner/search/mio"
	"sonde/runner/target/driver"
)

// codeTracker connects the trackers of all workers with the search. It has the code targets of the run, and handles
// failures of drivers and probes.
type codeTracker struct {
	plan     model.Plan
	pool     *workerPool
	coverage *codeCoverage // nil if coverage of the source is not measured

	probesUnused       bool  // the service was built with probes but does not use them
	lostErr            error // why the driver's results are not available any more
	targetsUndescribed bool  // the driver does not describe its targets

	search  *mio.Search[*trial] // nil outside a run
	journal *journal            // nil outside a run
}

// newCodeTracker returns the code tracker of a plan with a driver, or with probes that the manifest m lists.
// Without either, the coverage of the tracker is nil.
func newCodeTracker(p model.Plan, pool *workerPool, m *probedata.Manifest) *codeTracker {
	t := &codeTracker{plan: p, pool: pool}
	switch {
	case p.Driver != nil:
		t.coverage = newCodeCoverage(&probedata.Manifest{})
	case m != nil:
		t.coverage = newCodeCoverage(m)
	}
	return t
}

// targetList returns the IDs of all targets that exist when the search starts: the given IDs and, if coverage guides
// the search, the IDs of the code targets. It also numbers these code targets.
func (t *codeTracker) targetList(all []string) []string {
	if !t.guides() {
		return all
	}
	for i := range t.coverage.ids {
		t.coverage.setNumber(i, len(all)+1+i)
	}
	for _, w := range t.pool.workers {
		if p, ok := w.tracker.observer.(*probeObserver); ok {
			p.reader.SetFirstNumber(len(all) + 1)
		}
	}
	return append(all, t.coverage.ids...)
}

// planWithConstants returns the plan. If coverage guides the search, the returned plan has the
// constants of the service's source.
func (t *codeTracker) planWithConstants() model.Plan {
	p := t.plan
	if t.guides() {
		p.Constants = t.coverage.manifest.Constants
	}
	return p
}

// blind reports whether coverage is only shown to the user, and does not guide the search.
func (t *codeTracker) blind() bool { return !t.plan.SeesSource() }

// guides reports whether coverage guides the search.
func (t *codeTracker) guides() bool { return t.coverage != nil && !t.blind() }

// seesOperands reports whether the search receives the values that the service compares.
func (t *codeTracker) seesOperands() bool {
	return t.guides() && t.plan.Probes != nil && t.plan.Sampling.SeesOperands()
}

// checkAttached drops all trackers if a copy of the service does not use its probes.
func (t *codeTracker) checkAttached() {
	if t.coverage == nil {
		return
	}
	for _, w := range t.pool.workers {
		if p, ok := w.tracker.observer.(*probeObserver); ok && !p.attached() {
			t.dropTrackers()
			return
		}
	}
}

// stop drops all trackers and the coverage.
func (t *codeTracker) stop() {
	for _, w := range t.pool.workers {
		w.tracker.close()
		w.tracker = nil
	}
	t.coverage = nil
}

// dropTrackers drops all trackers and the coverage, so that the run continues as a black-box search. It also emits a
// note.
func (t *codeTracker) dropTrackers() {
	t.stop()
	t.probesUnused = true
	t.journal.emit(model.Note{Text: t.probesWarning().Text})
}

// probesWarning returns the warning about a service that does not use its probes.
func (t *codeTracker) probesWarning() model.Warning {
	const text = "the service was built with probes and does not use them, so the run continues as black-box: " +
		"does %q start %s, on this machine, with the environment that it is given?"
	return model.Warning{
		Kind: model.WarnProbes,
		Text: fmt.Sprintf(text, t.plan.Service.Command[0], model.BinaryPlaceholder),
	}
}

// noteSetUp marks those targets as covered that the service covers when it starts or is reset. No test is needed for
// these targets.
func (t *codeTracker) noteSetUp(scores []model.Score) {
	for _, sc := range scores {
		if i := t.coverage.indexOf(sc.Number); i >= 0 && isCovered(sc) && t.coverage.cover(i) {
			t.coverage.figures.SetUp++
		}
	}
}

// readBlind reads the coverage of all workers if the tracker is blind.
func (t *codeTracker) readBlind() {
	if t.coverage == nil || !t.blind() {
		return
	}
	for _, w := range t.pool.workers {
		t.readCovered(w)
	}
}

// readCovered marks those targets as covered that a worker's copy of the service has covered so far. It does nothing
// if the coverage cannot be read.
func (t *codeTracker) readCovered(w *worker) {
	ctx := context.Background() // the coverage is read even if the run was stopped
	now, err := w.tracker.observer.reached(ctx)
	if err != nil {
		return
	}
	if w.driver != nil {
		t.addUnknown(ctx, w.driver, now)
	}
	for _, sc := range now {
		if i := t.coverage.indexOfID(sc.Target); i >= 0 && isCovered(sc) {
			t.coverage.cover(i)
		}
	}
}

// resolveTargets adds the unknown targets in the scores that a driver reported for a test, and sets the
// target numbers of the scores.
func (t *codeTracker) resolveTargets(ctx context.Context, w *worker, p *played) {
	if w.driver == nil || t.coverage == nil {
		return
	}
	t.addUnknown(ctx, w.driver, p.setUpScores, p.codeScores, p.lateScores)
	for _, scores := range []*[]model.Score{&p.setUpScores, &p.codeScores, &p.lateScores} {
		*scores = t.coverage.numbered(*scores)
	}
}

// maxCodeTargets bounds the code targets that a driver may report during a run.
const maxCodeTargets = 1_000_000

// addUnknown adds the targets of scores that are not known yet, up to maxCodeTargets in all.
func (t *codeTracker) addUnknown(ctx context.Context, d *driver.Driver, all ...[]model.Score) {
	strange := t.coverage.unknownIDs(all)
	if room := maxCodeTargets - len(t.coverage.ids); len(strange) > room {
		strange = strange[:max(room, 0)]
	}
	if len(strange) > 0 {
		t.coverage.addTargets(t.describe(ctx, d, strange), t.plan.Driver)
		t.numberTargets()
	}
}

// noteLoss reports whether a worker has lost its coverage in a test: reading the coverage failed, and it will not be
// read again. noteLoss returns true only once in a run, and then notes the reason. Coverage that was found before is
// kept.
func (t *codeTracker) noteLoss(w *worker, p *played) bool {
	if p.coverageErr == nil || !w.tracker.blind || t.lostErr != nil {
		return false
	}
	t.lostErr = p.coverageErr
	t.journal.note(t.driverWarning().Text)
	return true
}

// driverWarning returns the warning about a driver that stopped reporting.
func (t *codeTracker) driverWarning() model.Warning {
	return model.Warning{Kind: model.WarnDriver, Text: t.lostErr.Error() + "; the run continues as black-box from there"}
}

// addAllTargets adds the targets that the driver lists at the start. The list may be empty: targets are also added
// when tests reach them.
func (t *codeTracker) addAllTargets(ctx context.Context) {
	if t.plan.Driver == nil {
		return
	}
	all, err := t.pool.first().driver.AllTargets(ctx)
	if err != nil && ctx.Err() == nil {
		t.journal.emit(model.Note{Text: err.Error() + "; targets are added as tests reach them"})
	}
	t.coverage.addTargets(all, t.plan.Driver)
	t.numberTargets()
}

// describe returns the driver's descriptions of targets. The description of a target that the driver does not
// describe has only the ID.
func (t *codeTracker) describe(ctx context.Context, d *driver.Driver, ids []string) []driver.Target {
	found, err := d.Targets(ctx, ids)
	if err != nil && !t.targetsUndescribed && ctx.Err() == nil {
		t.targetsUndescribed = true
		t.journal.note(err.Error() + "; its targets are counted without a position")
	}
	of := make(map[string]driver.Target, len(found))
	for _, t := range found {
		of[t.ID] = t
	}
	all := make([]driver.Target, len(ids))
	for i, id := range ids {
		all[i] = of[id]
		all[i].ID = id
	}
	return all
}

// numberTargets gives new targets their numbers in the search, unless the tracker is blind.
func (t *codeTracker) numberTargets() {
	for i := len(t.coverage.numbers); i < len(t.coverage.ids) && !t.blind(); i++ {
		t.coverage.setNumber(i, t.search.TargetNumber(t.coverage.ids[i]))
	}
}

// describeHostReads passes to the host model what the service reads from other hosts. The specs of these hosts have
// this information and, if coverage guides the search, the source of the service.
func (t *codeTracker) describeHostReads(hosts *hostmodel.Hosts) {
	hosts.DeclaredResponses = newProviders(t.plan.Net).responses
	if t.guides() {
		m := t.coverage.manifest
		v := &hosts.Vocabulary
		v.Headers, v.ParseableTexts, v.Patterns, v.Lengths = m.Headers, m.Readable, m.Patterns, m.Lengths
		v.Documents = readDocuments(m.Documents, t.plan.Spec)
		v.Methods, v.StatusCodes = readMethods(m.Calls), m.StatusCodes
		v.Queries, v.HasMySQL = readQueries(m.Results), slices.Contains(m.Drivers, string(model.MySQL))
		if m.Separators != nil {
			v.WordSeparators, v.PairSeparators = m.Separators.Words, m.Separators.Parts
			v.Prefixes, v.Suffixes = m.Separators.Prefixes, m.Separators.Suffixes
		}
	}
}
