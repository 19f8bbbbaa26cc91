package sondeprobe

// The probes of this file watch operations that panic for some operands. Such an operation is a predicate: it is true
// if the operation does not panic. The operation itself remains in the service. So does its run-time error, because a
// probe runs before the operation and does not change its operands.

// Integer is any type of integers.
type Integer interface{ Signed | Unsigned }

// Int is int under a name that the service cannot have redefined.
type Int = int

// Len is len for slices.
func Len[S ~[]E, E any](s S) int { return len(s) }

// Cap is cap for slices.
func Cap[S ~[]E, E any](s S) int { return cap(s) }

// Length is len for strings.
func Length[S ~string](s S) int { return len(s) }

// At records an index i that must be below n. It returns 0, which the service adds to the index. The compiler removes
// the addition, so that it can still prove that an index is in range.
func At(p uint32, i, n int) int {
	if O(p) {
		recordIndex(p, i, n, true)
	}
	return 0
}

// AtN is At for all types of integers.
func AtN[T Integer](p uint32, i T, n int) T {
	if O(p) {
		recordIndex(p, saturated(i), n, true)
	}
	return 0
}

// AtFixed is At for a constant index, which is out of range only if n is small. isText reports whether n is the length
// of a string.
func AtFixed(p uint32, i, n int, isText bool) int {
	if O(p) {
		recordIndex(p, i, n, isText)
	}
	return 0
}

// InRange is At for an index that cannot be evaluated twice, and returns the index.
func InRange[T Integer](p uint32, i T, n int) T {
	if O(p) {
		recordIndex(p, saturated(i), n, true)
	}
	return i
}

// The forms of an access to a list x that cannot be evaluated twice. A form is a sum of these numbers.
const (
	Fixed      = 1 // the index is a constant
	Bound      = 2 // the index is a bound of a slice expression, and may be equal to the limit
	ToCapacity = 4 // the limit of the index is cap(x), and not len(x)
)

// Elem records an index of a slice, and returns the slice.
func Elem[S ~[]E, E any](p uint32, s S, i int, form uint32) S {
	if O(p) {
		n := len(s)
		if form&ToCapacity != 0 {
			n = cap(s)
		}
		recordIndex(p, i, n+int(form&Bound)/Bound, form&Fixed == 0)
	}
	return s
}

// Char is Elem for strings.
func Char[S ~string](p uint32, s S, i int, form uint32) S {
	if O(p) {
		recordIndex(p, i, len(s)+int(form&Bound)/Bound, true)
	}
	return s
}

// saturated returns an integer as an int, or the greatest int if the integer is greater.
func saturated[T Integer](i T) int {
	const greatest = int(^uint(0) >> 1)
	if i > 0 && uint64(i) > uint64(greatest) {
		return greatest
	}
	return int(i)
}

// recordIndex records whether an index i is in range, which means that 0 <= i < n. For an index in range, the
// distance from a panic is the distance from n. The distance from -1 does not count: a search finds negative numbers
// without it, and 0 would seem near to a panic even if the service has refused negative numbers before. hasPair says
// whether the operands are recorded. They are not if i is a constant and n is the length of a slice, because a
// request most likely has neither.
func recordIndex(p uint32, i, n int, hasPair bool) {
	r, d := i >= 0 && i < n, -float64(i)
	if i >= 0 {
		d = branchDistance(Lt, r, gapI(int64(i), int64(n)))
	}
	if record(p, r, d) && hasPair {
		pairOf(p).recordNumbers(p, Ints, Lt, uint64(i), uint64(n))
	}
}

// Divisor records the divisor of an integer division. It returns 0, which the service adds to the divisor.
func Divisor[T Integer](p uint32, v T) T {
	if O(p) {
		recordDivisor(p, v)
	}
	return 0
}

// DividedBy is Divisor for a divisor that cannot be evaluated twice, and returns the divisor.
func DividedBy[T Integer](p uint32, v T) T {
	if O(p) {
		recordDivisor(p, v)
	}
	return v
}

func recordDivisor[T Integer](p uint32, v T) {
	d, kind := float64(v), uint32(Ints)
	switch minusOne := T(0) - 1; {
	case v == 0:
		d = 1
	case d < 0:
		d = -d
	case minusOne > 0:
		kind = Uints
	}
	if record(p, v != 0, d) {
		pairOf(p).recordNumbers(p, kind, Ne, uint64(v), 0)
	}
}

// Pointer records whether a pointer is nil, and returns the pointer.
func Pointer[T any](p uint32, v *T) *T {
	if O(p) {
		record(p, v != nil, 1)
	}
	return v
}

// NotNil is Pointer for a condition: it returns false.
func NotNil[T any](p uint32, v *T) bool {
	if O(p) {
		record(p, v != nil, 1)
	}
	return false
}

// Map records whether a map is nil, and returns the map.
func Map[M ~map[K]V, K comparable, V any](p uint32, m M) M {
	if O(p) {
		record(p, m != nil, 1)
	}
	return m
}

// As records whether the dynamic type of an interface value is T, or implements T, and returns the value. If it is
// not so, the distance is 2 for nil, and 1 for a value of another type.
func As[T, I any](p uint32, v I) I {
	if O(p) {
		_, r := any(v).(T)
		d := 1.0
		if !r && any(v) == nil {
			d = 2
		}
		record(p, r, d)
	}
	return v
}
