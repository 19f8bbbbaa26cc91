package generate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// Limits of the values that are read from a message.
const (
	maxLeaves = 2000
	maxJSON   = 4 << 20 // maximum length of a JSON text, in bytes
	maxValue  = 4 << 10 // maximum length of a value that other messages may repeat, such as a JWT, in bytes
)

// leaf is a value and its location in a message. An Expectation can name the location.
type leaf struct {
	in    model.Location
	name  string // the parameter, header or JSON pointer; for TCP and UDP, the number of the message
	value any    // a string, a json.Number, a bool or nil
	// names are the names of the value in lower case, without separators: "orderid".
	names []string
	// isID reports that the value identifies a resource.
	isID bool
}

// text returns the value as text, "" for null.
func (l leaf) text() string {
	if l.value == nil {
		return ""
	}
	return fmt.Sprint(l.value)
}

// lastName returns the name of the leaf; for a JSON pointer, its last token.
func (l leaf) lastName() string {
	if l.in == model.InBody {
		return pointer.LastToken(l.name)
	}
	return l.name
}

// sharesName reports whether the leaves have a name in common.
func (l leaf) sharesName(other leaf) bool {
	return slices.ContainsFunc(l.names, func(k string) bool { return slices.Contains(other.names, k) })
}

// sameValue reports whether two leaves are the same value. They must have the same text. sameValue returns true if they
// share a name, or if the text is distinctive.
func (l leaf) sameValue(other leaf) bool { return l.sharesName(other) || isDistinctive(l.text()) }

// repeats reports whether two leaves have the same text and this is most likely not a coincidence.
func (l leaf) repeats(other leaf) bool {
	text := l.text()
	return text == other.text() && (l.sharesName(other) || len(text) >= 5 && !number.MatchString(text) || len(text) >= 7)
}

var (
	number    = regexp.MustCompile(`^-?\d+(\.\d+)?$`)
	hasDigit  = regexp.MustCompile(`\d`)
	hasLetter = regexp.MustCompile(`[A-Za-z]`)
	separator = regexp.MustCompile(`[^a-z0-9]+`)
	idName    = regexp.MustCompile(`(?i)(^id|[^a-z]id|uuid|guid|[a-z]Id|[a-z]ID)$`)
)

// isDistinctive reports whether a text is unlikely to be repeated by coincidence.
func isDistinctive(text string) bool {
	return len(text) >= 8 && len(text) <= maxValue && hasDigit.MatchString(text) &&
		(hasLetter.MatchString(text) || len(text) >= 12)
}

// plain returns a name in lower case, without separators.
func plain(name string) string { return separator.ReplaceAllString(strings.ToLower(name), "") }

// decode decodes a whole text as JSON. Numbers keep their text. It returns false for a text that is empty,
// longer than maxJSON, or not JSON.
func decode(text []byte) (v any, ok bool) {
	if len(text) == 0 || len(text) > maxJSON {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return v, d.Decode(&v) == nil && !d.More()
}

// encoded returns v as JSON, without escapes for HTML.
func encoded(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// leavesOf returns the values inside a JSON value, in the order of their names, at most maxLeaves.
func leavesOf(v any) []leaf {
	w := &walk{}
	w.into(v, "")
	return w.found
}

// walk collects the values inside a JSON value.
type walk struct{ found []leaf }

func (w *walk) into(v any, at string) {
	if len(w.found) >= maxLeaves {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			w.into(v[name], at+"/"+pointer.Escape(name))
		}
	case []any:
		for i, item := range v {
			w.into(item, fmt.Sprint(at, "/", i))
		}
	default:
		w.found = append(w.found, leaf{in: model.InBody, name: at, value: v})
	}
}

// isSecretName reports whether a value's name says that the service or the user keeps it secret.
// Such values differ each time or come from the environment. Other lists of names serve other
// purposes: record.isSecretByDefault is stricter with word boundaries because it masks, and
// model.IsPasswordField is about log-in forms.
func isSecretName(name string) bool {
	return match.IsCredentialName(name) || secretNamePattern.MatchString(name)
}

var secretNamePattern = regexp.MustCompile(`(?i)passw|pwd$|passphrase|secret|credential|signature|otp$|^pin$|api[-_]?key`)

// jsonText returns a text as a JSON string.
func jsonText(text string) json.RawMessage { return encoded(text) }
