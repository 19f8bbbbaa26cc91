package gene

import (
	"math"
	"strconv"
	"strings"
)

// grid is the set of multiples of a number from first*step to last*step.
type grid struct {
	step        float64
	scale       float64 // 10^d for a step with d decimals; 0 if there are too many
	first, last float64 // whole numbers
}

// newGrid returns the multiples of a number, nil if the number is nil or not a valid step.
func newGrid(of *float64) *grid {
	if of == nil || !(*of > 0) || *of > math.MaxFloat64/2 {
		return nil
	}
	g := &grid{step: *of}
	digits := strconv.FormatFloat(g.step, 'f', -1, 64)
	if _, decimals, _ := strings.Cut(digits, "."); len(decimals) <= 15 {
		g.scale = math.Pow10(len(decimals))
	}
	return g
}

// narrow restricts the grid to an interval, and to multiples that are exact. It returns false if no multiple is
// left.
func (g *grid) narrow(lo, hi float64) bool {
	const exact = 1 << 50
	g.first = math.Ceil(max(lo/g.step, -exact)) - 1
	g.last = math.Floor(min(hi/g.step, exact)) + 1
	for g.first <= g.last && g.at(g.first) < lo { // the division may be off by one
		g.first++
	}
	for g.first <= g.last && g.at(g.last) > hi {
		g.last--
	}
	return g.first <= g.last
}

// at returns k times the step, with no more decimals than the step has. For example, 3 times 0.1 is 0.3.
func (g *grid) at(k float64) float64 {
	m := k * g.step
	if scaled := math.Round(m * g.scale); g.scale > 0 && math.Abs(scaled) < 1<<53 {
		m = scaled / g.scale
	}
	return m
}

// near returns the multiple nearest to v.
func (g *grid) near(v float64) float64 {
	return g.at(min(max(math.Round(v/g.step), g.first), g.last))
}
