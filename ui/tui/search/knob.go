package search

import (
	"fmt"
	"math"
	"strconv"

	"sonde/model"
	"sonde/ui/words"
)

// knob is a parameter of the search that may be turned while it runs.
type knob struct {
	id     model.Knob
	name   string
	symbol string
	what   string // goes on where the value stops
	scale
	get func(model.Tuning) float64
}

// scale is the values that a knob has, and the steps by which it turns.
type scale struct {
	least, most  float64 // more than the most may be typed where it is a count
	coarse, fine float64
	digits       int // behind the point
}

// The steps by which a share turns.
const coarse, fine = 0.05, 0.01

var (
	shared  = scale{least: 0, most: 1, coarse: coarse, fine: fine, digits: 2}
	counted = scale{least: 1, most: 50, coarse: 5, fine: 1, digits: 0}
)

var knobs = []knob{
	{
		id: model.Smart, name: "smart", symbol: "P", what: "of new tests follow a template", scale: shared,
		get: func(t model.Tuning) float64 { return t.Smart },
	},
	{
		id: model.Random, name: "random", symbol: "P_r", what: "are new tests; falls to 0 by F", scale: shared,
		get: func(t model.Tuning) float64 { return t.Random },
	},
	{
		id: model.Focus, name: "focus", symbol: "F", what: "of the budget, then it refines", scale: shared,
		get: func(t model.Tuning) float64 { return t.Focus },
	},
	{
		id: model.Population, name: "popul.", symbol: "n", what: "tests a target keeps; 1 from F", scale: counted,
		get: func(t model.Tuning) float64 { return float64(t.Population) },
	},
	{
		id: model.Mutations, name: "mutate", symbol: "m", what: "times each new test; 10 from F", scale: counted,
		get: func(t model.Tuning) float64 { return float64(t.Mutations) },
	},
}

// turn moves a value up or down to the next multiple of the step.
func (s scale) turn(v float64, small, up bool) float64 {
	const slack = 1e-6 // 0.15/0.05 is not quite 3
	step := s.coarse
	if small {
		step = s.fine
	}
	n := math.Ceil(v/step-slack) - 1
	if up {
		n = math.Floor(v/step+slack) + 1
	}
	return max(s.least, min(math.Round(n*step*100)/100, s.most))
}

// show writes a value in four cells, such as 0.60.
func (s scale) show(v float64) string {
	if s.digits == 0 {
		return fmt.Sprintf("%4d", int(v))
	}
	return words.Share(v)
}

// short writes a value without what it need not say, such as .60.
func (s scale) short(v float64) string {
	if s.digits == 0 {
		return strconv.Itoa(int(v))
	}
	return short(v)
}

// parse reads a value that was typed.
func (s scale) parse(text string) (float64, error) {
	if s.digits == 0 {
		n, err := strconv.Atoi(text)
		if err != nil || n < int(s.least) || n > model.MaxCount {
			return 0, fmt.Errorf("%q is no count: type a whole number from %g to %d", text, s.least, model.MaxCount)
		}
		return float64(n), nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= s.least && v <= s.most) {
		return 0, fmt.Errorf("%q is no share: type a number from 0 to %g", text, s.most)
	}
	return v, nil
}

// share is where between its ends a value is, 0 to 1.
func (s scale) share(v float64) float64 { return (v - s.least) / (s.most - s.least) }

// equal reports whether two values are the same as far as they are shown.
func equal(a, b float64) bool { return math.Abs(a-b) < 0.005 }
