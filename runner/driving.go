package runner

import (
	"context"
	"maps"
	"slices"
	"time"

	"sonde/model"
	"sonde/runner/driver"
)

// driving asks the driver of one copy of the service what came of a test. The
// driver tells only of what improved. What a test came near to and no other one
// covers is asked for besides, for the search compares its tests by that, and so is
// what a test covered that did not count.
type driving struct {
	driver *driver.Driver
	told   map[string]bool    // covered, and not asked for
	asked  map[string]bool    // covered, and asked for
	near   map[string]bool    // reached at some time, and not covered as far as was told
	seen   map[string]float64 // by the last look at the test
	busy   bool               // the service still did something then
}

// unrest is for how long a service is waited for that still does something for a
// test.
const unrest = 50 * time.Millisecond

// mostNear bounds what is asked for.
const mostNear = 100_000

func newDriving(d *driver.Driver) *driving {
	return &driving{driver: d, told: map[string]bool{}, asked: map[string]bool{}, near: map[string]bool{}}
}

func (d *driving) begin(ctx context.Context) error { return d.driver.Begin(ctx) }

func (d *driving) now(ctx context.Context) ([]model.Score, error) {
	r, err := d.driver.Results(ctx, slices.Concat(slices.Sorted(maps.Keys(d.near)), slices.Sorted(maps.Keys(d.asked))))
	if err != nil {
		return nil, err
	}
	d.busy, d.seen = r.Busy, make(map[string]float64, len(r.Scores))
	r.Scores = slices.DeleteFunc(r.Scores, func(sc model.Score) bool { return d.told[sc.Target] })
	for _, sc := range r.Scores {
		d.seen[sc.Target] = sc.H
		if !d.asked[sc.Target] && len(d.near) < mostNear {
			d.near[sc.Target] = true
		}
	}
	return r.Scores, nil
}

// rested waits only for a service of which the driver says that it is busy.
func (d *driving) rested(ctx context.Context) ([]model.Score, error) {
	start := time.Now()
	scores, err := d.now(ctx)
	for err == nil && d.busy && time.Since(start) < unrest {
		time.Sleep(quiet)
		scores, err = d.now(ctx)
	}
	return scores, err
}

func (d *driving) late(ctx context.Context) ([]model.Score, error) {
	if !d.busy {
		return nil, nil
	}
	before := d.seen
	scores, err := d.now(ctx)
	return slices.DeleteFunc(scores, func(sc model.Score) bool { return sc.H <= before[sc.Target] }), err
}

func (d *driving) calm() { d.busy = false }

func (d *driving) ask(_ int, id string, want bool) {
	delete(d.near, id)
	if want {
		d.asked[id] = true
		delete(d.told, id)
		return
	}
	delete(d.asked, id)
	d.told[id] = true
}

func (d *driving) close() {}
