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

// Bounds of what is read of a message.
const (
	maxLeaves = 2000
	maxJSON   = 4 << 20 // bytes
	longest   = 512     // bytes of a value that others may repeat
)

// leaf is a value at a location in a message, which an Expectation can name.
type leaf struct {
	in    model.Location
	name  string // the parameter, the header, the JSON pointer, or the number of the turn
	value any    // a string, a json.Number, a bool or nil
	// kinds are the names of the value, without case and separators: "orderid".
	kinds []string
	// identity reports that the value identifies a thing.
	identity bool
}

func (l leaf) text() string {
	if l.value == nil {
		return ""
	}
	return fmt.Sprint(l.value)
}

// called returns the leaf's name without its path.
func (l leaf) called() string {
	if l.in == model.InBody {
		return pointer.LastToken(l.name)
	}
	return l.name
}

// like reports whether two leaves may be the same value of the same thing.
func (l leaf) like(other leaf) bool {
	return slices.ContainsFunc(l.kinds, func(k string) bool { return slices.Contains(other.kinds, k) })
}

// same reports whether two leaves with the same text are the same value: by their names, or
// because the text occurs once.
func (l leaf) same(other leaf) bool { return l.like(other) || distinct(l.text()) }

// repeats reports whether a leaf has the value of one that is sent as recorded.
func (l leaf) repeats(other leaf) bool {
	text := l.text()
	return text == other.text() && (l.like(other) || len(text) >= 5 && !number.MatchString(text) || len(text) >= 7)
}

var (
	number    = regexp.MustCompile(`^-?\d+(\.\d+)?$`)
	hasDigit  = regexp.MustCompile(`\d`)
	hasLetter = regexp.MustCompile(`[A-Za-z]`)
	separator = regexp.MustCompile(`[^a-z0-9]+`)
	idName    = regexp.MustCompile(`(?i)(^id|[^a-z]id|uuid|guid|[a-z]Id|[a-z]ID)$`)
)

// distinct reports whether a text is unlikely to be equal by coincidence.
func distinct(text string) bool {
	return len(text) >= 8 && len(text) <= longest && hasDigit.MatchString(text) &&
		(hasLetter.MatchString(text) || len(text) >= 12)
}

// plain returns a name without case and separators.
func plain(name string) string { return separator.ReplaceAllString(strings.ToLower(name), "") }

// decode reads all of a text as JSON, numbers as they are written.
func decode(text []byte) (v any, ok bool) {
	if len(text) == 0 || len(text) > maxJSON {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return v, d.Decode(&v) == nil && !d.More()
}

// encoded returns a value as JSON, without the escapes for HTML.
func encoded(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// leavesOf returns the values inside a JSON value, in the order of their names.
func leavesOf(v any) []leaf {
	w := &walk{}
	w.into(v, "")
	return w.found
}

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

// secret reports whether a name is one of a credential.
func secret(name string) bool {
	return match.IsCredentialName(name) || secretName.MatchString(name)
}

var secretName = regexp.MustCompile(`(?i)passw|pwd$|passphrase|secret|credential|signature|otp$|^pin$|api[-_]?key`)
