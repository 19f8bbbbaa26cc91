package search

import (
	"sonde/model"
	"sonde/runner/search/forecast"
)

// discoveries records when a run covered new targets: after how many calls, and how many targets. Code targets count,
// too. Calls are counted as in budget.searched.
type discoveries struct {
	from  int // found has all discoveries after this number of calls
	found []forecast.Discovery

	newest   *model.Forecast
	newestAt int // number of calls for which newest was computed
}

// add records that a number of targets was covered for the first time after a number of calls. It does nothing for 0
// targets.
func (d *discoveries) add(calls, targets int) {
	if targets > 0 {
		d.found = append(d.found, forecast.Discovery{Calls: calls, Targets: targets})
	}
}

// restart begins the record anew. A resumed run calls it after each test that it had kept and plays again, because
// these tests only cover again what the run had covered before.
func (d *discoveries) restart(calls int) { d.from, d.found = calls, nil }

// forecastStep is the factor by which the number of calls must grow before a forecast is computed again during a run.
const forecastStep = 1.02

// forecast returns the forecast after the given number of calls, nil if these are too few. open is the number of
// targets that are left, or math.MaxInt if it is unknown. If exact is false, the result may be a slightly older
// forecast.
func (d *discoveries) forecast(calls, open int, exact bool) *model.Forecast {
	if exact || float64(calls) >= forecastStep*float64(d.newestAt) {
		d.newest, d.newestAt = forecast.Next(d.found, d.from, calls, open), calls
	}
	return d.newest
}
