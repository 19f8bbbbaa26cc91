// Package shape tells exchanges of an operation apart that are worth a look each: by
// their shape, which is what those have in common that differ by values alone, and by
// traits, which are what is peculiar about values: what a refusal says, which of a few
// values it is, whether it stands at the edge of what the document allows, whether a
// list is empty.
//
// It does not say what two exchanges differ in, and knows nothing of time.
package shape

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// Look is how an exchange looks.
type Look struct {
	// Kind is the operation and the status.
	Kind string
	// Shape is the names in the query, the members of both bodies with their types, and
	// what was sent outward.
	Shape string
	// Traits are in no order that means anything, each once.
	Traits []string
}

// Of looks at an exchange whose bodies are plain. The operation is nil for a request
// that is none's; sent are the outward calls in their order, as Call names them.
func Of(op *model.Operation, x model.Exchange, sent []string) Look {
	l := Look{Kind: strconv.Itoa(x.Reply.Status)}
	if op != nil {
		l.Kind = string(op.ID) + " " + l.Kind
	}
	asked, told := read(x.Request.Body), read(x.Reply.Body)
	l.Shape = strings.Join([]string{strings.Join(queryNames(x.Request.URL), "&"), asked.members(), told.members(), strings.Join(sent, ";")}, "|")
	l.Traits = traitsOf(op, x, asked, told)
	return l
}

// String is the kind and the shape, without the traits.
func (l Look) String() string { return l.Kind + "|" + l.Shape }

func queryNames(target string) []string {
	_, raw, _ := strings.Cut(target, "?")
	query, _ := url.ParseQuery(raw) // of a bad one what can be read
	return slices.Sorted(maps.Keys(query))
}

// Call names an outward call without what is another one each time, and with what
// came of it.
func Call(s model.Sent) string {
	if s.Protocol != model.HTTP {
		return Called(s)
	}
	return Called(s) + " " + strconv.Itoa(s.Reply.Status)
}

// Called names an outward call without what is another one each time.
func Called(s model.Sent) string {
	host := cmp.Or(s.Name, s.Host)
	if s.Protocol != model.HTTP {
		return string(s.Protocol) + " " + host
	}
	path, _, _ := strings.Cut(s.Request.URL, "?")
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if Changes(part) {
			parts[i] = "{}"
		}
	}
	return s.Request.Method + " " + host + strings.Join(parts, "/")
}

var changing = regexp.MustCompile(`\d|^[a-fA-F-]{16,}$`)

// Changes reports whether a part of a path looks like an id, which is another one each
// time.
func Changes(part string) bool { return changing.MatchString(part) }

// mostJSON is how many bytes of a body are read as JSON at most.
const mostJSON = 4 << 20

// body is a body, read.
type body struct {
	text   []byte
	value  any // numbers as they are written
	isJSON bool
}

func read(text []byte) body {
	b := body{text: text}
	if len(text) == 0 || len(text) > mostJSON {
		return b
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	b.isJSON = d.Decode(&b.value) == nil && !d.More()
	return b
}

// members are those of a body with their types, where it is JSON.
func (b body) members() string {
	switch {
	case len(b.text) == 0:
		return ""
	case !b.isJSON:
		return "text"
	}
	return members(b.value)
}

// members is a JSON value with types in the place of values; of a list the shapes of
// its items, each once.
func members(v any) string {
	switch v := v.(type) {
	case map[string]any:
		parts := []string{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, name+":"+members(v[name]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, members(item))
		}
		slices.Sort(items)
		return "[" + strings.Join(slices.Compact(items), ",") + "]"
	}
	return TypeOf(v)
}

// TypeOf is the JSON type of a value that holds no others; a number is a json.Number.
func TypeOf(v any) string {
	switch v := v.(type) {
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return "number"
		}
		return "integer"
	case string:
		return "string"
	case bool:
		return "boolean"
	}
	return "null"
}
