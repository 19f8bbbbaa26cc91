// Package shape groups the exchanges of an operation: by their shape, which is the same for
// exchanges that differ only in values, and by traits, which are special values: the message of a
// refusal, the value of an enum, a value at a limit of the spec, an empty list. It does not compare
// two exchanges, and does not depend on time.
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

// Profile is the shape and the traits of an exchange.
type Profile struct {
	// Kind is the operation and the status.
	Kind string
	// Shape has the names in the query, the members of both bodies with their types, and the
	// outward calls.
	Shape string
	// Traits are distinct, in an arbitrary order.
	Traits []string
}

// ProfileOf returns the shape and the traits of an exchange with decoded bodies. op is nil for a request to
// no operation; sent are the outward calls in their order, as named by NameWithResult.
func ProfileOf(op *model.Operation, x model.Exchange, sent []string) Profile {
	l := Profile{Kind: strconv.Itoa(x.Reply.Status)}
	if op != nil {
		l.Kind = string(op.ID) + " " + l.Kind
	}
	asked, told := read(x.Request.Body), read(x.Reply.Body)
	l.Shape = strings.Join(
		[]string{
			strings.Join(queryNames(x.Request.URL), "&"),
			asked.members(),
			told.members(),
			strings.Join(sent, ";"),
		},
		"|",
	)
	l.Traits = traitsOf(op, x, asked, told)
	return l
}

// String returns the kind and the shape, without the traits.
func (l Profile) String() string { return l.Kind + "|" + l.Shape }

func queryNames(target string) []string {
	_, raw, _ := strings.Cut(target, "?")
	query, _ := url.ParseQuery(raw) // of a malformed query, the part that can be parsed
	return slices.Sorted(maps.Keys(query))
}

// NameWithResult names an outward call with its result, without ids.
func NameWithResult(s model.OutwardCall) string {
	if s.Protocol != model.HTTP {
		return CallName(s)
	}
	return CallName(s) + " " + strconv.Itoa(s.Reply.Status)
}

// CallName names an outward call without ids.
func CallName(s model.OutwardCall) string {
	host := cmp.Or(s.Name, s.Host)
	if s.Protocol != model.HTTP {
		return string(s.Protocol) + " " + host
	}
	path, _, _ := strings.Cut(s.Request.URL, "?")
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if LooksLikeID(part) {
			parts[i] = "{}"
		}
	}
	return s.Request.Method + " " + host + strings.Join(parts, "/")
}

var changing = regexp.MustCompile(`\d|^[a-fA-F-]{16,}$`)

// LooksLikeID reports whether a part of a path looks like an id.
func LooksLikeID(part string) bool { return changing.MatchString(part) }

// maxJSON bounds the bytes of a body that are parsed as JSON.
const maxJSON = 4 << 20

// body is a decoded body.
type body struct {
	text   []byte
	value  any // numbers are json.Number
	isJSON bool
}

func read(text []byte) body {
	b := body{text: text}
	if len(text) == 0 || len(text) > maxJSON {
		return b
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	b.isJSON = d.Decode(&b.value) == nil && !d.More()
	return b
}

// members returns the members of a body with their types, if it is JSON.
func (b body) members() string {
	switch {
	case len(b.text) == 0:
		return ""
	case !b.isJSON:
		return "text"
	}
	return members(b.value)
}

// members returns a JSON value with types in place of values; of a list the distinct shapes of its
// items.
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
	return JSONType(v)
}

// JSONType returns the JSON type of a scalar value; a number is a json.Number.
func JSONType(v any) string {
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
