// Package words writes numbers the way that every screen does.
package words

import "strconv"

// Count writes a number with commas between the thousands, such as 6,214.
func Count(n int) string {
	if n < 0 {
		return "-" + Count(-n)
	}
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural writes a number of things, such as "1 call" and "3 calls".
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Count(n) + " " + thing + "s"
}

// Share writes a number between 0 and 1 with two digits, such as 0.60.
func Share(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }
