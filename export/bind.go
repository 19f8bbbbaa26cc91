package export

import (
	"net/url"
	"slices"
	"strings"

	"sonde/model"
)

// shot is a call ready to be written: all of it is escaped for its place.
type shot struct {
	method           string
	path             []part // with the query
	headers, cookies []field
	proof            string // the option with which a user proves who calls
	body             *payload
}

// field is a header or a cookie.
type field struct {
	name  string
	value part
}

// given is a value for a place outside of the body.
type given struct {
	in model.Place
	field
	// lead stands before a linked value in the path: the name in the matrix
	// style, the dot of the label style.
	lead string
}

// source is a part of an earlier answer that later calls need.
type source struct {
	call            int
	header, pointer string
	// name is the variable's; the writer sets it.
	name string
}

// part is a piece of text, or what a source gives when the test runs.
type part struct {
	text string
	from *source
	// as is the place that the source's value is escaped for: path, query, form,
	// json, number or text.
	as string
}

// to escapes a literal for a place, or has the source's value escaped.
func (p part) to(place string) part {
	if p.from != nil {
		return part{from: p.from, as: place}
	}
	switch {
	case place == "number" && isNumber(p.text):
		return p
	case place == "number", place == "json":
		return part{text: spell(p.text)}
	case place == "path":
		return part{text: escape(p.text)}
	case place == "query":
		return part{text: escapeQuery(p.text)}
	case place == "form":
		return part{text: url.QueryEscape(p.text)}
	}
	return part{text: printable(p.text)}
}

// binder makes the shots of a test. Values go where Sonde's client puts them
// when it plays the test, so that the answers are the same.
type binder struct {
	test    model.Test
	args    [][]given
	sources []*source
}

// bind returns a shot for each call, nil where the call was not reached, and
// the sources that they take from.
func bind(t model.Test) ([]*shot, []*source) {
	b := binder{test: t, args: make([][]given, len(t.Calls))}
	shots := make([]*shot, len(t.Calls))
	for i, c := range t.Calls {
		if c.Status != 0 {
			shots[i] = b.shot(i)
		}
	}
	return shots, b.taken(shots)
}

func (b *binder) shot(i int) *shot {
	call := b.test.Calls[i]
	b.args[i] = literals(call.Args)
	var inBody []field
	for _, l := range b.test.Links {
		if l.To != i || b.test.Calls[l.From].Status == 0 {
			continue
		}
		f := field{l.Name, b.value(l)}
		if l.In == model.InBody {
			inBody = append(inBody, f)
		} else {
			b.args[i] = replace(b.args[i], given{in: l.In, field: f})
		}
	}
	method, template, _ := strings.Cut(string(call.Op), " ")
	s := &shot{method: method, path: pathParts(template, b.args[i])}
	s.path = append(s.path, queryParts(template, b.args[i])...)
	if call.Body != nil {
		s.body = newPayload(*call.Body, inBody)
	}
	s.headers, s.cookies = fields(b.args[i], s.body != nil)
	return s
}

func literals(args []model.Arg) []given {
	all := make([]given, len(args))
	for i, a := range args {
		all[i] = given{in: a.In, field: field{a.Name, part{text: a.Value}}}
	}
	return all
}

func replace(all []given, g given) []given {
	i := slices.IndexFunc(all, func(o given) bool { return o.in == g.in && o.name == g.name })
	if i < 0 {
		return append(all, g)
	}
	g.lead = all[i].leads()
	all[i] = g
	return all
}

// leads returns what stood before the value that a link replaces, where
// Sonde's client finds it, too.
func (g given) leads() string {
	text := g.value.text
	switch {
	case g.in != model.InPath || g.value.from != nil:
		return g.lead
	case strings.HasPrefix(text, ";"+g.name+"="):
		return ";" + g.name + "="
	case strings.HasPrefix(text, "."):
		return "."
	}
	return g.lead
}

// value returns what a link carries. The client's own id may itself have come
// over a link.
func (b *binder) value(l model.Link) part {
	if l.Param != "" {
		for _, g := range b.args[l.From] {
			if g.in == model.InPath && g.name == l.Param {
				own := g.value
				own.text = strings.TrimPrefix(own.text, ";"+g.name+"=")
				return own
			}
		}
		return part{}
	}
	if l.Pointer == model.WholeBody || l.Header != "" {
		l.Pointer = ""
	}
	for _, s := range b.sources {
		if s.call == l.From && s.header == l.Header && s.pointer == l.Pointer {
			return part{from: s}
		}
	}
	s := &source{call: l.From, header: l.Header, pointer: l.Pointer}
	b.sources = append(b.sources, s)
	return part{from: s}
}

// taken returns the sources that a shot takes from. A link may point to a
// place that its call does not have.
func (b *binder) taken(shots []*shot) []*source {
	used := map[*source]bool{}
	for _, s := range shots {
		if s == nil {
			continue
		}
		for _, p := range s.parts() {
			used[p.from] = true
		}
	}
	return slices.DeleteFunc(b.sources, func(s *source) bool { return !used[s] })
}

// parts returns all that a shot is made of.
func (s *shot) parts() []part {
	all := slices.Clone(s.path)
	for _, f := range slices.Concat(s.headers, s.cookies) {
		all = append(all, f.value)
	}
	if s.body != nil {
		all = append(all, s.body.parts(0)...)
	}
	return all
}
