package export

import (
	"net/url"
	"slices"
	"strings"

	"sonde/model"
)

// shot is a call that is ready to be written: each value is escaped for its place.
type shot struct {
	method, template string
	args             []given
	path             []part // with the query
	headers, cookies []field
	proof            string // the option that makes the call one of a user, "" for none
	tested           bool   // it is the call under test
	body             *payload
}

// field is a header or a cookie.
type field struct {
	name  string
	value part
}

// given is a value outside the body: that of an argument, or of the source that replaces it.
type given struct {
	model.Arg
	from *source
	was  string // the argument's own value if from replaces it
}

// to returns the value escaped for a place: path, query or text.
func (g given) to(place string) part {
	switch {
	case g.from != nil && place == "path":
		return part{from: g.from, as: place, was: model.EscapePath(g.was)}
	case g.from != nil:
		return part{from: g.from, as: place, was: model.EscapeQuery(g.was)}
	case place == "text":
		return part{text: printable(g.Value)}
	}
	return part{text: g.Encoded()}
}

// source is a value in an earlier answer that later calls need.
type source struct {
	call            int
	header, pointer string
	// name is the Go variable that holds the value; function sets it.
	name string
	// secret is a text with environment variables as "${NAME}", for a source that is such a text.
	secret string
}

// part is a piece of text, or the value of a source when the test runs.
type part struct {
	text string
	from *source
	// as is the place that the source's value is escaped for: path, query, form,
	// json, number or text.
	as string
	// was is the value that the test itself has in that place, "" if unknown.
	was string
}

// to returns the part escaped for a place in a body: form, number or json.
func (p part) to(place string) part {
	switch {
	case p.from != nil:
		return part{from: p.from, as: place}
	case place == "form":
		return part{text: url.QueryEscape(p.text)}
	case place == "number" && isNumber(p.text):
		return p
	}
	return part{text: spell(p.text)}
}

// binder makes the shots of a test. It puts values where Sonde's client puts them when it plays the
// test, so that the answers are the same.
type binder struct {
	test    model.Test
	args    [][]given
	sources []*source
}

// bind returns a shot for each call, nil for calls that were not sent; the sources from which the shots
// and further links take values; and the values of the further links.
func bind(t model.Test, further []*model.Link) ([]*shot, []*source, map[*model.Link]part) {
	b := binder{test: t, args: make([][]given, len(t.Calls))}
	shots := make([]*shot, len(t.Calls))
	for i, c := range t.Calls {
		if c.Status != 0 {
			shots[i] = b.shot(i)
		}
	}
	linked := map[*model.Link]part{}
	for _, l := range further {
		linked[l] = b.value(*l)
	}
	return shots, b.taken(shots, linked), linked
}

func (b *binder) shot(i int) *shot {
	call := b.test.Calls[i]
	b.args[i] = literals(call.Args)
	var inBody []field
	for _, l := range b.test.Links {
		if l.To != i || b.test.Calls[l.From].Status == 0 {
			continue
		}
		if value := b.value(l); l.In == model.InBody {
			inBody = append(inBody, field{l.Name, value})
		} else {
			b.args[i] = replace(b.args[i], l, value)
		}
	}
	method, template, _ := strings.Cut(string(call.Op), " ")
	s := &shot{method: method, template: template, args: b.args[i], path: pathParts(template, b.args[i])}
	s.path = append(s.path, queryParts(template, b.args[i])...)
	if call.Body != nil {
		s.body = newPayload(*call.Body, inBody)
	}
	s.headers, s.cookies = fields(b.args[i], s.body != nil)
	return s
}

// literals returns arguments with their own values.
func literals(args []model.Arg) []given {
	all := make([]given, len(args))
	for i, a := range args {
		all[i] = given{Arg: a}
	}
	return all
}

// replace gives an argument the value of a link, as Sonde's client does.
func replace(all []given, l model.Link, value part) []given {
	i := slices.IndexFunc(all, func(g given) bool { return g.In == l.In && g.Name == l.Name })
	if i < 0 {
		return append(all, given{Arg: model.Arg{In: l.In, Name: l.Name, Value: value.text}, from: value.from, was: ""})
	}
	all[i] = given{Arg: all[i].WithValue(value.text), from: value.from, was: all[i].PlainValue()}
	return all
}

// value returns the value of a link. A parameter of the earlier call may itself have the value of a
// link.
func (b *binder) value(l model.Link) part {
	if l.Param != "" {
		for _, g := range b.args[l.From] {
			if g.In == model.InPath && g.Name == l.Param {
				return part{text: g.PlainValue(), from: g.from}
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

// taken returns the sources that a shot or a further link uses. A link to a place that its call does
// not have leaves its source unused.
func (b *binder) taken(shots []*shot, linked map[*model.Link]part) []*source {
	used := map[*source]bool{}
	for _, p := range linked {
		used[p.from] = true
	}
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

// parts returns all parts of a shot.
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
