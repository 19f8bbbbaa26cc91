package gene

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// Combine sets a scalar to a value that a service may demand of inputs that belong together, and reports whether the
// scalar changed.
//
// A number becomes one of these: the sum, the difference or the product of the numbers a and b; 100 minus a, or 1
// minus a if a is a fraction below 1; the number of days between the dates or times a and b. A date or time becomes a
// date or time that is some days or hours before or after a; see shiftedTime.
func Combine(r *rand.Rand, g, a, b Gene) bool {
	text := ""
	switch kindOf(core(g)) {
	case "number":
		n, ok := combineNumbers(r, a, b)
		if !ok {
			return false
		}
		text = strconv.FormatFloat(n, 'f', -1, 64)
	case "date", "time":
		at, ok := shiftedTime(r, a, b)
		if !ok {
			return false
		}
		layout := time.DateOnly
		if kindOf(core(g)) == "time" {
			layout = time.RFC3339
		}
		text = at.Format(layout)
	}
	return text != "" && text != Text(g) && AssignText(g, text)
}

// CanCombine reports whether Combine may set g with a as its first operand.
func CanCombine(g, a Gene) bool {
	if IsNumber(g) {
		return IsNumber(a) || isTime(a)
	}
	return isTime(g) && isTime(a)
}

// CanCombineWith reports whether b may be the second operand of Combine after the first operand a. If g is a number,
// b must be another gene than a and of the same kind. If g is a date or a time, b must be a number.
func CanCombineWith(g, a, b Gene) bool {
	if IsNumber(g) {
		return b != a && IsNumber(a) == IsNumber(b) && isTime(a) == isTime(b)
	}
	return IsNumber(b)
}

// isTime reports whether a gene is a date or a time.
func isTime(g Gene) bool {
	kind := kindOf(core(g))
	return kind == "date" || kind == "time"
}

// maxExact is the number up to which a float64 represents all whole numbers.
const maxExact = 1 << 53

// combineNumbers returns a random combination of two numbers, or the days between two times.
func combineNumbers(r *rand.Rand, a, b Gene) (float64, bool) {
	if from, ok := timeOf(a); ok {
		to, ok := timeOf(b)
		return math.Abs(math.Round(to.Sub(from).Hours() / 24)), ok
	}
	x, okX := numberOf(a)
	y, okY := numberOf(b)
	if !okX || !okY {
		return 0, false
	}
	var n float64
	switch r.IntN(4) {
	case 0:
		n = x + y
	case 1:
		n = x - y
	case 2:
		n = x * y
	default:
		whole := 100.0
		if x != math.Trunc(x) && x < 1 {
			whole = 1
		}
		n = whole - x
	}
	return math.Round(n*1e6) / 1e6, math.Abs(n) < maxExact // sums of decimal fractions are not exact
}

func numberOf(g Gene) (float64, bool) {
	if !IsNumber(g) {
		return 0, false
	}
	n, err := strconv.ParseFloat(Text(core(g)), 64)
	return n, err == nil
}

// timeOf returns the value of a date or a time, false if it is invalid.
func timeOf(g Gene) (time.Time, bool) {
	var layout string
	switch kindOf(core(g)) {
	case "date":
		layout = time.DateOnly
	case "time":
		layout = time.RFC3339
	default:
		return time.Time{}, false
	}
	at, err := time.Parse(layout, strings.ToUpper(Text(core(g))))
	return at, err == nil
}

// spans are usual differences between related dates, in days: a day, a week, a month, a quarter and a year.
var spans = []int{1, 7, 28, 30, 31, 90, 365}

// maxDays is the greatest number that shiftedTime takes for a number of days or hours.
const maxDays = 10_000

// shiftedTime returns a time before or after a. The difference is b days or, if a has a time of day, sometimes b
// hours. If b is not a number or exceeds maxDays, the difference is one of spans. It returns false if a is invalid.
func shiftedTime(r *rand.Rand, a, b Gene) (time.Time, bool) {
	at, ok := timeOf(a)
	if !ok {
		return time.Time{}, false
	}
	n := spans[r.IntN(len(spans))]
	unit := 24 * time.Hour
	if count, ok := numberOf(b); ok && math.Abs(count) <= maxDays {
		n = int(count)
		if kindOf(core(a)) == "time" && r.IntN(3) == 0 {
			unit = time.Hour
		}
	}
	if r.IntN(3) == 0 {
		n = -n
	}
	return at.Add(time.Duration(n) * unit), true
}
