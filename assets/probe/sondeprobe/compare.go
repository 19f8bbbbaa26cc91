package sondeprobe

// The operators of a comparison.
const (
	Eq = iota
	Ne
	Lt
	Le
	Gt
	Ge
)

// Probes convert to these: the service may have given the names of basic types
// to something else.
type (
	Int64   = int64
	Uint64  = uint64
	Float32 = float32
	Float64 = float64
	String  = string
)

// outcome is what a comparison says. All three are false where one is no number.
func outcome(op uint32, less, equal, more bool) bool {
	switch op {
	case Eq:
		return equal
	case Ne:
		return !equal
	case Lt:
		return less
	case Le:
		return less || equal
	case Gt:
		return more
	default:
		return more || equal
	}
}

// across is how far a comparison is from its other outcome when its operands
// are a gap apart: the branch distance of the field, with K = 1.
func across(op uint32, r bool, gap float64) float64 {
	switch {
	case op == Eq && r, op == Ne && !r:
		return 1
	case op == Eq, op == Ne:
		return gap
	}
	strict := op == Lt || op == Gt
	if r == strict {
		return gap // to be equal is enough
	}
	return gap + 1
}

// I compares signed integers.
func I(p, op uint32, a, b int64) bool {
	r := outcome(op, a < b, a == b, a > b)
	if O(p) {
		set(p, r, across(op, r, gapI(a, b)))
	}
	return r
}

// gapI does not overflow.
func gapI(a, b int64) float64 {
	if a < b {
		a, b = b, a
	}
	return float64(uint64(a) - uint64(b))
}

// U compares unsigned integers.
func U(p, op uint32, a, b uint64) bool {
	r := outcome(op, a < b, a == b, a > b)
	if O(p) {
		set(p, r, across(op, r, gapU(a, b)))
	}
	return r
}

func gapU(a, b uint64) float64 {
	if a < b {
		a, b = b, a
	}
	return float64(a - b)
}

// F compares floating-point numbers.
func F(p, op uint32, a, b float64) bool {
	r := outcome(op, a < b, a == b, a > b)
	if O(p) {
		set(p, r, across(op, r, gapF(a, b)))
	}
	return r
}

func gapF(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	return a - b
}

// Number is what N compares.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

// N compares numbers of a type parameter.
func N[T Number](p, op uint32, a, b T) bool {
	r := outcome(op, a < b, a == b, a > b)
	if O(p) {
		set(p, r, across(op, r, gapF(float64(a), float64(b))))
	}
	return r
}

// Text compares strings.
func Text(p, op uint32, a, b string) bool {
	r := outcome(op, a < b, a == b, a > b)
	if O(p) {
		d := 1.0
		if wanted(p, r) {
			d = acrossText(op, r, a, b)
		}
		set(p, r, d)
	}
	return r
}

func acrossText(op uint32, r bool, a, b string) float64 {
	if op == Eq || op == Ne {
		return across(op, r, aligned(a, b))
	}
	return across(op, r, order(a, b))
}
