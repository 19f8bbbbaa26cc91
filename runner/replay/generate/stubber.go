package generate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// stubber finds the stable parts of an outward call.
type stubber struct {
	m        *maker
	s        *recordedExchange
	part     int
	sent     *recordedCall
	changing map[string]*model.Expectation // by place and name
	params   []model.Expectation
}

func (b *stubber) expect(l leaf) *model.Expectation {
	if b.s.hidden(l) && l.in != model.InPath {
		return &model.Expectation{Comparison: model.ComparePresent, Why: "a secret of the service, which was masked"}
	}
	return b.m.expect(b.s, b.part, l)
}

// add adds an expectation on a location.
func (b *stubber) add(in model.Location, name string, value json.RawMessage, e *model.Expectation) {
	want := model.Expectation{In: in, Name: name, Comparison: model.CompareEquals, Value: value}
	if e != nil {
		want = *e
		want.In, want.Name = in, name
	}
	b.params = append(b.params, want)
}

func (b *stubber) http() model.StubMatch {
	m := model.StubMatch{Method: b.sent.Request.Method, Path: b.path()}
	for _, a := range b.sent.query {
		e := b.changing[string(model.InQuery)+a.Name]
		b.add(model.InQuery, a.Name, jsonText(a.Value), e)
		if e == nil {
			if m.Query == nil {
				m.Query = map[string]string{}
			}
			m.Query[a.Name] = a.Value
		}
	}
	for _, l := range b.sent.request.leaves {
		if l.in == model.InHeader {
			b.add(model.InHeader, l.name, jsonText(l.text()), b.changing[string(l.in)+l.name])
		}
	}
	m.JSON = b.body()
	return m
}

// path returns the path of the call, with a parameter for each part that changes.
func (b *stubber) path() string {
	parts := slices.Clone(b.sent.path)
	taken := map[string]bool{}
	for _, l := range b.sent.request.leaves {
		e := b.changing[string(model.InPath)+l.name]
		if l.in != model.InPath || e == nil {
			continue
		}
		kind := "id"
		if len(l.kinds) > 0 {
			kind = l.kinds[0]
		}
		name := kind
		for n := 2; taken[name]; n++ {
			name = kind + strconv.Itoa(n)
		}
		taken[name] = true
		at, _ := strconv.Atoi(l.name)
		parts[at] = "{" + name + "}"
		b.add(model.InPath, name, nil, e)
	}
	return "/" + strings.Join(parts, "/")
}

// body adds the expectations on the body, and returns its stable part as JSON.
func (b *stubber) body() string {
	r := b.sent.request
	switch {
	case len(b.sent.Request.Body) == 0:
		return ""
	case r.bytes != nil && len(r.bytes) <= maxBody:
		b.params = append(
			b.params,
			model.Expectation{In: model.InBody, Comparison: model.CompareEquals, Bytes: r.bytes},
		)
		return ""
	case r.why != "":
		b.add(model.InBody, "", nil, &model.Expectation{Comparison: model.ComparePresent, Why: "it " + r.why})
		return ""
	}
	b.params = append(b.params, bodyWants(r, b.changing)...)
	if !r.isJSON {
		return ""
	}
	stable, keep := pruned(r.body, "", func(at string) bool { return b.changing[string(model.InBody)+at] == nil })
	if object, ok := stable.(map[string]any); !keep || ok && len(object) == 0 {
		return ""
	}
	return string(encoded(stable))
}

// bodyWants returns the expectation on a whole body, and those on locations that are compared
// differently.
func bodyWants(r message, changing map[string]*model.Expectation) []model.Expectation {
	whole := model.Expectation{In: model.InBody, Comparison: model.CompareEquals, Value: encoded(r.value())}
	if r.isJSON {
		whole.Value = exact(r)
	}
	all := []model.Expectation{whole}
	for _, l := range r.leaves {
		e := changing[string(model.InBody)+l.name]
		if l.in != model.InBody || e == nil {
			continue
		}
		want := *e
		want.In, want.Name = model.InBody, l.name
		if l.name == "" {
			return []model.Expectation{want}
		}
		all = append(all, want)
	}
	return all
}

// exact returns a JSON body as it was sent, without white space: names keep their order.
func exact(r message) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, []byte(r.text)) != nil {
		return encoded(r.body)
	}
	return b.Bytes()
}

// pruned returns a JSON value without the locations that are not kept. A list without one of its
// items is not kept either.
func pruned(v any, at string, keeps func(at string) bool) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		left := map[string]any{}
		for name, inner := range maps.All(v) {
			if value, ok := pruned(inner, at+"/"+pointer.Escape(name), keeps); ok {
				left[name] = value
			}
		}
		return left, true
	case []any:
		left := make([]any, len(v))
		for i := range v {
			value, ok := pruned(v[i], fmt.Sprint(at, "/", i), keeps)
			if !ok {
				return nil, false
			}
			left[i] = value
		}
		return left, true
	}
	return v, keeps(at)
}

// said returns the stable part of messages of TCP or UDP. On a connection with several messages it
// is the whole script.
func (b *stubber) said() model.StubMatch {
	var m model.StubMatch
	for _, l := range b.sent.request.leaves {
		e := b.changing[string(l.in)+l.name]
		if l.value == nil {
			turn, _ := strconv.Atoi(l.name)
			b.params = append(b.params, model.Expectation{
				In: model.InMessage, Name: l.name, Comparison: model.CompareEquals, Bytes: b.sent.Messages[turn].Request,
			})
			continue
		}
		if e != nil && e.Comparison == model.CompareLinked {
			e = pattern(classOf(l.text()), "what an earlier answer told")
		}
		b.add(model.InMessage, l.name, jsonText(l.text()), e)
		if len(b.sent.Messages) > 1 {
			continue
		}
		switch {
		case e == nil:
			m.Equals = l.text()
		case e.Comparison == model.ComparePattern:
			m.Regexp = whole(*e)
		}
	}
	return m
}

// whole returns the regular expression of an expectation on a whole text.
func whole(e model.Expectation) string {
	var form string
	json.Unmarshal(e.Value, &form) // we wrote it
	return "^(?:" + form + ")$"
}
