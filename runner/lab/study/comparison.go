package study

import "sonde/runner/lab/stat"

// Comparison compares white-box runs with black-box runs that have the same service, budget and probability P.
type Comparison struct {
	Service string
	Budget  int
	Way     string // see TableRow
	Smart   float64
	Runs    int
	Figures []MeasureFigure // one for each of Measures
}

// MeasureFigure has the values of one measure for both modes. A12 and P compare white-box with black-box.
type MeasureFigure struct {
	Black, White float64 // means
	A12, P       float64
}

// Measure is a quantity that is compared.
type Measure string

// The measures by which black-box and white-box runs are compared. No measure uses the probes: Go itself counts the
// statements, mutants judge the suite, and the other measures come from the answers.
const (
	MeasureStatements Measure = "statements" // statements that the suite reaches, in percent
	MeasurePairs      Measure = "pairs"      // pairs of an operation and a status of its answers
	MeasureWith2xx    Measure = "2xx"        // operations with a 2xx answer
	MeasureFaults     Measure = "faults"     // see Result
	MeasureMarks      Measure = "marks"
	MeasureMutants    Measure = "mutation_score" // mutants that the suite notices, in percent
)

// Measures are the measures of a Comparison, in the order of its Figures.
var Measures = []Measure{MeasureStatements, MeasurePairs, MeasureWith2xx, MeasureFaults, MeasureMarks, MeasureMutants}

// of returns the value of the measure for one run.
func (m Measure) of(r Result) float64 {
	switch m {
	case MeasureStatements:
		return 100 * r.Statements.Fraction()
	case MeasurePairs:
		return float64(r.Codes)
	case MeasureWith2xx:
		return float64(r.With2xx)
	case MeasureFaults:
		return float64(r.Faults)
	case MeasureMutants:
		return r.Mutants.percent()
	}
	return float64(len(r.Marks))
}

// modeName returns "white" or "black", "" if the study has only one mode.
func (s Study) modeName(white bool) string {
	switch {
	case len(s.White) < 2:
		return ""
	case white:
		return "white"
	}
	return "black"
}

// compareModes compares white-box with black-box for a way and each probability in Smart. All runs must be in the log.
func (s Study) compareModes(l *Log, service, way string, b Series) (all []Comparison) {
	for _, p := range s.Smart {
		at := RunKey{Service: service, Budget: b.Calls, Smart: p, Way: way}
		black, _ := l.seriesResults(at, b.Seeds)
		at.White = true
		white, _ := l.seriesResults(at, b.Seeds)
		comparison := Comparison{Service: service, Budget: b.Calls, Way: way, Smart: p, Runs: len(b.Seeds)}
		for _, m := range Measures {
			comparison.Figures = append(comparison.Figures, m.compareSamples(sampleOf(black, m.of), sampleOf(white, m.of)))
		}
		all = append(all, comparison)
	}
	return all
}

// compareSamples compares the samples of both modes.
func (m Measure) compareSamples(black, white []float64) MeasureFigure {
	f := MeasureFigure{Black: stat.Mean(black), White: stat.Mean(white), A12: stat.A12(white, black)}
	_, f.P = stat.MannWhitney(white, black)
	return f
}
