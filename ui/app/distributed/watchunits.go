package distributed

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"

	"sonde/runner/campaign"
	"sonde/ui/app/usecase"
)

// Limits on what is kept of the units of a campaign. They are needed because other programs, too, can write to the
// servers.
const (
	maxFailures      = 10_000
	maxReporting     = 1_000    // number of units with progress
	maxProgressBytes = 64 << 10 // bytes of the progress of one unit
	maxReasonBytes   = 64 << 10 // bytes of the reason why one unit failed
	maxNumber        = 1_000_000_000_000
)

// watchedUnits has the failures and the progress of the units of one campaign. It keeps them even after the campaign
// has ended and the servers have removed it. It is safe for concurrent use.
type watchedUnits struct {
	campaign string
	end      context.CancelFunc // ends the watching by the current connection
	isOver   bool               // the campaign was no longer in progress at the last look

	mu       sync.Mutex
	err      error // why the current connection cannot watch
	failures map[int]usecase.UnitFailure
	progress map[int]usecase.UnitProgress
}

func newWatchedUnits(campaign string) *watchedUnits {
	return &watchedUnits{
		campaign: campaign, end: func() {}, failures: map[int]usecase.UnitFailure{}, progress: map[int]usecase.UnitProgress{},
	}
}

// watch starts watching the units over a connection, instead of the connection before. It returns at once. It stops
// watching when the connection ends or w.end is called.
func (w *watchedUnits) watch(link *watchedSession) {
	w.end()
	ctx, end := context.WithCancel(link.ctx)
	w.end = end
	go func() {
		err := link.Store.WatchDead(ctx, w.campaign, w.fail)
		if err == nil {
			err = link.Store.Board(w.campaign).Watch(ctx, campaign.ProgressPrefix, w.report)
		}
		if ctx.Err() != nil {
			err = nil
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.err = err
	}()
}

// problem says why the units cannot be watched, "" if they can.
func (w *watchedUnits) problem() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		return ""
	}
	return w.err.Error()
}

// fail records the failure that a dead letter reports, up to maxFailures failures.
func (w *watchedUnits) fail(d campaign.DeadLetter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.failures) < maxFailures {
		reason := d.Reason[:min(len(d.Reason), maxReasonBytes)]
		w.failures[d.Unit] = usecase.UnitFailure{Unit: d.Unit, Worker: d.Worker, Reason: reason}
	}
}

// report handles the progress of a unit.
func (w *watchedUnits) report(key string, value json.RawMessage) {
	unit, err := strconv.Atoi(key)
	var p usecase.UnitProgress
	if err != nil || unit < 0 || len(value) > maxProgressBytes || json.Unmarshal(value, &p) != nil {
		return // no unit has written this
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.progress[unit]; known || len(w.progress) < maxReporting {
		w.progress[unit] = plausible(p)
	}
}

// plausible returns progress that can be drawn. It limits all numbers to the range from 0 to maxNumber, and leaves
// out points that are not in ascending order.
func plausible(p usecase.UnitProgress) usecase.UnitProgress {
	limit := func(n int) int { return max(0, min(n, maxNumber)) }
	p.Calls, p.Of, p.Covered, p.Faults = limit(p.Calls), limit(p.Of), limit(p.Covered), limit(p.Faults)
	var points [][2]int
	for _, at := range p.Points[:min(len(p.Points), usecase.MaxProgressPoints)] {
		at = [2]int{limit(at[0]), limit(at[1])}
		if n := len(points); n == 0 || at[0] >= points[n-1][0] {
			points = append(points, at)
		}
	}
	p.Points = points
	return p
}

// list returns the failures and the progress of the units of a campaign. units is the number of units; reports about
// units with other numbers are left out.
func (w *watchedUnits) list(units int) (failures []usecase.UnitFailure, progress []usecase.WatchedUnit) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, unit := range slices.Sorted(maps.Keys(w.failures)) {
		if unit < units {
			failures = append(failures, w.failures[unit])
		}
	}
	for _, unit := range slices.Sorted(maps.Keys(w.progress)) {
		if unit < units {
			progress = append(progress, usecase.WatchedUnit{Unit: unit, UnitProgress: w.progress[unit]})
		}
	}
	return failures, progress
}
