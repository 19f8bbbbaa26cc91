package export

import (
	"net/url"
	"slices"
	"strings"

	"sonde/model"
)

// boundCall is a call in which each value is a literal or a source, escaped for its place in the request. A boundCall
// does not depend on a programming language.
type boundCall struct {
	method, template string
	args             []argValue
	path             []part // the path with the query
	headers, cookies []field
	userOption       string // the Go option for the user who calls, "" for none
	underTest        bool   // the call is the call under test of a recorded exchange
	body             *payload
}

// field is a named value: a header, a cookie, or a value in a body.
type field struct {
	name  string
	value part
}

// argValue is the value of an argument outside the body: the argument's own value, or the source that
// replaces it.
type argValue struct {
	model.Arg
	from     *source
	original string // the argument's own value if from is set
}

// to returns the value escaped for a place: path, query or text.
func (g argValue) to(place string) part {
	switch {
	case g.from != nil && place == "path":
		return part{from: g.from, escaping: place, original: model.EscapePath(g.original)}
	case g.from != nil:
		return part{from: g.from, escaping: place, original: model.EscapeQuery(g.original)}
	case place == "text":
		return part{text: printable(g.Value)}
	}
	return part{text: g.Encoded()}
}

// source is where a call takes a value from when the test runs: a part of an earlier answer, a part of the
// answer to a log-in, or environment variables.
type source struct {
	call                     int
	header, pointer, pattern string // as in a link; pointer is "" for the whole body
	// name is the Go expression of the value. For an earlier answer it is a variable, whose name is
	// set when the call is written.
	name string
	// secret is a text with environment variables in the form "${NAME}". It is "" if the source is part of
	// an answer.
	secret string
}

// part is a piece of literal text, or the value of a source.
type part struct {
	text string
	from *source
	// escaping is the place for which the value of from is escaped: path, query, form, json, number or text.
	escaping string
	// original is the value in the run that takes this place, "" if unknown.
	original string
}

// to returns the part escaped for a place in a body, which is form, number or json.
func (p part) to(place string) part {
	switch {
	case p.from != nil:
		return part{from: p.from, escaping: place}
	case place == "form":
		return part{text: url.QueryEscape(p.text)}
	case place == "number" && isNumber(p.text):
		return p
	}
	return part{text: jsonString(p.text)}
}

// binder makes the bound calls of a test. It inserts values in the same places as Sonde's client, so that
// the service gives the same answers.
type binder struct {
	test    model.Test
	users   []model.User
	args    [][]argValue
	sources []*source
}

// bind returns a bound call for each call of a test, nil for a call that was not sent. further are the
// links that assertions need in addition to those of the test. A call that logs one of the users in has the secrets of this
// user. bind also returns the sources that calls
// and assertions use, and the value of each further link.
func bind(t model.Test, users []model.User, further []*model.Link) ([]*boundCall, []*source, map[*model.Link]part) {
	b := binder{test: t, users: users, args: make([][]argValue, len(t.Calls))}
	calls := make([]*boundCall, len(t.Calls))
	for i, c := range t.Calls {
		if c.Status != 0 {
			calls[i] = b.call(i)
		}
	}
	linked := map[*model.Link]part{}
	for _, l := range further {
		linked[l] = b.value(*l)
	}
	return calls, b.usedSources(calls, linked), linked
}

// call returns the bound call for call i of the test.
func (b *binder) call(i int) *boundCall {
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
	inBody = append(inBody, loginSecrets(b.users, call)...)
	method, template, _ := strings.Cut(string(call.Op), " ")
	s := &boundCall{method: method, template: template, args: b.args[i], path: pathParts(template, b.args[i])}
	s.path = append(s.path, queryParts(template, b.args[i])...)
	if call.Body != nil {
		s.body = newPayload(*call.Body, inBody)
	}
	s.headers, s.cookies = fields(b.args[i], s.body != nil)
	return s
}

// loginSecrets returns the texts in the body of a call that refer to secrets of the users whom its operation logs in.
func loginSecrets(users []model.User, call model.Call) (all []field) {
	if call.Body == nil {
		return nil
	}
	var names []string
	for _, u := range users {
		if u.Login == nil || u.Login.Operation() != call.Op {
			continue
		}
		for _, t := range u.Login.BodyTexts() {
			names = append(names, model.SecretNames(t.Text)...)
		}
	}
	if len(names) == 0 {
		return nil
	}
	for _, t := range call.Body.Texts() {
		if slices.ContainsFunc(model.SecretNames(t.Text), func(name string) bool { return slices.Contains(names, name) }) {
			all = append(all, field{t.Pointer, secretValue(t.Text)})
		}
	}
	return all
}

// literals returns the arguments with their own values, without sources.
func literals(args []model.Arg) []argValue {
	all := make([]argValue, len(args))
	for i, a := range args {
		all[i] = argValue{Arg: a}
	}
	return all
}

// replace gives an argument the value of a link, in the same way as Sonde's client. If the call does not have the
// argument, replace adds it.
func replace(all []argValue, l model.Link, value part) []argValue {
	i := slices.IndexFunc(all, func(g argValue) bool { return g.In == l.In && g.Name == l.Name })
	if i < 0 {
		return append(all, argValue{Arg: model.Arg{In: l.In, Name: l.Name, Value: value.text}, from: value.from, original: ""})
	}
	all[i] = argValue{Arg: all[i].WithValue(value.text), from: value.from, original: all[i].PlainValue()}
	return all
}

// value returns the value of a link. If the link copies a path parameter of the earlier call, the value is the
// parameter's own text, or the source from which an earlier link set the parameter. It is empty if the earlier call
// does not have the parameter.
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
		if s.call == l.From && s.header == l.Header && s.pointer == l.Pointer && s.pattern == l.Pattern {
			return part{from: s}
		}
	}
	s := &source{call: l.From, header: l.Header, pointer: l.Pointer, pattern: l.Pattern}
	b.sources = append(b.sources, s)
	return part{from: s}
}

// usedSources returns the sources that appear in a call or in a link of an assertion (linked). A source is
// unused if its link sets an input that the later call does not have.
func (b *binder) usedSources(calls []*boundCall, linked map[*model.Link]part) []*source {
	used := map[*source]bool{}
	for _, p := range linked {
		used[p.from] = true
	}
	for _, s := range calls {
		if s == nil {
			continue
		}
		for _, p := range s.parts() {
			used[p.from] = true
		}
	}
	return slices.DeleteFunc(b.sources, func(s *source) bool { return !used[s] })
}

func (s *boundCall) parts() []part {
	all := slices.Clone(s.path)
	for _, f := range slices.Concat(s.headers, s.cookies) {
		all = append(all, f.value)
	}
	if s.body != nil {
		all = append(all, s.body.parts(0)...)
	}
	return all
}
