package study

import (
	"math"

	"sonde/model"
	"sonde/runner/lab/stat"
)

// Way is a named setting of how runs sample tests.
type Way struct {
	Name     string         `json:"name"`
	Sampling model.Sampling `json:"sampling"`
}

// WayComparison compares the ways of a study with the first way, for runs with the same service, budget, mode and
// probability P.
type WayComparison struct {
	Service string
	Budget  int
	Mode    string // see TableRow
	Smart   float64
	Runs    int
	Ways    []WayFigure // one for each way of the study
}

// WayFigure has the covered targets of a way. Gain, A12 and P compare them with those of the first way, as a Setting does
// with the base.
type WayFigure struct {
	Name         string
	Covered      float64 // mean
	Gain, A12, P float64
}

// wayNames returns the names of the ways, or those of the lists if the study compares lists. A study without both has one
// name, which is "".
func (s Study) wayNames() []string {
	switch {
	case len(s.Lists) > 0:
		return s.Lists
	case len(s.Ways) == 0:
		return []string{""}
	}
	var all []string
	for _, w := range s.Ways {
		all = append(all, w.Name)
	}
	return all
}

// compareWays compares the ways for each mode and each probability in Smart. All runs must be in the log.
func (s Study) compareWays(l *Log, service string, b Series) (all []WayComparison) {
	for _, white := range s.modes() {
		for _, p := range s.Smart {
			c := WayComparison{Service: service, Budget: b.Calls, Mode: s.modeName(white), Smart: p, Runs: len(b.Seeds)}
			var first []float64
			for i, way := range s.wayNames() {
				results, _ := l.seriesResults(RunKey{Service: service, Budget: b.Calls, Smart: p, Way: way, White: white}, b.Seeds)
				covered := intSample(results, func(r Result) int { return r.Covered })
				if i == 0 {
					first = covered
				}
				f := WayFigure{Name: way, Covered: stat.Mean(covered), Gain: gain(covered, first), A12: stat.A12(covered, first)}
				_, f.P = stat.MannWhitney(covered, first)
				c.Ways = append(c.Ways, f)
			}
			all = append(all, c)
		}
	}
	return all
}

// gain returns the relative improvement (X-Y)/Y, as in section 6.3 of the paper. X is the mean of covered, and Y is
// the mean of base. gain returns NaN if the base covers nothing.
func gain(covered, base []float64) float64 {
	y := stat.Mean(base)
	if y == 0 {
		return math.NaN()
	}
	return (stat.Mean(covered) - y) / y
}
