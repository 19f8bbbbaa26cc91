package report

import (
	"fmt"

	"sonde/runner/lab/study"
	"sonde/runner/search/forecast"
	"sonde/ui/words"
)

// forecasts returns the table that compares the forecasts of runs with what the runs covered.
func forecasts(t study.Tables) sheet {
	s := sheet{
		Title:   "Forecasts of covered targets",
		Headers: []string{"service", "calls", "forecasts", "inside", "below", "above", "width"},
		Note: fmt.Sprintf(
			"Each run forecasts after each tenth of its budget what the next %s cover, as an interval of %.0f%%. Inside: the number "+
				"was in the interval. Below, above: it was less or more. Width: highest less lowest number, mean.",
			words.Plural(forecast.Calls, "call"), 100*forecast.Probability,
		),
	}
	last := ""
	for _, c := range t.Calibrations {
		name := labelled(study.TableRow{Service: c.Service, Way: c.Way, Mode: c.Mode})
		begin := name
		if name == last {
			begin = ""
		}
		last = name
		row := []entry{{Text: begin}, {Text: thousands(c.Budget)}, {Text: words.Count(c.Forecasts)}}
		for _, share := range []float64{c.Inside, c.Below, c.Above} {
			row = append(row, entry{Text: fmt.Sprintf("%.1f%%", 100*share)})
		}
		s.Rows = append(s.Rows, sheetRow{Cells: append(row, entry{Text: tenth(c.Width)})})
	}
	return s
}
