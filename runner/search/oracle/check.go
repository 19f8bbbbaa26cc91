package oracle

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

const (
	maxChecks = 20  // checks of one answer
	maxText   = 200 // bytes of a value that a check compares
	maxDepth  = 3   // levels of nested values
)

// Checks returns at most maxChecks checks of the JSON body of one answer. A check compares a value if the value
// is short and stable, and otherwise only requires that the value is present. Values such as ids and times are
// not stable. If reset is false, no value is stable, and lists have no checks: without a reset before each test,
// other tests may change the values. A body that is truncated or not JSON has no checks.
func Checks(call int, r model.Reply, reset bool) []model.Check {
	d := json.NewDecoder(bytes.NewReader(r.Body))
	d.UseNumber()
	var body any
	if r.Truncated || d.Decode(&body) != nil || d.Decode(new(any)) != io.EOF {
		return nil
	}
	w := checkCollector{call: call, reset: reset}
	w.value("", "", body, 0)
	return w.checks
}

// checkCollector collects the checks of one answer.
type checkCollector struct {
	call   int  // the index of the call
	reset  bool // the service is reset before each test
	checks []model.Check
}

// value collects the checks of a value with a JSON pointer and a name. In a list it visits only the first
// element.
func (c *checkCollector) value(place, name string, v any, depth int) {
	if depth > maxDepth || len(c.checks) >= maxChecks {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if maskedText(key) {
				continue // the name is masked, and the test must not contain the real one
			}
			c.value(place+"/"+pointer.Escape(key), key, v[key], depth+1)
		}
	case []any:
		if c.reset && len(v) > 0 { // without a reset, other tests may change the content of the list
			c.value(place+"/"+strconv.Itoa(0), name, v[0], depth+1)
		}
	default:
		c.scalar(place, name, v)
	}
}

// scalar collects the check of a value that is neither an object nor a list.
func (c *checkCollector) scalar(place, name string, v any) {
	check := model.Check{Call: c.call, Pointer: place}
	data, err := json.Marshal(v)
	if err != nil {
		return
	}
	if c.reset && len(data) <= maxText && !volatileName(name) && !volatileText(v) && !maskedText(v) {
		check.Equals = data
	}
	c.checks = append(c.checks, check)
}

// volatileNames matches names whose last word says that the service generates the value or reads it from a
// clock.
var volatileNames = regexp.MustCompile(`(?i:(^|_|-)(id|ids|uuid|guid|token|nonce|etag|timestamp|time|date|created` +
	`|updated|modified|expires|href|url|uri|version|hash|signature|session)$)` +
	`|(?i:_at$)|[a-z](Id|ID|Ids|At|On|Uuid|Guid|Token|Time|Date|Timestamp|Href|Url|Uri|Hash)$`)

func volatileName(name string) bool { return volatileNames.MatchString(name) }

// generatedTexts matches texts that contain a date, a time, a UUID, a memory address or a port number that
// changes from run to run.
var generatedTexts = regexp.MustCompile(`(?i)\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d` +
	`|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|0x[0-9a-f]{6,}` +
	`|127\.0\.0\.1:\d+|localhost:\d+|(\.\d+|\]):(\d+->|[1-9]\d{4}\b)`)

func volatileText(v any) bool {
	s, ok := v.(string)
	return ok && generatedTexts.MatchString(s)
}

// maskedText reports whether a value is a text with masked parts.
func maskedText(v any) bool {
	s, ok := v.(string)
	return ok && strings.Contains(s, model.MaskedSecret)
}

// maskedName reports whether an object has a property with a masked name. If a user's password is "admin",
// a property "admin" is masked, too.
func maskedName(object map[string]any) bool {
	for name := range object {
		if maskedText(name) {
			return true
		}
	}
	return false
}
