package search

import (
	"sonde/model"
	"sonde/runner/search/forecast"
)

// discoveries records when tests were the first to cover targets, those in the service's source included. The numbers of
// calls are those of budget.searched.
type discoveries struct {
	from  int // number of calls from which the record is complete
	found []forecast.Discovery

	newest   *model.Forecast
	newestAt int // number of calls for which newest was computed
}

// add adds the discovery of a test, which may be of no target.
func (d *discoveries) add(calls, targets int) {
	if targets > 0 {
		d.found = append(d.found, forecast.Discovery{Calls: calls, Targets: targets})
	}
}

// restart begins the record anew. A resumed run does so as long as it plays the tests that it had kept, because these only
// cover again what the run had covered before.
func (d *discoveries) restart(calls int) { d.from, d.found = calls, nil }

// forecastStep is the relative growth of the number of calls after which a forecast is renewed during a run.
const forecastStep = 1.02

// forecast returns the forecast after a number of calls, nil if there are too few. open is the number of targets that are left.
// exact is false if a slightly older forecast will do.
func (d *discoveries) forecast(calls, open int, exact bool) *model.Forecast {
	if exact || float64(calls) >= forecastStep*float64(d.newestAt) {
		d.newest, d.newestAt = forecast.Next(d.found, d.from, calls, open), calls
	}
	return d.newest
}
