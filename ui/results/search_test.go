package results

import (
	"testing"
	"time"

	"sonde/model"
)

// Declared server errors are distinguished from server errors that are faults.
func TestAnsweredOperations(t *testing.T) {
	for want, s := range map[string]model.Summary{
		"4: 1 with a 2xx and no 5xx, 2 with a 5xx, 1 not called":                 {Operations: 4, With2xx: 3, With5xx: 2},
		"4: 1 with a 2xx and no 5xx, 2 with a 5xx (1 as declared), 1 not called": {Operations: 4, With2xx: 3, With5xx: 2, Declared5xx: 1},
		"9: 4 with a 2xx and no 5xx, 1 with a 5xx, 2 only refused (4xx), 1 without an answer, 1 not called": {
			Operations: 9, With2xx: 4, With5xx: 1, Only5xx: 1, Only4xx: 2, NotAnswered: 1,
		},
		"4: 4 with a 2xx and no 5xx": {Operations: 4, With2xx: 4},
	} {
		if got := AnsweredOperationsText(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// If the interval of a forecast has only one number, the text has this number instead of an interval.
func TestForecastText(t *testing.T) {
	for want, f := range map[string]model.Forecast{
		"the next 1,000 calls will likely cover 0 to 2 more targets": {Calls: 1000, High: 2},
		"the next 1,000 calls will likely cover no more targets":     {Calls: 1000},
		"the next 1,000 calls will likely cover 1 more target":       {Calls: 1000, Low: 1, High: 1},
	} {
		if got := ForecastText(f, false); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if got := ForecastText(f, true); got != want+", with those in the source" {
			t.Errorf("with the source: got %q", got)
		}
	}
}

// The progress of a search ends with the remaining time, if it is known.
func TestSearchProgress(t *testing.T) {
	now := model.Snapshot{Used: 0.25, Summary: model.Summary{Calls: 1200, Rate: 59.9, Covered: 7, Targets: 20, Faults: 1}}
	for want, elapsed := range map[string]time.Duration{
		" 25%  1,200 calls, 59/s  7 of 20 targets  1 fault":                  time.Second,
		" 25%  1,200 calls, 59/s  7 of 20 targets  1 fault  about 1h0m left": 20 * time.Minute,
	} {
		now.Summary.Elapsed = elapsed
		if got := SearchProgress(now); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
