package gene

import (
	"math"
	"math/rand/v2"
	"strconv"

	"sonde/model"
)

// Double is a number of double precision. It is always finite.
type Double struct {
	*interval
	v float64
}

// Float is a number of single precision. It is always finite.
type Float struct{ Double }

// interval is the range of a real number.
type interval struct {
	least, most float64 // the allowed range
	lo, hi      float64 // the sampled range: lo <= hi
	single      bool    // single precision
	uniform     bool    // see NewUniform
	grid        *grid   // nil for any value
}

func newDouble(in *interval) *Double {
	return &Double{interval: in, v: in.fit(0)}
}

// newInterval returns the numbers that a schema allows, from -limit to limit if the schema has no bounds. single is
// true for numbers of single precision. If the constraints leave no number, newInterval drops some of them.
func newInterval(limit float64, single bool, s *model.Schema) *interval {
	in := &interval{lo: -limit, hi: limit, single: single}
	from, to := bounds(s)
	if from != nil {
		in.lo = *from
		in.hi = max(in.hi, in.lo)
	}
	if to != nil {
		in.hi = *to
		in.lo = min(in.lo, in.hi)
	}
	in.grid = newGrid(s.MultipleOf)
	in.open(s.ExclusiveMin, s.ExclusiveMax)
	if in.grid != nil && !in.grid.narrow(in.lo, in.hi) {
		in.grid = nil
	}
	return in
}

// open excludes the lower bound if low is true, and the upper bound if high is true. Sampled numbers keep a distance
// from an excluded bound, normally 0.01.
func (in *interval) open(low, high bool) {
	gap := min((in.hi-in.lo)/4, 0.01)
	if in.grid != nil {
		gap = min(gap, in.grid.step/2)
	}
	lo, hi := in.lo, in.hi
	in.least, in.most = lo, hi
	if low {
		in.least = math.Nextafter(lo, math.MaxFloat64)
		lo = max(lo+gap, in.least)
	}
	if high {
		in.most = math.Nextafter(hi, -math.MaxFloat64)
		hi = min(hi-gap, in.most)
	}
	if lo <= hi {
		in.lo, in.hi = lo, hi
	}
}

// fit returns the allowed value nearest to v, approximately.
func (in *interval) fit(v float64) float64 {
	v = min(max(v, in.lo), in.hi)
	switch {
	case in.grid != nil:
		return in.grid.near(v)
	case in.single:
		return in.shorten(v)
	}
	return v
}

// allows reports whether v satisfies the constraints.
func (in *interval) allows(v float64) bool {
	if v < in.least || v > in.most {
		return false
	}
	return in.grid == nil || math.Abs(in.grid.near(v)-v) <= 1e-9*math.Abs(v)
}

// shorten rounds v to the shortest decimal number of single precision, if that number is still allowed.
func (in *interval) shorten(v float64) float64 {
	var digits [32]byte
	short, err := strconv.ParseFloat(string(strconv.AppendFloat(digits[:0], v, 'g', -1, 32)), 64)
	if err != nil || short < in.lo || short > in.hi {
		return v
	}
	return short
}

// Sample draws a number within the constraints: a bound, a small number with two decimals, or any number. A uniform gene
// draws any number.
func (g *Double) Sample(r *rand.Rand) {
	if g.uniform {
		g.v = g.fit(uniform(r, g.lo, g.hi))
		return
	}
	switch n := r.IntN(20); {
	case n == 0 && g.lo > -1e15:
		g.v = g.fit(g.lo)
	case n == 1 && g.hi < 1e15:
		g.v = g.fit(g.hi)
	case n < 13:
		near := min(max(0, g.lo), g.hi)
		v := uniform(r, max(g.lo, near-10), min(g.hi, near+1000))
		g.v = g.fit(math.Round(v*100) / 100)
	case g.hi-g.lo < 1e15:
		g.v = g.fit(uniform(r, g.lo, g.hi))
	default:
		g.v = g.far(r)
	}
}

// far returns a number of any magnitude up to about 2^31, counted from zero or from the nearest bound.
func (g *Double) far(r *rand.Rand) float64 {
	delta := r.NormFloat64() * float64(uint64(1)<<r.IntN(31))
	near := min(max(0, g.lo), g.hi)
	if v := near + delta; v < g.lo || v > g.hi {
		delta = -delta
	}
	return g.fit(near + delta)
}

func uniform(r *rand.Rand, lo, hi float64) float64 {
	return lo + r.Float64()*(hi-lo)
}

// MutateValue adds a random number with a normal distribution, multiplied by 2^i. The pace decides how often i is 0,
// and how great i can be.
func (g *Double) MutateValue(r *rand.Rand, p Pace) bool {
	old := g.v
	for range 8 {
		delta := r.NormFloat64() * g.reach(r, p)
		g.v = g.fit(old + delta)
		if g.v == old || g.v == g.lo || g.v == g.hi {
			g.v = g.fit(old - delta) // away from the bound
		}
		if g.v != old {
			return true
		}
	}
	g.v = g.fit(uniform(r, g.lo/2, g.hi/2) * 2)
	return g.v != old
}

// reach returns the factor of a mutation (section 4.2): 1 with the probability of the pace, and otherwise 2^i with a
// random i from 1 to the greatest i of the pace. If the number has a step, the factor is 2^i steps, at least one step.
// The factor is at most half of the interval.
func (g *Double) reach(r *rand.Rand, p Pace) float64 {
	p = p.orStart()
	reach := 1.0
	if !chance(r, p.unit) {
		reach = float64(uint64(1) << (1 + r.IntN(p.greatest)))
	}
	half := g.hi/2 - g.lo/2
	if g.grid != nil {
		return min(reach*g.grid.step, max(half, g.grid.step))
	}
	return min(reach, half)
}

// Clone returns a copy.
func (g *Double) Clone() Gene {
	c := *g
	return &c
}

// Clone returns a copy.
func (g *Float) Clone() Gene {
	c := *g
	return &c
}

// SetValue accepts a number within the constraints.
func (g *Double) SetValue(v any) bool {
	f, ok := number(v)
	if !ok || !g.allows(f) {
		return false
	}
	g.v = f
	return true
}

// AppendJSON appends the shortest decimal that represents the number, with an exponent if it is very
// large or very small.
func (g *Double) AppendJSON(dst []byte) []byte {
	if a := math.Abs(g.v); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(dst, g.v, 'e', -1, 64)
	}
	return g.appendText(dst)
}

func (g *Double) appendText(dst []byte) []byte {
	return strconv.AppendFloat(dst, g.v, 'f', -1, 64)
}
