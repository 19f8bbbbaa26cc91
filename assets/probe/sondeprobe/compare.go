package sondeprobe

// The operators of a comparison: 1 stands for less, 2 for equal, 4 for more.
const (
	Lt = 1
	Eq = 2
	Le = Lt | Eq
	Gt = 4
	Ne = Lt | Gt
	Ge = Gt | Eq
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

// relation is how two values are to each other, as an operator; 0 where one is no
// number.
func relation[T Number | ~string](a, b T) uint32 {
	switch {
	case a < b:
		return Lt
	case a == b:
		return Eq
	case a > b:
		return Gt
	}
	return 0
}

// outcome is what a comparison says.
func outcome(op, relation uint32) bool { return op&relation != 0 || op == Ne && relation == 0 }

// across is how far a comparison is from its other outcome when its operands
// are a gap apart: the branch distance of the field, with K = 1.
func across(op uint32, r bool, gap float64) float64 {
	if r == (op&Eq != 0) {
		return gap + 1
	}
	return gap // to be equal is enough
}

// I compares signed integers.
func I(p, op uint32, a, b int64) bool {
	r := outcome(op, relation(a, b))
	if O(p) {
		if q := quality(across(op, r, gapI(a, b))); news(p, r, q) {
			setI(p, op, r, q, a, b)
		} else {
			tire(p)
		}
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
	r := outcome(op, relation(a, b))
	if O(p) {
		if q := quality(across(op, r, gapU(a, b))); news(p, r, q) {
			setU(p, op, r, q, a, b)
		} else {
			tire(p)
		}
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
	r := outcome(op, relation(a, b))
	if O(p) {
		if q := quality(across(op, r, gapF(a, b))); news(p, r, q) {
			setF(p, op, r, q, a, b)
		} else {
			tire(p)
		}
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
	r := outcome(op, relation(a, b))
	if x, y := float64(a), float64(b); O(p) && learn(p, r, across(op, r, gapF(x, y))) {
		pairOf(p).bits(p, Floats, op, float(x), float(y))
	}
	return r
}

// Text compares strings.
func Text(p, op uint32, a, b string) bool {
	r := outcome(op, relation(a, b))
	if O(p) {
		ordered(p, op, r, a, b)
	}
	return r
}

// ordered records what a comparison of two texts said.
func ordered(p, op uint32, r bool, a, b string) {
	d := 1.0
	if wanted(p, r) {
		d = acrossText(op, r, a, b)
	}
	if learn(p, r, d) {
		pairOf(p).texts(p, op, a, b)
	}
}

func acrossText(op uint32, r bool, a, b string) float64 {
	if op == Eq || op == Ne {
		return across(op, r, aligned(a, b))
	}
	return across(op, r, order(a, b))
}

// Ordered compares values of a type parameter that may be numbers or strings.
func Ordered[T Number | ~string](p, op uint32, a, b T) bool {
	r := outcome(op, relation(a, b))
	if O(p) && learn(p, r, acrossAny(op, r, a, b)) {
		tellAny(p, op, a, b)
	}
	return r
}

// acrossAny knows the types that such parameters mostly stand for.
func acrossAny(op uint32, r bool, a, b any) float64 {
	switch a := a.(type) {
	case string:
		return acrossText(op, r, a, b.(string))
	case int:
		return across(op, r, gapI(int64(a), int64(b.(int))))
	case int64:
		return across(op, r, gapI(a, b.(int64)))
	case float64:
		return across(op, r, gapF(a, b.(float64)))
	}
	return 1
}

// tellAny tells of the operands of acrossAny.
func tellAny(p, op uint32, a, b any) {
	switch a := a.(type) {
	case string:
		pairOf(p).texts(p, op, a, b.(string))
	case int:
		pairOf(p).bits(p, Ints, op, uint64(a), uint64(b.(int)))
	case int64:
		pairOf(p).bits(p, Ints, op, uint64(a), uint64(b.(int64)))
	case float64:
		pairOf(p).bits(p, Floats, op, float(a), float(b.(float64)))
	}
}
