package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sonde/runner/lab/stat"
)

// ManualCoverage has the numbers of statements of a service that its own tests reach. Only the packages that
// Service.Count measures are counted. Unknown numbers are negative.
type ManualCoverage struct {
	Total int
	Unit  int // reached by unit tests, and by integration tests without HTTP
	HTTP  int // reached by tests that call the service
}

// ManualRow compares the generated tests of a service with its own, as in Table 3. The generated tests are those with the
// highest budget and the probability P of Tables.Chosen. Coverage is the share of statements, NaN if unknown.
type ManualRow struct {
	Service, Way, Mode string // see TableRow
	Best, Mean         float64
	Total, Unit, HTTP  float64
	// Failure is the reason why the service's own tests could not be measured, "" if they could. No other table depends
	// on these tests, so the study does not fail.
	Failure string
}

// manualRows returns the rows of a service in Table 3. There are none if the service has no tests of its own, or if
// statements are not counted. All runs must be in the log.
func (s Study) manualRows(ctx context.Context, l *Log, of Service, smart float64) (rows []ManualRow, err error) {
	if of.Manual == nil || of.Count == nil {
		return nil, nil
	}
	failure := ""
	tests, err := of.Manual(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		tests, failure = ManualCoverage{Total: -1, Unit: -1, HTTP: -1}, fmt.Sprintf("the tests of %s: %v", of.Name, err)
	}
	b := of.Budgets[len(of.Budgets)-1]
	for _, at := range s.keysOf(RunKey{Service: of.Name, Budget: b.Calls}) {
		if at.Smart != smart {
			continue
		}
		results, ok := l.seriesResults(at, b.Seeds)
		if !ok {
			return nil, errUnfinished
		}
		if slices.ContainsFunc(results, func(r Result) bool { return r.Statements == nil }) {
			return nil, fmt.Errorf("statements of %s were not counted: make its runs again in another folder", of.Name)
		}
		shares := sampleOf(results, func(r Result) float64 { return r.Statements.Fraction() })
		all := results[0].Statements.All
		rows = append(rows, ManualRow{
			Service: of.Name, Way: at.Way, Mode: s.modeName(at.White), Best: slices.Max(shares), Mean: stat.Mean(shares),
			Total: share(tests.Total, all), Unit: share(tests.Unit, all), HTTP: share(tests.HTTP, all),
			Failure: failure,
		})
	}
	return rows, nil
}

// share returns n as a share of all, NaN if n is negative.
func share(n, all int) float64 {
	if n < 0 || all == 0 {
		return math.NaN()
	}
	return float64(n) / float64(all)
}
