package study

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"testing"

	"sonde/runner/search/forecast"
)

// A forecast gives an interval for the number of targets that its run will have covered. The number is in the interval
// at least as often as forecasts promise, within a tolerance. The curves are from logs of studies: black-box runs with
// the strategy paper, and white-box and black-box runs with the default strategy.
func TestForecastsOfStoredCurves(t *testing.T) {
	data, err := os.ReadFile("testdata/curves.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	byMode := map[bool][]Result{}
	for line := range bytes.Lines(data) {
		var r Result
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		byMode[r.White] = append(byMode[r.White], r)
	}
	for white, results := range byMode {
		c, ok := calibrate(results)
		t.Logf("white-box %t: %+v", white, c)
		if !ok || c.Inside < forecast.Probability-0.05 || c.Below > 0.15 || c.Above > 0.15 {
			t.Errorf("white-box %t: got %+v, want %v inside", white, c, forecast.Probability)
		}
	}
}

// The forecasts of a run that covers a target with each hundredth call are right until the run suddenly covers nothing, and
// too high after that.
func TestCalibrate(t *testing.T) {
	steady := Result{RunKey: RunKey{Budget: 10_000}}
	stopped := steady
	for i := 1; i <= 100; i++ {
		steady.Curve = append(steady.Curve, CurvePoint{100 * i, i})
		if i <= 50 {
			stopped.Curve = append(stopped.Curve, CurvePoint{100 * i, i})
		}
	}
	if c, ok := calibrate([]Result{steady}); !ok || c.Forecasts != 8 || c.Inside != 1 || c.Width < 1 {
		t.Errorf("steady run: got %+v", c)
	}
	if c, ok := calibrate([]Result{stopped}); !ok || c.Below < 0.25 || c.Above > 0 || math.Abs(c.Inside+c.Below-1) > 1e-9 {
		t.Errorf("stopped run: got %+v", c)
	}
	if c, ok := calibrate([]Result{{RunKey: RunKey{Budget: 1500}}}); ok {
		t.Errorf("short run: got %+v", c)
	}
}

// The table has a row for each service, budget, way and mode with long runs.
func TestCalibrations(t *testing.T) {
	seeds := []uint64{1, 2}
	s := Study{Smart: []float64{0, 1}, White: []bool{false, true}, Services: []Service{
		{Name: "a", Budgets: []Series{{Calls: 500, Seeds: seeds}, {Calls: 5000, Seeds: seeds}}},
	}}
	got := s.calibrations(filled(s, func(RunKey) Result { return Result{} }))
	if len(got) != 2 {
		t.Fatalf("got %+v", got)
	}
	for i, mode := range []string{"black", "white"} {
		c := got[i]
		// Four runs give forecasts after 1,000, 1,500 and so on up to 3,500 calls.
		if c.Service != "a" || c.Mode != mode || c.Budget != 5000 || c.Forecasts != 4*6 || c.Inside != 1 {
			t.Errorf("got %+v", c)
		}
	}
}
