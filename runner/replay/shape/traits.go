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

// Bounds of what is read from an exchange.
const (
	maxTraits   = 200
	maxPlaces   = 5000
	deepestPart = 8 // of schemas in allOf, oneOf and anyOf
)

// traits collects the traits of one exchange.
type traits struct {
	class  func(s *model.Schema, v any) string // the trait of a value, "" for none
	all    map[string]bool
	places int
}

// traitsOf returns the traits of an exchange. A refusal has a single one: which values were wrong,
// and its message.
func traitsOf(op *model.Operation, x model.Exchange, asked, told body) []string {
	if x.Reply.Status >= 400 {
		wrong := asking(op, x.Request, asked, wrongOf)
		if says := refusal(op, asked, told); says != "" || len(wrong) > 0 {
			return []string{strings.Join(append(wrong, "says "+says), ", ")}
		}
		return nil
	}
	t := &traits{class: classOf, all: map[string]bool{}}
	t.value("answer", answerSchema(op, x.Reply.Status), told.value)
	return append(asking(op, x.Request, asked, classOf), slices.Sorted(maps.Keys(t.all))...)
}

// asking finds traits of a request.
func asking(op *model.Operation, r model.Request, asked body, class func(*model.Schema, any) string) []string {
	if op == nil {
		return nil
	}
	t := &traits{class: class, all: map[string]bool{}}
	t.params(op, r)
	t.value("body", bodySchema(op), asked.value)
	return slices.Sorted(maps.Keys(t.all))
}

// wrongOf returns the trait of a value that violates its schema.
func wrongOf(s *model.Schema, v any) string {
	if breaks(s, v) {
		return "wrong"
	}
	return ""
}

// params reads the parameters outside of path and body. Path parameters are IDs.
func (t *traits) params(op *model.Operation, r model.Request) {
	_, raw, _ := strings.Cut(r.URL, "?")
	query, _ := url.ParseQuery(raw)
	for _, p := range op.Params {
		values := query[p.Name]
		if p.In == model.InHeader {
			values = r.Header[p.Name]
		}
		if (p.In == model.InQuery || p.In == model.InHeader) && len(values) > 0 {
			t.value(string(p.In)+"/"+p.Name, p.Schema, readAs(p.Schema, values[0]))
		}
	}
}

// readAs parses a text by its schema.
func readAs(s *model.Schema, text string) any {
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

// value reads a value and all values in it.
func (t *traits) value(at string, s *model.Schema, v any) {
	t.places++
	if t.places > maxPlaces {
		return
	}
	if class := t.class(s, v); class != "" && len(t.all) < maxTraits {
		t.all[at+" is "+class] = true
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			t.value(at+"/"+name, property(s, name, 0), v[name])
		}
	case []any:
		for _, item := range v {
			t.value(at+"/*", items(s), item)
		}
	}
}

// classOf returns the trait of a value, "" if it has none.
func classOf(s *model.Schema, v any) string {
	if s == nil {
		s = &model.Schema{}
	}
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case []any:
		return listClass(s, len(v))
	case string:
		return textClass(s, v)
	case json.Number:
		return numberClass(s, v)
	}
	return ""
}

func listClass(s *model.Schema, n int) string {
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

func textClass(s *model.Schema, v string) string {
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

func numberClass(s *model.Schema, v json.Number) string {
	n, err := v.Float64()
	switch low, high := edges(s); {
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

// edges returns the minimum and the maximum of a schema, nil if it has none.
func edges(s *model.Schema) (low, high *float64) {
	return edge(s, s.Min, s.ExclusiveMin, 1), edge(s, s.Max, s.ExclusiveMax, -1)
}

func edge(s *model.Schema, at *float64, excluded bool, step float64) *float64 {
	switch {
	case at == nil || excluded && s.Type != "integer":
		return nil
	case excluded:
		next := *at + step
		return &next
	}
	return at
}

func bodySchema(op *model.Operation) *model.Schema {
	if op.Body == nil || len(op.Body.Contents) == 0 {
		return nil
	}
	return op.Body.Contents[0].Schema
}

// answerSchema returns the schema of an answer: of its status, its class of statuses, or the
// default.
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

// property returns the schema of a member, nil if there is none.
func property(s *model.Schema, name string, depth int) *model.Schema {
	if s == nil || depth > deepestPart {
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

func items(s *model.Schema) *model.Schema {
	if s == nil {
		return nil
	}
	return s.Items
}
