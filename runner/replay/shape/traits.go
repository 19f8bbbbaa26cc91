package shape

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sonde/model"
)

// Limits of what is read from an exchange.
const (
	maxTraits      = 200
	maxValues      = 5000
	maxSchemaDepth = 8 // depth of nested schemas in allOf, oneOf and anyOf
)

// traits collects the traits of one exchange.
type traits struct {
	traitOf func(s *model.Schema, v any) string // returns the trait of a value, "" for none
	all     map[string]bool
	values  int // number of values so far
}

// traitsOf returns the traits of an exchange. A refusal, which has a status of 400 or more, has at most one trait. This
// trait combines the values that violate the spec, and the message.
func traitsOf(op *model.Operation, x model.Exchange, request, answer body) []string {
	if x.Reply.Status >= 400 {
		wrong := requestTraits(op, x.Request, request, violation)
		if says := refusalMessage(op, request, answer); says != "" || len(wrong) > 0 {
			return []string{strings.Join(append(wrong, "says "+says), ", ")}
		}
		return nil
	}
	t := &traits{traitOf: traitOfValue, all: map[string]bool{}}
	t.addValue("answer", answerSchema(op, x.Reply.Status), answer.value)
	return append(requestTraits(op, x.Request, request, traitOfValue), slices.Sorted(maps.Keys(t.all))...)
}

// requestTraits returns the traits of a request, sorted. traitOf returns the trait of a value, ""
// for none.
func requestTraits(op *model.Operation, r model.Request, request body, traitOf func(*model.Schema, any) string) []string {
	if op == nil {
		return nil
	}
	t := &traits{traitOf: traitOf, all: map[string]bool{}}
	t.addParams(op, r)
	t.addValue("body", bodySchema(op), request.value)
	return slices.Sorted(maps.Keys(t.all))
}

// violation returns "wrong" for a value that violates its schema, otherwise "".
func violation(s *model.Schema, v any) string {
	if violates(s, v) {
		return "wrong"
	}
	return ""
}

// addParams adds the traits of the parameters in the query and in headers. Path parameters are IDs
// and have no traits.
func (t *traits) addParams(op *model.Operation, r model.Request) {
	_, raw, _ := strings.Cut(r.URL, "?")
	query, _ := url.ParseQuery(raw)
	for _, p := range op.Params {
		values := query[p.Name]
		if p.In == model.InHeader {
			values = r.Header[p.Name]
		}
		if (p.In == model.InQuery || p.In == model.InHeader) && len(values) > 0 {
			t.addValue(string(p.In)+"/"+p.Name, p.Schema, parseAs(p.Schema, values[0]))
		}
	}
}

// parseAs converts the text of a parameter to the type in its schema, if possible.
func parseAs(s *model.Schema, text string) any {
	if s == nil {
		return text
	}
	switch _, err := strconv.ParseFloat(text, 64); {
	case (s.Type == "integer" || s.Type == "number") && err == nil:
		return json.Number(text)
	case s.Type == "boolean" && (text == "true" || text == "false"):
		return text == "true"
	}
	return text
}

// addValue adds the traits of a value and of all values in it. at is the location of the value.
func (t *traits) addValue(at string, s *model.Schema, v any) {
	t.values++
	if t.values > maxValues {
		return
	}
	if trait := t.traitOf(s, v); trait != "" && len(t.all) < maxTraits {
		t.all[at+" is "+trait] = true
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			t.addValue(at+"/"+name, property(s, name, 0), v[name])
		}
	case []any:
		for _, item := range v {
			t.addValue(at+"/*", items(s), item)
		}
	}
}

// traitOfValue returns the trait of a value, "" if it has none. s may be nil.
func traitOfValue(s *model.Schema, v any) string {
	if s == nil {
		s = &model.Schema{}
	}
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case []any:
		return listTrait(s, len(v))
	case string:
		return textTrait(s, v)
	case json.Number:
		return numberTrait(s, v)
	}
	return ""
}

// listTrait returns the trait of a list with n items.
func listTrait(s *model.Schema, n int) string {
	switch {
	case n == 0:
		return "empty"
	case s.MaxItems != nil && n == *s.MaxItems:
		return "full"
	case n == 1:
		return "one"
	}
	return "several"
}

// textTrait returns the trait of a text, "" if it has none.
func textTrait(s *model.Schema, v string) string {
	n := utf8.RuneCountInString(v)
	switch {
	case slices.Contains(s.Enum, any(v)):
		return strconv.Quote(v)
	case n == 0:
		return "empty"
	case s.MaxLength != nil && n == *s.MaxLength:
		return "longest"
	case n == s.MinLength:
		return "shortest"
	}
	return ""
}

// numberTrait returns the trait of a number, "" if it has none.
func numberTrait(s *model.Schema, v json.Number) string {
	n, err := v.Float64()
	switch low, high := limits(s); {
	case err != nil:
		return ""
	case slices.Contains(s.Enum, any(n)):
		return v.String()
	case high != nil && n == *high:
		return "largest"
	case low != nil && n == *low:
		return "smallest"
	case n == 0:
		return "zero"
	}
	return ""
}

// limits returns the least and the greatest allowed number of a schema. Each is nil in the cases of limit.
func limits(s *model.Schema) (low, high *float64) {
	return limit(s, s.Min, s.ExclusiveMin, 1), limit(s, s.Max, s.ExclusiveMax, -1)
}

// limit returns an end of a schema's range as the last allowed number, nil if bound is nil. If the bound itself is
// excluded, this is bound+step for an integer, and nil for other numbers.
func limit(s *model.Schema, bound *float64, excluded bool, step float64) *float64 {
	switch {
	case bound == nil || excluded && s.Type != "integer":
		return nil
	case excluded:
		next := *bound + step
		return &next
	}
	return bound
}

// bodySchema returns the schema of the first media type of the operation's body, nil if there is
// none.
func bodySchema(op *model.Operation) *model.Schema {
	if op.Body == nil || len(op.Body.Contents) == 0 {
		return nil
	}
	return op.Body.Contents[0].Schema
}

// answerSchema returns the schema of an answer with a status: of that status, of its class such as 4XX, or
// the default. It returns nil if there is none.
func answerSchema(op *model.Operation, status int) *model.Schema {
	if op == nil {
		return nil
	}
	text := strconv.Itoa(status)
	for _, name := range []string{text, text[:1] + "XX", "default"} {
		i := slices.IndexFunc(op.Responses, func(r model.Response) bool { return r.Status == name })
		if i >= 0 && len(op.Responses[i].Contents) > 0 {
			return op.Responses[i].Contents[0].Schema
		}
	}
	return nil
}

// property returns the schema of a member, also from allOf, oneOf and anyOf, or else the schema of additional
// properties. It returns nil if there is neither.
func property(s *model.Schema, name string, depth int) *model.Schema {
	if s == nil || depth > maxSchemaDepth {
		return nil
	}
	if p := s.Property(name); p != nil {
		return p.Schema
	}
	for _, part := range slices.Concat(s.AllOf, s.OneOf, s.AnyOf) {
		if found := property(part, name, depth+1); found != nil {
			return found
		}
	}
	return s.Additional
}

// items returns the schema of a list's items, nil if there is none.
func items(s *model.Schema) *model.Schema {
	if s == nil {
		return nil
	}
	return s.Items
}
