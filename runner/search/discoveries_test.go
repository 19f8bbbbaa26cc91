package search

import (
	"math"
	"testing"

	"sonde/runner/search/forecast"
)

// During a run, a forecast is computed again only after some calls. At the end, it is exact.
func TestForecastIsRenewed(t *testing.T) {
	var d discoveries
	d.add(900, 0)
	if len(d.found) > 0 {
		t.Fatalf("a test that covered nothing is a discovery: %v", d.found)
	}
	first := d.forecast(forecast.Calls, math.MaxInt, false)
	for i := range 50 {
		d.add(forecast.Calls+i/4, 2)
	}
	if again := d.forecast(forecast.Calls+13, math.MaxInt, false); first == nil || again != first {
		t.Errorf("got %+v after %+v, want the same", again, first)
	}
	if exact := d.forecast(forecast.Calls+13, math.MaxInt, true); exact.Mean <= first.Mean {
		t.Errorf("the exact forecast is %+v, as before %+v", exact, first)
	}
}

// A resumed run first plays the tests that it had kept. Targets that these tests cover are not new.
func TestForecastOfAResumedRun(t *testing.T) {
	var d discoveries
	d.add(5100, 300)
	d.restart(5100)
	if f := d.forecast(5400, 9, true); f != nil {
		t.Errorf("got %+v soon after the restart", f)
	}
	if f := d.forecast(6000, 9, true); f == nil || f.High > 3 {
		t.Errorf("got %+v", f)
	}
}
