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
	maxChecks = 20  // of one answer
	maxText   = 200 // bytes of a value that a check compares
	maxDepth  = 3
)

// Checks returns what to assert about the JSON body of one answer: stable values, and the presence of
// values that change from run to run, such as ids and times. If the service is not reset before each
// test, no value is stable. An answer that is not JSON gives no check.
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

type checkCollector struct {
	call   int
	reset  bool
	checks []model.Check
}

// value visits a value with a name. Of a list only the first element is visited.
func (w *checkCollector) value(place, name string, v any, depth int) {
	if depth > maxDepth || len(w.checks) >= maxChecks {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if maskedText(key) {
				continue // the real name must not be written down
			}
			w.value(place+"/"+pointer.Escape(key), key, v[key], depth+1)
		}
	case []any:
		if w.reset && len(v) > 0 { // without a reset the contents of the list are not known
			w.value(place+"/"+strconv.Itoa(0), name, v[0], depth+1)
		}
	default:
		w.scalar(place, name, v)
	}
}

func (w *checkCollector) scalar(place, name string, v any) {
	c := model.Check{Call: w.call, Pointer: place}
	data, err := json.Marshal(v)
	if err != nil {
		return
	}
	if w.reset && len(data) <= maxText && !volatileName(name) && !volatileText(v) && !maskedText(v) {
		c.Equals = data
	}
	w.checks = append(w.checks, c)
}

// volatileNames matches names whose values the service generates or reads from a clock, by their last
// word.
var volatileNames = regexp.MustCompile(`(?i:(^|_|-)(id|ids|uuid|guid|token|nonce|etag|timestamp|time|date|created` +
	`|updated|modified|expires|href|url|uri|version|hash|signature|session)$)` +
	`|(?i:_at$)|[a-z](Id|ID|Ids|At|On|Uuid|Guid|Token|Time|Date|Timestamp|Href|Url|Uri|Hash)$`)

func volatileName(name string) bool { return volatileNames.MatchString(name) }

// generatedTexts matches dates, times, UUIDs, addresses and ports that a system generated, within a text.
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

// maskedName reports whether an object has a property with a masked name: a password "admin" also
// masks a property of that name.
func maskedName(object map[string]any) bool {
	for name := range object {
		if maskedText(name) {
			return true
		}
	}
	return false
}
