package sondeprobe

// maxLen bounds how many bytes of two strings are compared.
const maxLen = 1024

// aSize is how much more a missing byte counts than a wrong one.
const aSize = 65536

// aligned returns how far two strings are from being equal: their bytes compared from
// the left, plus the difference of their lengths.
func aligned(a, b string) float64 {
	n := min(len(a), len(b))
	d := gapI(int64(len(a)), int64(len(b))) * aSize
	for i := range min(n, maxLen) {
		d += gapI(int64(a[i]), int64(b[i]))
	}
	if d == 0 && a != b {
		return 1 // they differ after the part that is compared
	}
	return d
}

// alignedRight is aligned from the right.
func alignedRight(a, b string) float64 {
	n := min(len(a), len(b))
	return aligned(a[len(a)-n:], b[len(b)-n:]) + gapI(int64(len(a)), int64(len(b)))*aSize
}

// order returns how far two strings are from the opposite order: the longer their
// common prefix, the nearer, and then the bytes that decide.
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

// decisive maps the first bytes of two strings into [0,1); a missing byte is less than
// any.
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

// within returns how far a string is from containing another, by its nearest window.
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

// lower returns a string with its ASCII letters in lower case.
func lower(s string) string {
	b := []byte(s[:min(len(s), maxLen)])
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
