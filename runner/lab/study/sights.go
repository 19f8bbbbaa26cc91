package study

import "sonde/runner/lab/stat"

// Comparison compares white-box with black-box on a service, with a budget and a P.
type Comparison struct {
	Service string
	Budget  int
	Smart   float64
	Runs    int
	Figures []MeasureFigure // in the order of Measures
}

// MeasureFigure is one measure of both. A12 and P are of white-box against black-box.
type MeasureFigure struct {
	Black, White float64 // means
	A12, P       float64
}

// Measure is a quantity that is compared.
type Measure string

// The measures of black-box and white-box. None of them uses the probes: Go itself counts the
// statements, and the rest is in the answers.
const (
	MeasureStatements Measure = "statements" // that the suite reaches, in percent
	MeasurePairs      Measure = "pairs"      // of an operation and a status of its answers
	MeasureWith2xx    Measure = "2xx"        // operations with such an answer
	MeasureFaults     Measure = "faults"     // see Result
	MeasureMarks      Measure = "marks"
)

// Measures are those of a Comparison's figures, in their order.
var Measures = []Measure{MeasureStatements, MeasurePairs, MeasureWith2xx, MeasureFaults, MeasureMarks}

// of returns the measure of a run.
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
	}
	return float64(len(r.Marks))
}

// modeName names black-box or white-box, "" if the study has only one of them.
func (s Study) modeName(white bool) string {
	switch {
	case len(s.White) < 2:
		return ""
	case white:
		return "white"
	}
	return "black"
}

// compared compares white-box with black-box for each P. All runs must be in the log.
func (s Study) compared(l *Log, service string, b Series) (all []Comparison) {
	for _, p := range s.Smart {
		black, _ := l.of(RunKey{Service: service, Budget: b.Calls, Smart: p}, b.Seeds)
		white, _ := l.of(RunKey{Service: service, Budget: b.Calls, Smart: p, White: true}, b.Seeds)
		sight := Comparison{Service: service, Budget: b.Calls, Smart: p, Runs: len(b.Seeds)}
		for _, m := range Measures {
			sight.Figures = append(sight.Figures, m.compared(sample(black, m.of), sample(white, m.of)))
		}
		all = append(all, sight)
	}
	return all
}

func (m Measure) compared(black, white []float64) MeasureFigure {
	f := MeasureFigure{Black: stat.Mean(black), White: stat.Mean(white), A12: stat.A12(white, black)}
	_, f.P = stat.MannWhitney(white, black)
	return f
}
