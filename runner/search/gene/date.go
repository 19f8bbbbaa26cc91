package gene

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// invalid is the probability that a date or a time is sampled from all values of its integers,
// including the few invalid ones.
const invalid = 0.05

// three is the common part of Date and Time: three Integers. Their ranges include a few values that no
// calendar and no clock has.
type three [3]Gene

func newThree(spans [3]*span) three {
	var t three
	for i, s := range spans {
		t[i] = newInteger(s)
	}
	return t
}

func (t *three) clone() three { return three{t[0].Clone(), t[1].Clone(), t[2].Clone()} }

func (t *three) sample(r *rand.Rand) {
	for _, g := range t {
		n := g.(*Integer)
		n.at = between(r, n.lo, n.hi)
	}
}

func (t *three) set(a, b, c int) {
	for i, n := range [3]int{a, b, c} {
		t[i].(*Integer).at = int64(n)
	}
}

// read parses three numbers with the digits and separators of a layout, and reports whether they are
// within the ranges.
func (t *three) read(s, layout string) bool {
	if len(s) != len(layout) {
		return false
	}
	var n [3]int
	part := 0
	for i := range len(s) {
		switch digit := s[i] >= '0' && s[i] <= '9'; {
		case digit && layout[i] >= '0' && layout[i] <= '9':
			n[part] = 10*n[part] + int(s[i]-'0')
		case !digit && s[i] == layout[i]:
			part++
		default:
			return false
		}
	}
	for i := range n {
		if span := t[i].(*Integer).span; int64(n[i]) < span.lo || int64(n[i]) > span.hi {
			return false
		}
	}
	t.set(n[0], n[1], n[2])
	return true
}

func (t *three) value(i int) int64 { return t[i].(*Integer).value() }

// Date is a day made of three Integers: year, month and day. Months range from 0 to 13 and days from 0 to
// 32, so the day may be invalid, such as the 30th of February.
type Date struct {
	parts   three
	uniform bool // see NewUniform
}

var dateSpans = [3]*span{{lo: 1900, hi: 2100, step: 1}, {lo: 0, hi: 13, step: 1}, {lo: 0, hi: 32, step: 1}}

func newDate() *Date {
	g := &Date{parts: newThree(dateSpans)}
	g.parts.set(2000, 1, 1)
	return g
}

// Sample draws a day. Unless the gene is uniform, the day is nearly always valid, and mostly in the present decades.
func (g *Date) Sample(r *rand.Rand) {
	if g.uniform || chance(r, invalid) {
		g.parts.sample(r)
		return
	}
	year := 2010 + r.IntN(30)
	if chance(r, 0.2) {
		year = 1900 + r.IntN(201)
	}
	month := 1 + r.IntN(12)
	days := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	g.parts.set(year, month, 1+r.IntN(days))
}

// MutateValue changes nothing; the parts mutate themselves.
func (g *Date) MutateValue(*rand.Rand, Pace) bool { return false }

// Clone returns a deep copy.
func (g *Date) Clone() Gene { return &Date{parts: g.parts.clone(), uniform: g.uniform} }

// SetValue accepts a text of the form 2006-01-02 whose parts are in the ranges of Date, even if there is no such day.
func (g *Date) SetValue(v any) bool {
	s, _ := v.(string)
	return g.parts.read(s, time.DateOnly)
}

// AppendJSON appends the day in quotes.
func (g *Date) AppendJSON(dst []byte) []byte { return appendQuotedText(dst, g) }

func (g *Date) appendText(dst []byte) []byte {
	return fmt.Appendf(dst, "%04d-%02d-%02d", g.parts.value(0), g.parts.value(1), g.parts.value(2))
}

func (g *Date) inside() []Gene         { return g.parts[:] }
func (g *Date) pick(r *rand.Rand) Gene { return pickOne(r, g.inside()) }

