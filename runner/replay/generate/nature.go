package generate

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/runner/replay/shape"
)

// inList reports whether a JSON pointer leads to an item of a list.
func inList(body any, at string) bool {
	parent, _ := pointer.Lookup(body, pointer.Parent(at))
	_, list := parent.([]any)
	return list
}

// slack is how far a time may be from the test's own clock: times are rounded to seconds, and
// machines are slow.
const slack = 10 * time.Second

// The forms of values that are generated each time.
const (
	uuidForm = `[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`
	timeForm = `\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})?`
	jwtForm  = `eyJ[\w-]+\.[\w-]+\.[\w-]*`
)

var (
	isUUID  = regexp.MustCompile(`^` + uuidForm + `$`)
	isTime  = regexp.MustCompile(`^` + timeForm + `$`)
	isJWT   = regexp.MustCompile(`^` + jwtForm + `$`)
	isHex   = regexp.MustCompile(`^([0-9a-f]{12,}|[0-9A-F]{12,})$`)
	isULID  = regexp.MustCompile(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)
	isBlob  = regexp.MustCompile(`^[A-Za-z0-9+/_=-]{16,}$`)
	isDigit = regexp.MustCompile(`^\d+$`)
)

// random reports whether a text looks generated.
func random(text string) bool {
	switch {
	case isUUID.MatchString(text), isJWT.MatchString(text), isULID.MatchString(text):
		return true
	case isHex.MatchString(text):
		return hasDigit.MatchString(text) && hasLetter.MatchString(text)
	}
	return isBlob.MatchString(text) && mixed(text)
}

// mixed reports whether a text changes between letters and digits too often to be words.
func mixed(text string) bool {
	changes, kind := 0, 0
	for _, r := range text {
		next := 0
		switch {
		case r >= '0' && r <= '9':
			next = 1
		case r >= 'A' && r <= 'Z':
			next = 2
		case r >= 'a' && r <= 'z':
			next = 3
		}
		if next != kind && next != 0 {
			changes++
		}
		kind = next
	}
	return changes*3 >= len(text) && hasDigit.MatchString(text)
}

// classOf returns a pattern of all texts that are generated alike.
func classOf(text string) string {
	switch {
	case isUUID.MatchString(text):
		return uuidForm
	case isTime.MatchString(text):
		return timeForm
	case isJWT.MatchString(text):
		return jwtForm
	case isDigit.MatchString(text) && strings.HasPrefix(text, "0"):
		return fmt.Sprintf(`\d{%d}`, len(text))
	case isDigit.MatchString(text):
		return `\d+`
	case isHex.MatchString(text):
		return fmt.Sprintf(`[0-9a-fA-F]{%d}`, len(text))
	case isULID.MatchString(text):
		return `[0-9A-Z]{26}`
	}
	return pieces(text)
}

var piece = regexp.MustCompile(`[A-Za-z0-9]+|[^A-Za-z0-9]+`)

// pieces returns a pattern that keeps words and separators, and lets the rest differ with the same
// length.
func pieces(text string) string {
	if isBlob.MatchString(text) && mixed(text) {
		return fmt.Sprintf(`[A-Za-z0-9+/_=-]{%d}`, len(text))
	}
	all := ""
	for _, p := range piece.FindAllString(text, -1) {
		switch {
		case isDigit.MatchString(p):
			all += classOf(p)
		case hasDigit.MatchString(p):
			all += fmt.Sprintf(`[A-Za-z0-9]{%d}`, len(p))
		default:
			all += regexp.QuoteMeta(p)
		}
	}
	return all
}

// pattern returns an expectation of a whole text.
func pattern(form, why string) *model.Expectation {
	return &model.Expectation{Comparison: model.ComparePattern, Value: jsonText(form), Why: why}
}

func typed(v any, why string) *model.Expectation {
	return &model.Expectation{Comparison: model.CompareType, Value: jsonText(shape.JSONType(v)), Why: why}
}

// timeLayouts are the formats of times.
var timeLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999Z0700", time.RFC1123, time.RFC1123Z,
}

func timeIn(text string) (time.Time, bool) {
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

// clock returns how a value is compared that is the time of an exchange, nil if it is none.
func clock(l leaf, x model.Exchange) *model.Expectation {
	switch v := l.value.(type) {
	case string:
		at, ok := timeIn(v)
		switch {
		case ok && near(at, x.At, x.EndTime(), 2*time.Second):
			return &model.Expectation{
				Comparison: model.CompareNear, Value: jsonText(v), Within: slack.Seconds(), Why: "the time of the call",
			}
		case ok && isTime.MatchString(v) && near(at, x.At, x.EndTime(), 400*24*time.Hour):
			return pattern(classOf(v), "a time "+apart(at.Sub(x.At))+" the call")
		case v == x.At.UTC().Format(time.DateOnly) || v == x.At.Local().Format(time.DateOnly):
			return pattern(`\d{4}-\d{2}-\d{2}`, "the day of the call")
		}
	case json.Number:
		for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond, time.Nanosecond} {
			n, err := v.Int64()
			if err == nil && n > 1e9 && n < 1<<62/int64(unit) &&
				near(time.Unix(0, 0).Add(time.Duration(n)*unit), x.At, x.EndTime(), time.Hour) {
				return typed(v, "the time of the call, as a number")
			}
		}
	}
	return nil
}

// apart describes how far away a time was.
func apart(d time.Duration) string {
	if d < 0 {
		return (-d).Round(time.Second).String() + " before"
	}
	return d.Round(time.Second).String() + " after"
}

// hostPort finds an address of this machine in a text.
var hostPort = regexp.MustCompile(`(127\.0\.0\.1|localhost|\[::1\])(:\d+)?`)

// others returns the values that other recordings of the same shape have at the same location: in
// an answer, or in an outward call.
func (p *recordingIndex) others(s *recordedExchange, part int, l leaf) []leaf {
	var all []leaf
	for _, other := range p.groups[s.shape] {
		if other == s || len(all) >= 200 {
			continue
		}
		at := slices.IndexFunc(other.leaves(part), func(o leaf) bool { return o.in == l.in && o.name == l.name })
		if at >= 0 {
			all = append(all, other.leaves(part)[at])
		}
	}
	return all
}

// answerPart is the number of the answer among the parts of an exchange. Outward calls begin with
// 0.
const answerPart = -1

// leaves returns the leaves of a part of an exchange.
func (s *recordedExchange) leaves(part int) []leaf {
	if part == answerPart {
		return s.told
	}
	if part >= len(s.sent) {
		return nil
	}
	return s.sent[part].request.leaves
}

// constant reports whether there are other recordings, and all have the same text there.
func constant(l leaf, others []leaf) bool {
	return len(others) > 0 && !slices.ContainsFunc(others, func(o leaf) bool { return o.text() != l.text() })
}
