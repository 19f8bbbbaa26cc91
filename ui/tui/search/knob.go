package search

import (
	"math"

	"sonde/model"
)

// knob is a parameter of the search that may be turned, also while it runs.
type knob struct {
	id     model.Knob // its name, too
	symbol string
	what   string // goes on where the value stops
	get    func(model.Tuning) float64
}

var knobs = []knob{
	{
		model.Smart, "P", "of new tests follow a template",
		func(t model.Tuning) float64 { return t.Smart },
	},
	{
		model.Random, "P_r", "are new tests; falls to 0 by F",
		func(t model.Tuning) float64 { return t.Random },
	},
	{
		model.Focus, "F", "of the budget, then it refines",
		func(t model.Tuning) float64 { return t.Focus },
	},
}

// The steps by which a knob turns.
const coarse, fine = 0.05, 0.01

// turn moves a share up or down to the next multiple of step, from 0 to 1.
func turn(v, step float64, up bool) float64 {
	const slack = 1e-6 // 0.15/0.05 is not quite 3
	n := math.Ceil(v/step-slack) - 1
	if up {
		n = math.Floor(v/step+slack) + 1
	}
	return max(0, min(math.Round(n*step*100)/100, 1))
}

// equal tells whether two shares are the same as far as they are shown.
func equal(a, b float64) bool { return math.Abs(a-b) < 0.005 }
