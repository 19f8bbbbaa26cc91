package mimic

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/model/shape"
)

// inList reports whether a JSON pointer leads to an item of a list.
func inList(body any, at string) bool {
	parent, _ := pointer.At(body, pointer.Parent(at))
	_, list := parent.([]any)
	return list
}

// slack is how far a time may be from the test's own clock: clocks are cut to seconds,
// and machines are slow.
const slack = 10 * time.Second

// The forms of values that are made up each time.
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

// random reports whether a text looks as if it were made up each time.
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

// classOf is a pattern of all texts that were made up like one.
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

// pieces is a pattern that keeps words and separators, and lets the rest be another
// of the same length.
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

// pattern is an expectation of all of a text.
func pattern(form, why string) *model.Expected {
	return &model.Expected{Like: model.Pattern, Value: jsonText(form), Why: why}
}

func typed(v any, why string) *model.Expected {
	return &model.Expected{Like: model.Typed, Value: jsonText(shape.TypeOf(v)), Why: why}
}

// timeLayouts are how texts tell times.
var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999Z0700", time.RFC1123, time.RFC1123Z}

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

// clock says how a value is compared that is the time of an exchange; nil where it is
// none.
func clock(l leaf, x model.Exchange) *model.Expected {
	switch v := l.value.(type) {
	case string:
		at, ok := timeIn(v)
		switch {
		case ok && near(at, x.At, x.End(), 2*time.Second):
			return &model.Expected{Like: model.Near, Value: jsonText(v), Within: slack.Seconds(), Why: "the time of the call"}
		case ok && isTime.MatchString(v) && near(at, x.At, x.End(), 400*24*time.Hour):
			return pattern(classOf(v), "a time "+apart(at.Sub(x.At))+" the call")
		case v == x.At.UTC().Format(time.DateOnly) || v == x.At.Local().Format(time.DateOnly):
			return pattern(`\d{4}-\d{2}-\d{2}`, "the day of the call")
		}
	case json.Number:
		for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond, time.Nanosecond} {
			n, err := v.Int64()
			if err == nil && n > 1e9 && n < 1<<62/int64(unit) && near(time.Unix(0, 0).Add(time.Duration(n)*unit), x.At, x.End(), time.Hour) {
				return typed(v, "the time of the call, as a number")
			}
		}
	}
	return nil
}

// apart says how far away a time was.
func apart(d time.Duration) string {
	if d < 0 {
		return (-d).Round(time.Second).String() + " before"
	}
	return d.Round(time.Second).String() + " after"
}

// hostPort finds an address of this machine in a text.
var hostPort = regexp.MustCompile(`(127\.0\.0\.1|localhost|\[::1\])(:\d+)?`)

// others are the values that other recordings of the same shape have at the same place:
// of an answer, or of one of the calls to the outside.
func (p *past) others(s *seen, part int, l leaf) []leaf {
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

// answerPart is the number of the answer among the parts of an exchange; those of the
// calls to the outside begin with 0.
const answerPart = -1

// leaves are those of a part of an exchange.
func (s *seen) leaves(part int) []leaf {
	if part == answerPart {
		return s.told
	}
	if part >= len(s.sent) {
		return nil
	}
	return s.sent[part].request.leaves
}

// constant reports whether all other recordings have the same text there, and there are
// some.
func constant(l leaf, others []leaf) bool {
	return len(others) > 0 && !slices.ContainsFunc(others, func(o leaf) bool { return o.text() != l.text() })
}
