package sondeprobe

// maxLen is how many bytes of two texts are compared.
const maxLen = 1024

// aSize is what a missing byte costs more than a wrong one.
const aSize = 65536

// aligned is how far two texts are from being equal: their bytes compared from
// the left, and the difference of their lengths.
func aligned(a, b string) float64 {
	n := min(len(a), len(b))
	d := gapI(int64(len(a)), int64(len(b))) * aSize
	for i := range min(n, maxLen) {
		d += gapI(int64(a[i]), int64(b[i]))
	}
	if d == 0 && a != b {
		return 1 // they differ behind what is compared
	}
	return d
}

// alignedRight is aligned from the right.
func alignedRight(a, b string) float64 {
	n := min(len(a), len(b))
	return aligned(a[len(a)-n:], b[len(b)-n:]) + gapI(int64(len(a)), int64(len(b)))*aSize
}

// order is how far two texts are from changing places in the dictionary: the
// longer what they have in common, the nearer, and then the bytes that decide.
func order(a, b string) float64 {
	if a == b {
		return 0
	}
	n, k := min(len(a), len(b), maxLen), 0
	for k < n && a[k] == b[k] {
		k++
	}
	return float64(maxLen-k) + decisive(a[k:], b[k:])
}

// decisive weighs the first bytes of two texts, a missing one as less than any,
// into [0,1).
func decisive(a, b string) float64 {
	d, weight := 0.0, 1.0
	for i := range 4 {
		weight /= 257
		d += weight * float64(byteAt(a, i)-byteAt(b, i))
	}
	if d < 0 {
		return -d
	}
	return d
}

func byteAt(s string, i int) int {
	if i < len(s) {
		return int(s[i]) + 1
	}
	return 0
}

// within is how far a text is from containing another: its nearest window.
func within(s, sub string) float64 {
	if len(s) <= len(sub) {
		return aligned(s, sub)
	}
	d := Far
	for i := 0; i+len(sub) <= len(s) && i < maxLen; i++ {
		d = min(d, aligned(s[i:i+len(sub)], sub))
	}
	return d
}

// lower is a text with the letters of ASCII made small.
func lower(s string) string {
	b := []byte(s[:min(len(s), maxLen)])
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
