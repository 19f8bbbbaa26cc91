package survey_test

import (
	"math"
	"testing"

	"sonde/analysis/survey"

	"pgregory.net/rapid"
)

func TestChiSquare(t *testing.T) {
	tests := []struct {
		name    string
		square  survey.ContingencyTable
		x2, p   float64
		defined bool
	}{
		{name: "independent", square: survey.ContingencyTable{{10, 20}, {20, 40}}, x2: 0, p: 1, defined: true},
		{
			name:    "almost independent",
			square:  survey.ContingencyTable{{10, 20}, {30, 40}},
			x2:      0.7936507936507936,
			p:       0.37299848361348714,
			defined: true,
		},
		{name: "less so", square: survey.ContingencyTable{{12, 5}, {29, 2}}, x2: 4.646430720203109, p: 0.03111818732925679, defined: true},
		{name: "the paper's Table 2", square: survey.PaperTables().Reason, x2: 2119.4958013167357, p: 0, defined: true},
		{name: "the paper's Table 3", square: survey.PaperTables().Sign, x2: 1674.9030897968214, p: 0, defined: true},
		{name: "nothing"},
		{name: "an empty row", square: survey.ContingencyTable{{0, 0}, {3, 4}}},
		{name: "an empty column", square: survey.ContingencyTable{{0, 3}, {0, 4}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			x2, p, ok := test.square.ChiSquareTest()
			if ok != test.defined || math.Abs(x2-test.x2) > 1e-9 || math.Abs(p-test.p) > 1e-12 {
				t.Errorf("got %v, %v, %t, want %v, %v, %t", x2, p, ok, test.x2, test.p, test.defined)
			}
		})
	}
}

// The chi-square statistic stays the same if rows are exchanged for columns, if the two rows are swapped, or if the
// two columns are swapped.
func TestChiSquareIsSymmetric(t *testing.T) {
	cell := rapid.IntRange(0, 5000)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c, d := cell.Draw(t, "a"), cell.Draw(t, "b"), cell.Draw(t, "c"), cell.Draw(t, "d")
		x2, p, ok := survey.ContingencyTable{{a, b}, {c, d}}.ChiSquareTest()
		if ok && (x2 < 0 || p < 0 || p > 1) {
			t.Fatalf("got %v, %v", x2, p)
		}
		for _, same := range []survey.ContingencyTable{{{a, c}, {b, d}}, {{b, a}, {d, c}}, {{c, d}, {a, b}}} {
			x2too, _, okToo := same.ChiSquareTest()
			if ok != okToo || math.Abs(x2-x2too) > 1e-9*(1+x2) {
				t.Fatalf("%v: got %v, %t, want %v, %t", same, x2too, okToo, x2, ok)
			}
		}
	})
}
