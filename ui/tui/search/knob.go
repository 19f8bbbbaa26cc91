package search

import (
	"math"

	"sonde/model"
)

// knob is a parameter of the search that may be turned, also while it runs.
type knob struct {
	name, symbol string
	what         string // goes on where the value stops
	get          func(model.Tuning) float64
	set          func(*model.Tuning, float64)
}

var knobs = []knob{
	{
		"smart", "P", "of new tests follow a template",
		func(t model.Tuning) float64 { return t.Smart },
		func(t *model.Tuning, v float64) { t.Smart = v },
	},
	{
		"random", "P_r", "are new tests; falls to 0 by F",
		func(t model.Tuning) float64 { return t.Random },
		func(t *model.Tuning, v float64) { t.Random = v },
	},
	{
		"focus", "F", "of the budget, then it refines",
		func(t model.Tuning) float64 { return t.Focus },
		func(t *model.Tuning, v float64) { t.Focus = v },
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
