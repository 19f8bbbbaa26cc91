package sondeprobe

// maxCompared is the maximum number of bytes of a string that are compared.
const maxCompared = 1024

// byteWeight is the distance of one byte that a string is too long or too short.
const byteWeight = 65536

// equalDistance returns how far two strings are from being equal: the sum of the differences of their
// bytes, which are compared from the left, and the difference of the lengths times byteWeight.
func equalDistance(a, b string) float64 {
	n := min(len(a), len(b))
	d := gapI(int64(len(a)), int64(len(b))) * byteWeight
	for i := range min(n, maxCompared) {
		d += gapI(int64(a[i]), int64(b[i]))
	}
	if d == 0 && a != b {
		return 1 // the strings differ after the part that is compared
	}
	return d
}

// equalDistanceFromEnd is like equalDistance, but compares the bytes from the right.
func equalDistanceFromEnd(a, b string) float64 {
	n := min(len(a), len(b))
	return equalDistance(a[len(a)-n:], b[len(b)-n:]) + gapI(int64(len(a)), int64(len(b)))*byteWeight
}

// orderDistance returns how far two strings are from the opposite order. The distance falls as their common
// prefix grows, and then as the difference of the next bytes falls.
func orderDistance(a, b string) float64 {
	if a == b {
		return 0
	}
	n, k := min(len(a), len(b), maxCompared), 0
	for k < n && a[k] == b[k] {
		k++
	}
	return float64(maxCompared-k) + prefixDifference(a[k:], b[k:])
}

// prefixDifference returns the difference of the first four bytes of two strings, in [0,1). A missing byte
// is less than any byte.
func prefixDifference(a, b string) float64 {
	d, weight := 0.0, 1.0
	for i := range 4 {
		weight /= 257
		d += weight * float64(byteValueAt(a, i)-byteValueAt(b, i))
	}
	if d < 0 {
		return -d
	}
	return d
}

func byteValueAt(s string, i int) int {
	if i < len(s) {
		return int(s[i]) + 1
	}
	return 0
}

// containsDistance returns how far s is from containing sub: the distance of the nearest part of s that has the length
// of sub. If s is not longer than sub, it is the distance of s itself.
func containsDistance(s, sub string) float64 {
	if len(s) <= len(sub) {
		return equalDistance(s, sub)
	}
	d := Far
	for i := 0; i+len(sub) <= len(s) && i < maxCompared; i++ {
		d = min(d, equalDistance(s[i:i+len(sub)], sub))
	}
	return d
}

// lower returns the first maxCompared bytes of a string, with their ASCII letters in lower case.
func lower(s string) string {
	b := []byte(s[:min(len(s), maxCompared)])
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
