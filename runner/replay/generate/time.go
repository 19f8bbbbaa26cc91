package generate

import (
	"encoding/json"
	"time"

	"sonde/model"
)

// clockTolerance is how far a time in an answer may be from the test's own clock. Times are rounded
// to seconds, and test machines are slow.
const clockTolerance = 10 * time.Second

// timeLayouts are the formats of times that are recognised.
var timeLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999Z07", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999Z0700", time.RFC1123, time.RFC1123Z,
}

// parseTime parses a text that is a time as a whole. It returns false if the text has none of the
// timeLayouts.
func parseTime(text string) (time.Time, bool) {
	if len(text) < 19 || len(text) > 40 {
		return time.Time{}, false
	}
	for _, layout := range timeLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// isSameTime reports whether two texts are the same time, possibly in different layouts. It returns false for a time in
// whole seconds, because two such times may be equal by chance.
func isSameTime(a, b leaf) bool {
	x, ok := parseTime(a.text())
	y, alsoOK := parseTime(b.text())
	return ok && alsoOK && x.Equal(y) && x.Nanosecond() != 0
}

// timeExpectation returns how a value is compared if it is a time near an exchange, and nil for any other value. A time
// within seconds of the exchange must be near the test's own clock. A time within 400 days that is not in the format of
// mail, or the day of the exchange, must match a pattern. A number that is a Unix time within an hour of the exchange
// must have its type. The unit of the number is the second or a part of it.
func timeExpectation(l leaf, x model.Exchange) *model.Expectation {
	switch v := l.value.(type) {
	case string:
		at, ok := parseTime(v)
		switch {
		case ok && inInterval(at, x.At, x.EndTime(), 2*time.Second):
			return &model.Expectation{
				Comparison: model.CompareNear, Value: jsonText(v), Within: clockTolerance.Seconds(), Why: "the time of the call",
			}
		case ok && isTime.MatchString(v) && inInterval(at, x.At, x.EndTime(), 400*24*time.Hour):
			return patternExpectation(generatedPattern(v), "a time "+timeDistance(at.Sub(x.At))+" the call")
		case v == x.At.UTC().Format(time.DateOnly) || v == x.At.Local().Format(time.DateOnly):
			return patternExpectation(`\d{4}-\d{2}-\d{2}`, "the day of the call")
		}
	case json.Number:
		for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond, time.Nanosecond} {
			n, err := v.Int64()
			if err == nil && n > 1e9 && n < 1<<62/int64(unit) &&
				inInterval(time.Unix(0, 0).Add(time.Duration(n)*unit), x.At, x.EndTime(), time.Hour) {
				return typeExpectation(v, "the time of the call, as a number")
			}
		}
	}
	return nil
}

// timeDistance describes a duration as "5s before" or "5s after".
func timeDistance(d time.Duration) string {
	if d < 0 {
		return (-d).Round(time.Second).String() + " before"
	}
	return d.Round(time.Second).String() + " after"
}

// inInterval reports whether a time is between begin and end, extended by slack on both sides.
func inInterval(at, begin, end time.Time, slack time.Duration) bool {
	return !at.Before(begin.Add(-slack)) && !at.After(end.Add(slack))
}
