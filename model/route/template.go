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
	slash    bool // it ends in one
	query    []condition
}

// condition is what a template says of the query: that it has a name, with a
// value, or with any value where that is a parameter.
type condition struct {
	name, value string
	param       string // "" for none
	any         bool   // also no value
}

// newTemplate reads a path template. A fragment in it, which some documents use
// to tell operations apart, never reaches a service and does not count.
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

// meets reports whether a query is as the template wants it.
func (t *template) meets(q *query) bool {
	for _, c := range t.query {
		values, has := q.values()[c.name]
		if !has || !c.any && !slices.Contains(values, c.value) {
			return false
		}
	}
	return true
}

// args are the values of the parameters in a request that fits.
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

// segment is fixed texts with parameters between them: "{id}.{format}" is "",
// "." and "" around id and format.
type segment struct {
	texts  []string // one more than params
	params []string
}

// newSegment reads a segment of a template. A brace without its other half is
// text.
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

// key is equal for segments that fit the same texts.
func (g segment) key() string { return strings.Join(g.texts, "\x00{}") }

// fixed is how much of the segment is text.
func (g segment) fixed() int {
	n := 0
	for _, t := range g.texts {
		n += len(t)
	}
	return n
}

// values returns what the parameters are in a text, at least one byte each, and
// whether the text fits at all. Where several ways fit, the first parameters
// take what they can, so that of "a.b.json" for "{name}.{format}" the format is
// json. It looks for the fixed texts from the right, each once.
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

// PathMatches reports whether a URL, of which only path and query count, is one of a path
// template.
func PathMatches(path, target string) bool {
	t := newTemplate(&model.Operation{Path: path})
	at, query := parts(target)
	return slices.EqualFunc(t.segments, trimmed(at), func(s segment, text string) bool {
		_, fits := s.values(text)
		return fits
	}) && t.meets(&query)
}