// Time is a time of day made of three Integers: hour, minute and second. Hours range up to 25, minutes and
// seconds up to 61, so the time may be invalid.
type Time struct {
	parts   three
	uniform bool // see NewUniform
}

var timeSpans = [3]*span{{lo: 0, hi: 25, step: 1}, {lo: 0, hi: 61, step: 1}, {lo: 0, hi: 61, step: 1}}

func newTime() *Time { return &Time{parts: newThree(timeSpans)} }

// Sample draws a time. Unless the gene is uniform, the time is nearly always valid.
func (g *Time) Sample(r *rand.Rand) {
	if g.uniform || chance(r, invalid) {
		g.parts.sample(r)
		return
	}
	g.parts.set(r.IntN(24), r.IntN(60), r.IntN(60))
}

// MutateValue changes nothing; the parts mutate themselves.
func (g *Time) MutateValue(*rand.Rand, Pace) bool { return false }

// Clone returns a deep copy.
func (g *Time) Clone() Gene { return &Time{parts: g.parts.clone(), uniform: g.uniform} }

// SetValue accepts a time in the form 15:04:05, also an invalid time within the ranges of the integers. It
// ignores the zone and the fraction of a second.
func (g *Time) SetValue(v any) bool {
	s, _ := v.(string)
	return len(s) >= len(time.TimeOnly) && g.parts.read(s[:len(time.TimeOnly)], time.TimeOnly)
}

// AppendJSON appends the time in quotes.
func (g *Time) AppendJSON(dst []byte) []byte { return appendQuotedText(dst, g) }

// appendText appends the time as RFC 3339's full-time, in UTC.
func (g *Time) appendText(dst []byte) []byte {
	return fmt.Appendf(dst, "%02d:%02d:%02dZ", g.parts.value(0), g.parts.value(1), g.parts.value(2))
}

func (g *Time) inside() []Gene         { return g.parts[:] }
func (g *Time) pick(r *rand.Rand) Gene { return pickOne(r, g.inside()) }

// DateTime is a Date and a Time, nine genes in all.
type DateTime struct{ parts [2]Gene }

func newDateTime() *DateTime { return &DateTime{[2]Gene{newDate(), newTime()}} }

// makeUniform makes a date, a time or a date-time uniform.
func makeUniform(g Gene) {
	switch g := g.(type) {
	case *Date:
		g.uniform = true
	case *Time:
		g.uniform = true
	case *DateTime:
		makeUniform(g.parts[0])
		makeUniform(g.parts[1])
	}
}

// Sample draws the day and the time.
func (g *DateTime) Sample(r *rand.Rand) {
	g.parts[0].Sample(r)
	g.parts[1].Sample(r)
}

// MutateValue changes nothing; the parts mutate themselves.
func (g *DateTime) MutateValue(*rand.Rand, Pace) bool { return false }

// Clone returns a deep copy.
func (g *DateTime) Clone() Gene { return &DateTime{[2]Gene{g.parts[0].Clone(), g.parts[1].Clone()}} }

// SetValue accepts a text that begins like 2006-01-02T15:04:05 and whose numbers are in the ranges of Date and Time, even if
// there is no such day or time. It ignores the rest of the text, such as a fraction of a second and a zone.
func (g *DateTime) SetValue(v any) bool {
	s, _ := v.(string)
	day, clock, ok := strings.Cut(s, "T")
	return ok && g.parts[0].SetValue(day) && g.parts[1].SetValue(clock)
}

// AppendJSON appends the date-time in quotes.
func (g *DateTime) AppendJSON(dst []byte) []byte { return appendQuotedText(dst, g) }

// appendText appends the date-time in the form of RFC 3339.
func (g *DateTime) appendText(dst []byte) []byte {
	dst = append(g.parts[0].(*Date).appendText(dst), 'T')
	return g.parts[1].(*Time).appendText(dst)
}

func (g *DateTime) inside() []Gene         { return g.parts[:] }
func (g *DateTime) pick(r *rand.Rand) Gene { return pickOne(r, g.inside()) }
