package study

import (
	"math"

	"sonde/runner/search/forecast"
)

// Calibration compares forecasts of runs with the number of targets that the runs then covered. A run gives a forecast
// after each tenth of its budget, except after the last ones: the calls of the forecast must end before the last tenth.
type Calibration struct {
	Service   string
	Way, Mode string // as in a TableRow
	Budget    int
	Forecasts int
	// Inside is the share of the forecasts whose interval contains the number of targets that the run covered for the
	// first time in the next forecast.Calls calls. Below and Above are the shares for which this number was below or
	// above the interval.
	Inside, Below, Above float64
	Width                float64 // mean of High - Low
}

// forecastSteps is the number of parts of the budget after which forecasts are made. No forecast covers the last part, in
// which a run checks faults.
const forecastSteps = 10

// calibrate compares the forecasts of runs with the same service, budget, way and mode. It returns false if the runs
// are too short for forecasts.
func calibrate(results []Result) (Calibration, bool) {
	var c Calibration
	for _, r := range results {
		for step := 1; step < forecastSteps; step++ {
			calls := r.Budget * step / forecastSteps
			if calls+forecast.Calls > r.Budget*(forecastSteps-1)/forecastSteps {
				break
			}
			c.compare(r, calls)
		}
	}
	if c.Forecasts == 0 {
		return c, false
	}
	for _, share := range []*float64{&c.Inside, &c.Below, &c.Above, &c.Width} {
		*share /= float64(c.Forecasts)
	}
	return c, true
}

// compare makes the forecast of a run after a number of calls, and adds to the counts whether the run then was in the
// interval.
func (c *Calibration) compare(r Result, calls int) {
	f := forecast.Next(r.discoveries(), 0, calls, math.MaxInt)
	if f == nil {
		return
	}
	c.Forecasts++
	c.Width += float64(f.High - f.Low)
	switch n := r.coveredBy(calls+forecast.Calls) - r.coveredBy(calls); {
	case n < f.Low:
		c.Below++
	case n > f.High:
		c.Above++
	default:
		c.Inside++
	}
}

// discoveries returns the points at which the run's curve increases.
func (r Result) discoveries() (all []forecast.Discovery) {
	before := 0
	for _, p := range r.Curve {
		if p[1] > before {
			all = append(all, forecast.Discovery{Calls: p[0], Targets: p[1] - before})
			before = p[1]
		}
	}
	return all
}

// calibrations returns the calibration of each service, budget, way and mode whose runs are long enough. All runs must
// be in the log.
func (s Study) calibrations(l *Log) (all []Calibration) {
	s.eachSeries(l, func(key RunKey, results []Result) {
		if c, ok := calibrate(results); ok {
			c.Service, c.Way, c.Mode, c.Budget = key.Service, key.Way, s.modeName(key.White), key.Budget
			all = append(all, c)
		}
	})
	return all
}

// eachSeries calls the function do for each service, budget, way and mode, with the results of all runs that have these
// in common. The runs differ only in P and in their seeds. The key that do gets has no P and no seed.
func (s Study) eachSeries(l *Log, do func(RunKey, []Result)) {
	var order []RunKey
	series := map[RunKey][]Result{}
	for _, key := range s.RunKeys() {
		results, _ := l.seriesResults(key, []uint64{key.Seed})
		key.Smart, key.Seed = 0, 0
		if _, known := series[key]; !known {
			order = append(order, key)
		}
		series[key] = append(series[key], results...)
	}
	for _, key := range order {
		do(key, series[key])
	}
}
