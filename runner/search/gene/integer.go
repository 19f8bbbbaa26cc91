package gene

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"strconv"

	"sonde/model"
)

// Integer is a whole number, of 32 bits unless its schema says otherwise.
type Integer struct {
	*span
	at int64 // the number, in multiples of span.step
}

// Long is a whole number of 64 bits.
type Long struct{ Integer }

// span is the range of a whole number: the multiples of step from lo*step to
// hi*step, lo <= hi.
type span struct {
	lo, hi, step int64
	uniform      bool // see NewUniform
}

func newInteger(s *span) *Integer {
	return &Integer{span: s, at: min(max(0, s.lo), s.hi)}
}

// newSpan narrows the range of a number format, lo to hi, to the schema's constraints. If the constraints leave
// no number, it drops some of them.
func newSpan(lo, hi int64, s *model.Schema) *span {
	from, to := bounds(s)
	low, high := lo, hi
	if from != nil {
		low = max(low, saturate(math.Ceil(*from)))
		if s.ExclusiveMin && math.Ceil(*from) == *from {
			low = addSaturating(low, 1)
		}
	}
	if to != nil {
		high = min(high, saturate(math.Floor(*to)))
		if s.ExclusiveMax && math.Floor(*to) == *to {
			high = addSaturating(high, -1)
		}
	}
	if low > high {
		low, high = outside(from, to)
	}
	return (&span{lo: low, hi: high, step: 1}).multiples(s.MultipleOf)
}

// bounds returns the bounds of a schema, nil for none. It swaps bounds that are in the wrong order.
func bounds(s *model.Schema) (from, to *float64) {
	if s.Min != nil && s.Max != nil && *s.Min > *s.Max {
		return s.Max, s.Min
	}
	return s.Min, s.Max
}

// outside returns the range for constraints that no number of the format fulfils. The schema's bounds then
// take precedence over the format, and exclusive bounds are treated as inclusive.
func outside(from, to *float64) (low, high int64) {
	if from == nil {
		high = saturate(math.Floor(*to))
		return high, high
	}
	low = saturate(math.Ceil(*from))
	if to == nil {
		return low, low
	}
	return low, max(low, saturate(math.Floor(*to)))
}

// multiples restricts the span to the multiples of a number, if the span contains any.
func (s *span) multiples(of *float64) *span {
	step := wholeStep(of)
	if step == 1 {
		return s
	}
	low, high := s.lo/step, s.hi/step // towards zero
	if s.lo > 0 && s.lo%step != 0 {
		low++
	}
	if s.hi < 0 && s.hi%step != 0 {
		high--
	}
	if low > high {
		return s
	}
	return &span{lo: low, hi: high, step: step}
}

// wholeStep returns the smallest whole multiple of a number, such as 5 for 2.5. It returns 1 if the number is nil
// or has no small whole multiple.
func wholeStep(of *float64) int64 {
	if of == nil || !(*of > 0) {
		return 1
	}
	for n := 1.0; n <= 1000; n++ {
		step := n * *of
		if step == math.Trunc(step) && step < 1<<62 {
			return int64(step)
		}
	}
	return 1
}

// saturate converts f to the nearest int64.
func saturate(f float64) int64 {
	switch {
	case f >= 1<<63:
		return math.MaxInt64
	case f < -(1 << 63):
		return math.MinInt64
	}
	return int64(f)
}

// addSaturating adds without wrapping around.
func addSaturating(a, b int64) int64 {
	sum := a + b
	switch {
	case b > 0 && sum < a:
		return math.MaxInt64
	case b < 0 && sum > a:
		return math.MinInt64
	}
	return sum
}

// between returns a number from lo to hi, both included.
func between(r *rand.Rand, lo, hi int64) int64 {
	width := uint64(hi) - uint64(lo)
	if width == math.MaxUint64 {
		return int64(r.Uint64())
	}
	return int64(uint64(lo) + r.Uint64N(width+1))
}

// Sample draws a number within the constraints. Unless the gene is uniform, it draws numbers near zero more often,
// because services mostly use them, and also the bounds.
func (g *Integer) Sample(r *rand.Rand) {
	if g.uniform {
		g.at = between(r, g.lo, g.hi)
		return
	}
	near := min(max(0, g.lo), g.hi)
	switch n := r.IntN(40); {
	case n == 0:
		g.at = g.lo
	case n == 1:
		g.at = g.hi
	case n < 25:
		g.at = between(r, max(g.lo, addSaturating(near, -10)), min(g.hi, addSaturating(near, 100)))
	default:
		g.at = between(r, g.lo, g.hi)
	}
}

// MutateValue adds or subtracts 2^i steps. i is random, at most the maximum of the pace, and small enough for the
// range. A value beyond a bound is reflected at the bound.
func (g *Integer) MutateValue(r *rand.Rand, p Pace) bool {
	if g.lo == g.hi {
		return false
	}
	width := uint64(g.hi) - uint64(g.lo)
	delta := uint64(1) << r.IntN(min(p.orStart().greatest, bits.Len64(width)-1)+1)
	if r.IntN(2) == 0 {
		g.at = up(g.at, g.hi, delta)
	} else {
		g.at = ^up(^g.at, ^g.lo, delta) // ^ reverses the number line
	}
	return true
}

// up returns at+delta, reflected at hi if the sum is greater. The result is never equal to at.
func up(at, hi int64, delta uint64) int64 {
	room := uint64(hi) - uint64(at)
	switch {
	case delta <= room:
		return int64(uint64(at) + delta)
	case delta == 2*room:
		return hi
	}
	return int64(uint64(hi) - (delta - room))
}

// Clone returns a copy.
func (g *Integer) Clone() Gene {
	c := *g
	return &c
}

// Clone returns a copy.
func (g *Long) Clone() Gene {
	c := *g
	return &c
}

// SetValue accepts a whole number within the constraints.
func (g *Integer) SetValue(v any) bool {
	n, ok := whole(v)
	if !ok || n%g.step != 0 || n/g.step < g.lo || n/g.step > g.hi {
		return false
	}
	g.at = n / g.step
	return true
}

// AppendJSON appends the number in decimal digits.
func (g *Integer) AppendJSON(dst []byte) []byte {
	return strconv.AppendInt(dst, g.value(), 10)
}

func (g *Integer) value() int64 { return g.at * g.step }
