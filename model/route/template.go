package route

import (
	"net/url"
	"slices"
	"strings"

	"sonde/model"
)

// template is the path template of an operation.
type template struct {
	op       *model.Operation
	segments []segment
	slash    bool // the template ends in a slash
	query    []condition
}

// condition is a condition for the query: the query must have a parameter with this name and value.
type condition struct {
	name, value string
	param       string // the path parameter that has the value, "" for none
	any         bool   // any value satisfies the condition
}

// newTemplate parses a path template. A fragment, which some documents use to distinguish
// operations, is never sent and is ignored.
func newTemplate(op *model.Operation) *template {
	path, _, _ := strings.Cut(op.Path, "#")
	path, query, _ := strings.Cut(path, "?")
	t := &template{op: op, slash: strings.HasSuffix(path, "/")}
	path = strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/")
	if path != "" {
		for _, s := range strings.Split(path, "/") {
			t.segments = append(t.segments, newSegment(s))
		}
	}
	for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' }) {
		t.query = append(t.query, newCondition(pair))
	}
	return t
}

func newCondition(pair string) condition {
	name, value, given := strings.Cut(pair, "=")
	c := condition{name: unescaped(name), value: unescaped(value), any: !given}
	if inner, ok := strings.CutPrefix(value, "{"); ok && strings.HasSuffix(inner, "}") {
		c.param, c.any = strings.TrimSuffix(inner, "}"), true
	}
	return c
}

func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// meets reports whether a query satisfies the template's conditions.
func (t *template) meets(q *query) bool {
	for _, c := range t.query {
		values, has := q.values()[c.name]
		if !has || !c.any && !slices.Contains(values, c.value) {
			return false
		}
	}
	return true
}

// args returns the values of the template's parameters in a request. The request must match the template.
func (t *template) args(segments []string, q *query) []model.Arg {
	var all []model.Arg
	for i, s := range t.segments {
		values, _ := s.values(segments[i])
		for j, name := range s.params {
			all = append(all, model.Arg{In: model.InPath, Name: name, Value: values[j]})
		}
	}
	for _, c := range t.query {
		if c.param != "" {
			all = append(all, model.Arg{In: model.InPath, Name: c.param, Value: q.values().Get(c.name)})
		}
	}
	return all
}

// segment is a segment of a template: fixed texts with parameters between them. "{id}.{format}" has the texts
// "", "." and "" around the parameters id and format.
type segment struct {
	texts  []string // one more than params
	params []string
}

// newSegment parses a segment of a template. An unmatched brace is text.
func newSegment(s string) segment {
	var g segment
	text := ""
	for {
		open := strings.IndexByte(s, '{')
		size := strings.IndexByte(s[max(0, open):], '}')
		if open < 0 || size < 0 {
			g.texts = append(g.texts, decoded(text+s))
			return g
		}
		g.texts = append(g.texts, decoded(text+s[:open]))
		g.params = append(g.params, s[open+1:open+size])
		text, s = "", s[open+size+1:]
	}
}

// key returns a text that is equal for segments that match the same texts.
func (g segment) key() string { return strings.Join(g.texts, "\x00{}") }

// fixed returns the length of the segment's fixed text.
func (g segment) fixed() int {
	n := 0
	for _, t := range g.texts {
		n += len(t)
	}
	return n
}

// values returns the values of the parameters in a text, each at least one byte long. ok is false if the text does
// not match the segment. If there are several ways to match, the first parameters are as long as possible: for
// "{name}.{format}", the format of "a.b.json" is "json". To find these values, the fixed texts are searched from
// right to left, each once.
func (g segment) values(text string) ([]string, bool) {
	rest, ok := strings.CutPrefix(text, g.texts[0])
	if !ok || len(g.params) == 0 {
		return nil, ok && rest == ""
	}
	values := make([]string, len(g.params))
	last := len(g.params)
	rest, ok = strings.CutSuffix(rest, g.texts[last])
	if !ok {
		return nil, false
	}
	for i := last - 1; i > 0; i-- {
		at := -1
		if len(rest) > 0 {
			at = strings.LastIndex(rest[:len(rest)-1], g.texts[i])
		}
		if at < 0 {
			return nil, false
		}
		values[i] = rest[at+len(g.texts[i]):]
		rest = rest[:at]
	}
	values[0] = rest
	return values, rest != ""
}

// PathMatches reports whether the path and the query of a URL match a path template.
func PathMatches(path, target string) bool {
	t := newTemplate(&model.Operation{Path: path})
	at, query := parts(target)
	return slices.EqualFunc(t.segments, trimmed(at), func(s segment, text string) bool {
		_, fits := s.values(text)
		return fits
	}) && t.meets(&query)
}
