package individual

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"sonde/model"
)

// layout is a text format of times.
type layout struct {
	form string
	unit time.Duration // the smallest difference between two times in the format
}

var layouts = []layout{
	{time.DateOnly, 24 * time.Hour},
	{time.RFC3339, time.Second},
	{time.DateTime, time.Second},
	{"2006-01-02T15:04:05", time.Second},
	{"2006-01-02T15:04", time.Minute},
}

// parseTime parses a time in one of the layouts, and returns the layout. It returns false if no layout
// fits.
func parseTime(text string) (time.Time, layout, bool) {
	if len(text) < len(time.DateOnly) || text[4] != '-' {
		return time.Time{}, layout{}, false
	}
	for _, l := range layouts {
		if t, err := time.Parse(l.form, text); err == nil {
			return t.UTC(), l, true
		}
	}
	return time.Time{}, layout{}, false
}

func isTime(text string) bool {
	_, _, ok := parseTime(text)
	return ok
}

func (l layout) format(t time.Time) string { return t.UTC().Format(l.form) }

// units are the units in which times are counted since 1970.
var units = []struct {
	length time.Duration
	since  func(time.Time) int64
}{
	{time.Second, time.Time.Unix},
	{time.Millisecond, time.Time.UnixMilli},
	{time.Microsecond, time.Time.UnixMicro},
	{time.Nanosecond, time.Time.UnixNano},
	{24 * time.Hour, func(t time.Time) int64 { return t.Unix() / 86400 }},
}

// fields has two functions for each part of a time, such as its month: one reads the part, the other changes it.
var fields = []struct {
	of  func(time.Time) int
	set func(t time.Time, n int) time.Time
}{
	{time.Time.Year, func(t time.Time, n int) time.Time { return t.AddDate(n-t.Year(), 0, 0) }},
	{func(t time.Time) int { return int(t.Month()) }, inMonth},
	{time.Time.Day, onDay},
	{time.Time.Hour, func(t time.Time, n int) time.Time { return t.Add(time.Duration(n-t.Hour()) * time.Hour) }},
	{time.Time.Minute, func(t time.Time, n int) time.Time { return t.Add(time.Duration(n-t.Minute()) * time.Minute) }},
	{time.Time.Second, func(t time.Time, n int) time.Time { return t.Add(time.Duration(n-t.Second()) * time.Second) }},
	{
		func(t time.Time) int { return int(t.Weekday()) },
		func(t time.Time, n int) time.Time { return t.AddDate(0, 0, n-int(t.Weekday())) },
	},
	{time.Time.YearDay, func(t time.Time, n int) time.Time { return t.AddDate(0, 0, n-t.YearDay()) }},
}

// inMonth returns a time in another month, on a day that exists in the month.
func inMonth(t time.Time, n int) time.Time {
	first := time.Date(t.Year(), time.Month(n), 1, t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}

// onDay returns a time on another day of the same month. If the month does not have the day, it tries
// the following years, because only leap years have a 29th of February. If no tried year has the day,
// the returned time is in another month.
func onDay(t time.Time, n int) time.Time {
	for years := range 5 {
		day := time.Date(t.Year()+years, t.Month(), n, t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
		if day.Month() == t.Month() {
			return day
		}
	}
	return t.AddDate(0, 0, n-t.Day())
}

// viewsOfTime returns the ways in which the service may have computed the number n from a time.
func viewsOfTime(t time.Time, n int64) []view {
	for i, u := range units {
		if n == u.since(t) {
			return []view{{kind: since, at: i}}
		}
	}
	var all []view
	for i, f := range fields {
		if n == int64(f.of(t)) {
			all = append(all, view{kind: field, at: i})
		}
	}
	return all
}

// putTime implements put for the kinds of view since and field.
func (v view) putTime(r *rand.Rand, text string, op model.Relation, with model.Operand) (string, bool) {
	t, l, ok := parseTime(text)
	if !ok || with.Kind != model.IntOperand {
		return "", false
	}
	if v.kind == field {
		n := with.Int + step(r, op)
		if n < -9999 || n > 9999 {
			return "", false
		}
		return l.format(fields[v.at].set(t, int(n))), true
	}
	u := units[v.at]
	moved := t.Add(time.Duration(with.Int-u.since(t))*u.length + time.Duration(step(r, op))*l.unit)
	return l.format(moved), true
}

// gapBetween returns the second operand minus the first, in seconds for times. It returns false for
// texts, and for operands of different kinds.
func gapBetween(a, b model.Operand) (float64, bool) {
	switch {
	case a.Kind != b.Kind:
		return 0, false
	case a.Kind == model.IntOperand:
		return float64(b.Int) - float64(a.Int), true
	case a.Kind == model.RealOperand:
		return b.Real - a.Real, true
	case a.Kind == model.TimeOperand:
		return b.Time.Sub(a.Time).Seconds(), true
	}
	return 0, false
}

// shift adds the gap to a number or a time, or subtracts the gap. It chooses at random, because it is
// not known whether an addition or a subtraction reverses the service's computation. The unit of a gap
// between times is not known either, so shift uses a random unit. It returns false if the text is
// neither a number nor a time, or if the new time is not in the years 0 to 9999.
func (v view) shift(r *rand.Rand, text string, op model.Relation) (string, bool) {
	gap := v.gap
	if r.IntN(3) == 0 {
		gap = -gap
	}
	if t, l, ok := parseTime(text); ok {
		unit := []time.Duration{time.Nanosecond, time.Second, 24 * time.Hour}[r.IntN(3)]
		moved := t.Add(time.Duration(gap)*unit + time.Duration(step(r, op))*l.unit)
		return l.format(moved), moved.Year() >= 0 && moved.Year() <= 9999
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err == nil && gap == float64(int64(gap)) {
		return strconv.FormatInt(n+int64(gap)+step(r, op), 10), true
	}
	f, ok := decimal(text)
	return realText(f + gap), ok
}
