package sondeprobe

// The operators of comparisons. An operator is a sum of relations: 1 for less, 2 for equal, 4 for
// greater.
const (
	Lt = 1
	Eq = 2
	Le = Lt | Eq
	Gt = 4
	Ne = Lt | Gt
	Ge = Gt | Eq
)

// Basic types under names that the service cannot have redefined.
type (
	// Int64 is int64.
	Int64 = int64
	// Uint64 is uint64.
	Uint64 = uint64
	// Float32 is float32.
	Float32 = float32
	// Float64 is float64.
	Float64 = float64
	// String is string.
	String = string
)

// relation returns the relation of two values: Lt, Eq or Gt, or 0 if one of them is NaN.
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

// outcome returns the result of a comparison whose operands have a relation.
func outcome(op, relation uint32) bool { return op&relation != 0 || op == Ne && relation == 0 }

// branchDistance returns the distance of a comparison, which had the result r, from its other outcome. The
// operands differ by gap. It is the branch distance of search-based testing with K = 1 (the
// EvoMaster paper, section 4.3).
func branchDistance(op uint32, r bool, gap float64) float64 {
	if r == (op&Eq != 0) {
		return gap + 1
	}
	return gap // equal operands have the other outcome
}

// I compares signed integers.
func I(p, op uint32, a, b int64) bool {
	r := outcome(op, relation(a, b))
	if O(p) {
		if q := quality(branchDistance(op, r, gapI(a, b))); isNews(p, r, q) {
			setI(p, op, r, q, a, b)
		} else {
			countWithoutNews(p)
		}
	}
	return r
}

// gapI returns the difference of two integers. It does not overflow.
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
		if q := quality(branchDistance(op, r, gapU(a, b))); isNews(p, r, q) {
			setU(p, op, r, q, a, b)
		} else {
			countWithoutNews(p)
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
		if q := quality(branchDistance(op, r, gapF(a, b))); isNews(p, r, q) {
			setF(p, op, r, q, a, b)
		} else {
			countWithoutNews(p)
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

// Number is any type that N compares.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

// N compares numbers whose type is a type parameter.
func N[T Number](p, op uint32, a, b T) bool {
	r := outcome(op, relation(a, b))
	if x, y := float64(a), float64(b); O(p) && record(p, r, branchDistance(op, r, gapF(x, y))) {
		pairOf(p).recordNumbers(p, Floats, op, floatBits(x), floatBits(y))
	}
	return r
}

// Text compares strings.
func Text(p, op uint32, a, b string) bool {
	r := outcome(op, relation(a, b))
	if O(p) {
		recordOrder(p, op, r, a, b)
	}
	return r
}

// recordOrder records the result r of a comparison of two strings.
func recordOrder(p, op uint32, r bool, a, b string) {
	d := 1.0
	if isDistanceNeeded(p, r) {
		d = textDistance(op, r, a, b)
	}
	if record(p, r, d) {
		pairOf(p).recordTexts(p, op, a, b)
	}
}

func textDistance(op uint32, r bool, a, b string) float64 {
	if op == Eq || op == Ne {
		return branchDistance(op, r, equalDistance(a, b))
	}
	return branchDistance(op, r, orderDistance(a, b))
}

// Ordered compares values whose type is a type parameter for numbers and strings.
func Ordered[T Number | ~string](p, op uint32, a, b T) bool {
	r := outcome(op, relation(a, b))
	if O(p) && record(p, r, anyDistance(op, r, a, b)) {
		recordAnyOperands(p, op, a, b)
	}
	return r
}

// anyDistance is branchDistance for the types that are most frequent with Ordered. For other types it
// returns 1.
func anyDistance(op uint32, r bool, a, b any) float64 {
	switch a := a.(type) {
	case string:
		return textDistance(op, r, a, b.(string))
	case int:
		return branchDistance(op, r, gapI(int64(a), int64(b.(int))))
	case int64:
		return branchDistance(op, r, gapI(a, b.(int64)))
	case float64:
		return branchDistance(op, r, gapF(a, b.(float64)))
	}
	return 1
}

// recordAnyOperands records two operands, if their type is one for which anyDistance computes distances.
func recordAnyOperands(p, op uint32, a, b any) {
	switch a := a.(type) {
	case string:
		pairOf(p).recordTexts(p, op, a, b.(string))
	case int:
		pairOf(p).recordNumbers(p, Ints, op, uint64(a), uint64(b.(int)))
	case int64:
		pairOf(p).recordNumbers(p, Ints, op, uint64(a), uint64(b.(int64)))
	case float64:
		pairOf(p).recordNumbers(p, Floats, op, floatBits(a), floatBits(b.(float64)))
	}
}
