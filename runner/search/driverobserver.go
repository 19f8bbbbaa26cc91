package search

import (
	"context"
	"maps"
	"slices"
	"time"

	"sonde/model"
	"sonde/runner/target/driver"
)

// driverObserver asks the driver of one copy of the service for the scores of a test. By default, a driver reports
// only targets whose scores have improved. The observer also asks for two kinds of targets:
//   - targets that tests have reached but not covered, because the search compares the scores of tests
//   - covered targets that are still wanted
type driverObserver struct {
	driver     *driver.Driver
	unwanted   map[string]bool    // covered targets that are not reported
	requested  map[string]bool    // covered targets that are still wanted
	approached map[string]bool    // targets that were reached and are not known to be covered
	lastScores map[string]float64 // scores of the last reading, by target ID
	busy       bool               // the service was still busy at the last reading
}

// maxBusyTime bounds the wait for a service that is busy after the last call of a test.
const maxBusyTime = 50 * time.Millisecond

// maxApproached bounds the number of approached targets.
const maxApproached = 100_000

func newDriverObserver(d *driver.Driver) *driverObserver {
	return &driverObserver{driver: d, unwanted: map[string]bool{}, requested: map[string]bool{}, approached: map[string]bool{}}
}

func (d *driverObserver) begin(ctx context.Context) error { return d.driver.BeginTest(ctx) }

func (d *driverObserver) reached(ctx context.Context) ([]model.Score, error) {
	r, err := d.driver.Results(ctx, slices.Concat(slices.Sorted(maps.Keys(d.approached)), slices.Sorted(maps.Keys(d.requested))))
	if err != nil {
		return nil, err
	}
	d.busy, d.lastScores = r.Busy, make(map[string]float64, len(r.Scores))
	r.Scores = slices.DeleteFunc(r.Scores, func(sc model.Score) bool { return d.unwanted[sc.Target] })
	for _, sc := range r.Scores {
		d.lastScores[sc.Target] = sc.H
		if !d.requested[sc.Target] && len(d.approached) < maxApproached {
			d.approached[sc.Target] = true
		}
	}
	return r.Scores, nil
}

// settled implements observer. It waits only if the driver says that the service is busy.
func (d *driverObserver) settled(ctx context.Context) ([]model.Score, error) {
	start := time.Now()
	scores, err := d.reached(ctx)
	for err == nil && d.busy && time.Since(start) < maxBusyTime {
		time.Sleep(quietTime)
		scores, err = d.reached(ctx)
	}
	return scores, err
}

func (d *driverObserver) lateScores(ctx context.Context) ([]model.Score, error) {
	if !d.busy {
		return nil, nil
	}
	before := d.lastScores
	scores, err := d.reached(ctx)
	return slices.DeleteFunc(scores, func(sc model.Score) bool { return sc.H <= before[sc.Target] }), err
}

func (d *driverObserver) ignoreActivity() { d.busy = false }

func (d *driverObserver) setWanted(_ int, id string, want bool) {
	delete(d.approached, id)
	if want {
		d.requested[id] = true
		delete(d.unwanted, id)
		return
	}
	delete(d.requested, id)
	d.unwanted[id] = true
}

func (d *driverObserver) close() {}
