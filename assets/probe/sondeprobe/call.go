package sondeprobe

import "unsafe"

// The relations of two strings that the probed functions test.
const (
	Equal = iota
	HasPrefix
	HasSuffix
	Contains
	EqualFold
	Matches // a regular expression matches a string
)

// P calls a function that reports whether two strings have a relation, such as strings.HasPrefix.
func P(p, kind uint32, f func(a, b string) bool, a, b string) bool {
	r := f(a, b)
	if O(p) {
		recordRelation(p, kind, r, a, b)
	}
	return r
}

// PB is P for byte slices.
func PB(p, kind uint32, f func(a, b []byte) bool, a, b []byte) bool {
	r := f(a, b)
	if O(p) {
		recordRelation(p, kind, r, textOf(a), textOf(b))
	}
	return r
}

// CutEnd calls a function that cuts the prefix or suffix b off a, such as strings.CutPrefix.
func CutEnd[T string | []byte](p, kind uint32, f func(a, b T) (T, bool), a, b T) (T, bool) {
	rest, r := f(a, b)
	if O(p) {
		recordRelation(p, kind, r, string(a), string(b))
	}
	return rest, r
}

// CutAt calls a function that cuts a at b, such as strings.Cut.
func CutAt[T string | []byte](p, kind uint32, f func(a, b T) (T, T, bool), a, b T) (T, T, bool) {
	before, after, r := f(a, b)
	if O(p) {
		recordRelation(p, kind, r, string(a), string(b))
	}
	return before, after, r
}

func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// recordRelation records whether two strings had a relation.
func recordRelation(p, kind uint32, r bool, a, b string) {
	if record(p, r, relationDistance(p, kind, r, a, b)) {
		pairOf(p).recordTexts(p, Call+kind, a, b)
	}
}

// relationDistance returns the distance of a predicate from its other outcome. If the predicate is true, the distance
// is always 1, because most changes of the strings make it false. It is also 1 if it is not needed.
func relationDistance(p, kind uint32, r bool, a, b string) float64 {
	if r || !isDistanceNeeded(p, r) {
		return 1
	}
	return max(relationGap(kind, a, b), 1)
}

// relationGap returns how far two strings are from having a relation.
func relationGap(kind uint32, a, b string) float64 {
	switch kind {
	case HasPrefix:
		return equalDistance(a[:min(len(a), len(b))], b)
	case HasSuffix:
		return equalDistanceFromEnd(a[len(a)-min(len(a), len(b)):], b)
	case Contains:
		return containsDistance(a, b)
	case EqualFold:
		return equalDistance(lower(a), lower(b))
	}
	return equalDistance(a, b)
}

// Find calls a function that returns the index of b in a, such as strings.Index, and compares the index
// with n. If the comparison holds, the strings have the relation kind or, if negated is set, do not
// have it.
func Find(p, kind uint32, negated bool, op uint32, f func(a, b string) int, a, b string, n int) bool {
	r := outcome(op, relation(f(a, b), n))
	if O(p) {
		recordSearch(p, kind, negated, r, a, b)
	}
	return r
}

// FindB is Find for byte slices.
func FindB(p, kind uint32, negated bool, op uint32, f func(a, b []byte) int, a, b []byte, n int) bool {
	r := outcome(op, relation(f(a, b), n))
	if O(p) {
		recordSearch(p, kind, negated, r, textOf(a), textOf(b))
	}
	return r
}

func recordSearch(p, kind uint32, negated, r bool, a, b string) {
	d := 1.0
	if r == negated && isDistanceNeeded(p, r) {
		d = max(relationGap(kind, a, b), 1)
	}
	if record(p, r, d) {
		pairOf(p).recordTexts(p, Call+kind, a, b)
	}
}

// Order calls a function that compares two strings, such as strings.Compare, and compares the
// function's result with 0.
func Order(p, op uint32, f func(a, b string) int, a, b string) bool {
	r := outcome(op, relation(f(a, b), 0))
	if O(p) {
		recordOrder(p, op, r, a, b)
	}
	return r
}

// OrderB is Order for byte slices.
func OrderB(p, op uint32, f func(a, b []byte) int, a, b []byte) bool {
	r := outcome(op, relation(f(a, b), 0))
	if O(p) {
		recordOrder(p, op, r, textOf(a), textOf(b))
	}
	return r
}

// Pattern has the methods of *regexp.Regexp that probes use. This package cannot import regexp.
type Pattern interface {
	MatchString(string) bool
	String() string
}

// Re reports whether a regular expression matches s. It records the operands, but no distance.
func Re(p uint32, re Pattern, s string) bool {
	r := re.MatchString(s)
	if O(p) && record(p, r, 1) {
		pairOf(p).recordTexts(p, Call+Matches, s, re.String())
	}
	return r
}

// Is calls errors.Is. If the result is false, its distance from true is 2 if err is nil, and 1 if err is
// another error than target.
func Is(p uint32, f func(err, target error) bool, err, target error) bool {
	r := f(err, target)
	if O(p) {
		d := 1.0
		if !r && err == nil {
			d = 2
		}
		record(p, r, d)
	}
	return r
}

// Instant has the methods of time.Time that probes use. This package cannot import time.
type Instant[T any] interface {
	Before(T) bool
	After(T) bool
	Equal(T) bool
	Unix() int64
	Nanosecond() int
}

// Time compares two times: Lt is Before, Gt is After, Eq is Equal.
func Time[T Instant[T]](p, op uint32, a, b T) bool {
	var r bool
	switch op {
	case Lt:
		r = a.Before(b)
	case Gt:
		r = a.After(b)
	default:
		r = a.Equal(b)
	}
	if O(p) && record(p, r, timeDistance(op, r, secondsBetween(a, b))) {
		pairOf(p).recordTimes(p, op, instant(a), instant(b))
	}
	return r
}

// instant returns a time as seconds and nanoseconds.
func instant[T Instant[T]](t T) [2]int64 { return [2]int64{t.Unix(), int64(t.Nanosecond())} }

// timeDistance is like branchDistance with a nanosecond as the smallest difference.
func timeDistance(op uint32, r bool, gap float64) float64 {
	if op == Eq && !r {
		return gap
	}
	return gap + 1e-9
}

// secondsBetween returns the time between two instants in seconds.
func secondsBetween[T Instant[T]](a, b T) float64 {
	if a.Before(b) {
		a, b = b, a
	}
	return float64(a.Unix()-b.Unix()) + float64(a.Nanosecond()-b.Nanosecond())/1e9
}
