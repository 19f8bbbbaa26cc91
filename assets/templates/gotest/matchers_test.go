package gotest

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// matcher says which values a test accepts.
type matcher struct {
	words string // a description; "" if value describes it
	value any
	fits  func(got any) bool
}

// wanted returns what a matcher wants, in words or as JSON.
func (m matcher) wanted() string {
	if m.words != "" {
		return m.words
	}
	return encode(m.value)
}

// raw returns the result of wanted as JSON.
func (m matcher) raw() json.RawMessage {
	if m.words != "" {
		return json.RawMessage(encode(m.words))
	}
	return json.RawMessage(encode(m.value))
}

// equals accepts a value that equals a JSON value. The order of keys and the spelling of numbers do not matter.
func equals(want string) matcher {
	wanted, err := decode(want)
	if err != nil {
		panic(fmt.Sprintf("the test wants invalid JSON: %v", err))
	}
	return matcher{value: wanted, fits: func(got any) bool { return reflect.DeepEqual(normalized(wanted), normalized(got)) }}
}

// exactly accepts only this text.
func exactly(want string) matcher {
	return matcher{value: want, fits: func(got any) bool { return got == want }}
}

// is accepts only a value that has the same text as the value of an earlier answer.
func is(v value) matcher {
	return matcher{value: v.v, fits: func(got any) bool { return value{got}.text() == v.text() }}
}

// endsIn accepts a path or URL whose last segment is the value of an earlier answer.
func endsIn(v value) matcher {
	return matcher{words: "…/" + v.path(), fits: func(got any) bool {
		path, _, _ := strings.Cut(value{got}.text(), "?")
		path = strings.TrimRight(path, "/")
		return path[strings.LastIndex(path, "/")+1:] == v.path()
	}}
}

// present accepts any value, null as well.
func present() matcher {
	return matcher{words: "anything", fits: func(any) bool { return true }}
}

// ofType accepts values of a JSON type. An integer is also a number.
func ofType(name string) matcher {
	return matcher{
		words: "of type " + name,
		fits:  func(got any) bool { return name == jsonType(got) || name == "number" && jsonType(got) == "integer" },
	}
}

// spells accepts a text that is the JSON of a value of a type, such as 17 in a query for an integer. For the type
// string, it accepts any text.
func spells(name string) matcher {
	m := ofType(name)
	return matcher{words: m.words, fits: func(got any) bool {
		v, err := decode(value{got}.text())
		return name == "string" || err == nil && m.fits(v)
	}}
}

// matching accepts a text that matches a regular expression as a whole.
func matching(pattern string) matcher {
	r := regexp.MustCompile("^(?:" + pattern + ")$")
	return matcher{words: "what matches " + pattern, fits: func(got any) bool { return r.MatchString(value{got}.text()) }}
}

// near accepts numbers from want-within to want+within.
func near(want, within float64) matcher {
	return matcher{words: fmt.Sprintf("%v ± %v", want, within), fits: func(got any) bool {
		n, err := strconv.ParseFloat(value{got}.text(), 64)
		return err == nil && math.Abs(n-want) <= within
	}}
}

// nearNow accepts a time between the call under test and now. The time may be earlier or later by the duration within.
func nearNow(within time.Duration) matcher {
	return matcher{words: fmt.Sprintf("now ± %v", within), fits: func(got any) bool {
		at, ok := timeOf(value{got}.text())
		return ok && !at.Before(currentTest.calledAt.Add(-within)) && !at.After(time.Now().Add(within))
	}}
}

// timeOf reads a time in the formats of services, including the time since 1970 in seconds,
// milliseconds, microseconds or nanoseconds.
func timeOf(text string) (time.Time, bool) {
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00",
		"2006-01-02 15:04:05.999999999Z07",
		"2006-01-02 15:04:05.999999999 -0700 MST", "2006-01-02 15:04:05.999999999", time.RFC1123, time.RFC1123Z,
		time.RFC850, time.ANSIC, time.UnixDate,
	} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return time.Time{}, false
	}
	for n > 1e11 && n/1000 < n { // for infinity, n/1000 is n
		n /= 1000
	}
	return time.Unix(0, int64(n*1e9)), true
}

// exception is a value in a body that is compared by its own matcher.
type exception struct {
	pointer string
	matcher
}

// but returns an exception: the value at a JSON pointer is compared by the matcher m.
func but(pointer string, m matcher) exception { return exception{pointer, m} }
