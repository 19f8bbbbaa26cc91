package study

import "sonde/runner/lab/stat"

// Comparison compares white-box with black-box on a service, with a budget and a P.
type Comparison struct {
	Service string
	Budget  int
	Smart   float64
	Runs    int
	Figures []Figure // in the order of Measures
}

// Figure is one measure of both. A12 and P are of white-box against black-box.
type Figure struct {
	Black, White float64 // means
	A12, P       float64
}

// Measure is a quantity that is compared.
type Measure string

// The measures of black-box and white-box. None of them uses the probes: Go itself counts the
// statements, and the rest is in the answers.
const (
	Statements Measure = "statements" // that the suite reaches, in percent
	Pairs      Measure = "pairs"      // of an operation and a status of its answers
	With2xx    Measure = "2xx"        // operations with such an answer
	Faults     Measure = "faults"     // see Result
	Marks      Measure = "marks"
)

// Measures are those of a Comparison's figures, in their order.
var Measures = []Measure{Statements, Pairs, With2xx, Faults, Marks}

// of returns the measure of a run.
func (m Measure) of(r Result) float64 {
	switch m {
	case Statements:
		return 100 * r.Statements.Fraction()
	case Pairs:
		return float64(r.Codes)
	case With2xx:
		return float64(r.With2xx)
	case Faults:
		return float64(r.Faults)
	}
	return float64(len(r.Marks))
}

// sight names black-box or white-box, "" if the study has only one of them.
func (s Study) sight(white bool) string {
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
		black, _ := l.of(Cell{Service: service, Budget: b.Calls, Smart: p}, b.Seeds)
		white, _ := l.of(Cell{Service: service, Budget: b.Calls, Smart: p, White: true}, b.Seeds)
		sight := Comparison{Service: service, Budget: b.Calls, Smart: p, Runs: len(b.Seeds)}
		for _, m := range Measures {
			sight.Figures = append(sight.Figures, m.compared(sample(black, m.of), sample(white, m.of)))
		}
		all = append(all, sight)
	}
	return all
}

func (m Measure) compared(black, white []float64) Figure {
	f := Figure{Black: stat.Mean(black), White: stat.Mean(white), A12: stat.A12(white, black)}
	_, f.P = stat.MannWhitney(white, black)
	return f
}
