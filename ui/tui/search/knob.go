package search

import (
	"fmt"
	"math"
	"strconv"

	"sonde/model"
	"sonde/ui/words"
)

// knob is a parameter of the search that can be changed during a run.
type knob struct {
	id      model.Knob
	name    string
	brief   string // the name where there is little room, "" for name itself
	symbol  string
	meaning string // the text after the value
	scale
	get func(model.Tuning) float64
}

// about describes the knob.
func (k knob) about() string {
	return fmt.Sprintf("%s (%s): %s; it can be changed in a search that Sonde runs here", k.name, k.symbol, k.meaning)
}

// adjustment is the change of a value by an arrow key.
type adjustment struct{ fine, up bool }

// The adjustments of the arrow keys: coarse without shift, fine with shift.
var (
	coarseUp, coarseDown = adjustment{up: true}, adjustment{}
	fineUp, fineDown     = adjustment{fine: true, up: true}, adjustment{fine: true}
)

// scale is the range of the values of a knob, and the steps by which they change.
type scale struct {
	low, high    float64 // the user may type a count above high
	coarse, fine float64
	digits       int // number of digits after the decimal point
}

// The steps by which a share changes.
const coarse, fine = 0.05, 0.01

var (
	shared  = scale{low: 0, high: 1, coarse: coarse, fine: fine, digits: 2}
	counted = scale{low: 1, high: 50, coarse: 5, fine: 1, digits: 0}
)

var knobs = []knob{
	{
		id: model.KnobSmart, name: "smart", symbol: "P", meaning: "of new tests follow a template", scale: shared,
		get: func(t model.Tuning) float64 { return t.Smart },
	},
	{
		id: model.KnobRandom, name: "random", symbol: "P_r", meaning: "are new tests; falls to 0 by F", scale: shared,
		get: func(t model.Tuning) float64 { return t.Random },
	},
	{
		id: model.KnobFocus, name: "focus", symbol: "F", meaning: "of the budget, then it refines", scale: shared,
		get: func(t model.Tuning) float64 { return t.Focus },
	},
	{
		id: model.KnobPopulation, name: "population", brief: "popul.", symbol: "n",
		meaning: "tests a target keeps; 1 from F", scale: counted,
		get: func(t model.Tuning) float64 { return float64(t.Population) },
	},
	{
		id: model.KnobMutations, name: "mutate", symbol: "m", meaning: "times each new test; 10 from F", scale: counted,
		get: func(t model.Tuning) float64 { return float64(t.Mutations) },
	},
}

// adjusted returns the next multiple of the step that is above or below a value, within the range.
func (s scale) adjusted(v float64, a adjustment) float64 {
	const slack = 1e-6 // 0.15/0.05 is not quite 3
	step := s.coarse
	if a.fine {
		step = s.fine
	}
	n := math.Ceil(v/step-slack) - 1
	if a.up {
		n = math.Floor(v/step+slack) + 1
	}
	return max(s.low, min(math.Round(n*step*100)/100, s.high))
}

// at returns the multiple of the fine step that is nearest to a position in the range, from 0 to 1.
func (s scale) at(share float64) float64 {
	v := s.low + share*(s.high-s.low)
	return max(s.low, min(math.Round(math.Round(v/s.fine)*s.fine*100)/100, s.high))
}

// show formats a value in four cells, such as 0.60.
func (s scale) show(v float64) string {
	if s.digits == 0 {
		return fmt.Sprintf("%4d", int(v))
	}
	return words.Share(v)
}

// short formats a value. A fraction has no leading zero, as in .60.
func (s scale) short(v float64) string {
	if s.digits == 0 {
		return strconv.Itoa(int(v))
	}
	return short(v)
}

// parse parses a typed value.
func (s scale) parse(text string) (float64, error) {
	if s.digits == 0 {
		n, err := strconv.Atoi(text)
		if err != nil || n < int(s.low) || n > model.MaxCount {
			return 0, fmt.Errorf("%q is not a count: type a whole number from %g to %d", text, s.low, model.MaxCount)
		}
		return float64(n), nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= s.low && v <= s.high) {
		return 0, fmt.Errorf("%q is not a share: type a number from 0 to %g", text, s.high)
	}
	return v, nil
}

// share returns the position of a value in the range, from 0 to 1. A count above high has a position above 1.
func (s scale) share(v float64) float64 { return (v - s.low) / (s.high - s.low) }

// equal reports whether two values look the same on the screen.
func equal(a, b float64) bool { return math.Abs(a-b) < 0.005 }
