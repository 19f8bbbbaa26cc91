package gene

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

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
	lo, hi float64 // lo <= hi, both allowed
	step   float64 // values are its multiples; 0 for any value
	scale  float64 // 10^d where step has d decimals; 0 where that is too fine
	single bool    // single precision
}

func newDouble(in *interval) *Double {
	return &Double{interval: in, v: in.fit(0)}
}

// newInterval returns the values that the schema allows, at most ±limit where
// it says nothing. Constraints that leave nothing are given up.
func newInterval(limit float64, s *model.Schema) *interval {
	in := &interval{lo: -limit, hi: limit, single: limit < math.MaxFloat64}
	from, to := bounds(s)
	if from != nil {
		in.lo = *from
		in.hi = max(in.hi, in.lo)
	}
	if to != nil {
		in.hi = *to
		in.lo = min(in.lo, in.hi)
	}
	in.open(s.ExclusiveMin, s.ExclusiveMax)
	return in.multiples(s.MultipleOf)
}

// open takes the bounds themselves out, by an amount that people would take.
func (in *interval) open(low, high bool) {
	gap := min((in.hi-in.lo)/4, 0.01)
	lo, hi := in.lo, in.hi
	if low {
		lo = max(lo+gap, math.Nextafter(lo, math.MaxFloat64))
	}
	if high {
		hi = min(hi-gap, math.Nextafter(hi, -math.MaxFloat64))
	}
	if lo <= hi {
		in.lo, in.hi = lo, hi
	}
}

// multiples restricts the interval to the multiples of a number, if there are
// any in it.
func (in *interval) multiples(of *float64) *interval {
	if of == nil || !(*of > 0) || math.IsInf(*of, 0) {
		return in
	}
	if math.Ceil(in.lo / *of) > math.Floor(in.hi / *of) {
		return in
	}
	in.step = *of
	digits := strconv.FormatFloat(in.step, 'f', -1, 64)
	if _, decimals, _ := strings.Cut(digits, "."); len(decimals) <= 15 {
		in.scale = math.Pow10(len(decimals))
	}
	return in
}

// fit returns the allowed value next to v, or nearly so.
func (in *interval) fit(v float64) float64 {
	if math.IsNaN(v) {
		v = 0
	}
	v = min(max(v, in.lo), in.hi)
	switch {
	case in.step > 0:
		return in.multiple(v)
	case in.single:
		return in.shorten(v)
	}
	return v
}

// multiple returns a multiple of the step near v, with no more decimals than
// the step has: 3 times 0.1 is 0.3.
func (in *interval) multiple(v float64) float64 {
	k := math.Round(v / in.step)
	k = min(max(k, math.Ceil(in.lo/in.step)), math.Floor(in.hi/in.step))
	m := k * in.step
	if exact := math.Round(m * in.scale); in.scale > 0 && math.Abs(exact) < 1<<53 {
		m = exact / in.scale
	}
	return m
}

// shorten rounds v to single precision, if that is still allowed, and then to
// the shortest decimals that mean the same.
func (in *interval) shorten(v float64) float64 {
	var digits [32]byte
	short, err := strconv.ParseFloat(string(strconv.AppendFloat(digits[:0], v, 'g', -1, 32)), 64)
	if err != nil || short < in.lo || short > in.hi {
		return v
	}
	return short
}

// Sample draws a number within the constraints: a bound, a small one with two
// decimals, or any.
func (g *Double) Sample(r *rand.Rand) {
	switch n := r.IntN(20); {
	case n == 0:
		g.v = g.fit(g.lo)
	case n == 1:
		g.v = g.fit(g.hi)
	case n < 13:
		near := min(max(0, g.lo), g.hi)
		v := uniform(r, max(g.lo, near-10), min(g.hi, near+1000))
		g.v = g.fit(math.Round(v*100) / 100)
	case g.hi-g.lo < 1e15:
		g.v = g.fit(uniform(r, g.lo, g.hi))
	default:
		g.v = g.fit(r.NormFloat64() * float64(uint64(1)<<r.IntN(31)))
	}
}

// uniform returns a number from lo to hi.
func uniform(r *rand.Rand, lo, hi float64) float64 {
	return lo + r.Float64()*(hi-lo)
}

// Mutate adds ±2^i times a Gaussian value; i is 0 in a third of the cases,
// else any up to what the pace allows.
func (g *Double) Mutate(r *rand.Rand, p Pace) bool {
	old := g.v
	for range 8 {
		delta := r.NormFloat64() * g.reach(r, p)
		g.v = g.fit(old + delta)
		if g.v == g.lo || g.v == g.hi {
			g.v = g.fit(old - delta) // away from the bound
		}
		if g.v != old {
			return true
		}
	}
	g.v = g.fit(uniform(r, g.lo/2, g.hi/2) * 2)
	return g.v != old
}

// reach returns 2^i, in steps where the number has steps, and at most half of
// the interval.
func (g *Double) reach(r *rand.Rand, p Pace) float64 {
	reach := 1.0
	if !chance(r, 0.33) {
		reach = float64(uint64(1) << (1 + r.IntN(p.exponent())))
	}
	if g.step > 0 {
		reach *= g.step
	}
	return min(reach, max(g.hi/2-g.lo/2, g.step))
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

// Set takes a number within the bounds.
func (g *Double) Set(v any) bool {
	f, ok := number(v)
	if !ok || f < g.lo || f > g.hi || math.Abs(g.fit(f)-f) > 1e-6*math.Abs(f) {
		return false
	}
	g.v = f
	return true
}

// AppendJSON appends the shortest digits that mean the number, with an
// exponent where it is very large or small.
func (g *Double) AppendJSON(dst []byte) []byte {
	if a := math.Abs(g.v); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(dst, g.v, 'e', -1, 64)
	}
	return g.appendText(dst)
}

func (g *Double) appendText(dst []byte) []byte {
	return strconv.AppendFloat(dst, g.v, 'f', -1, 64)
}
