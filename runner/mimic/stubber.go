package mimic

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

// stubber finds out what of an outward call is stable.
type stubber struct {
	m        *maker
	s        *seen
	part     int
	sent     *sending
	changing map[string]*model.Expected // by place and name
	params   []model.Expected
}

func (b *stubber) expect(l leaf) *model.Expected {
	if b.s.hidden(l) && l.in != model.InPath {
		return &model.Expected{Like: model.Present, Why: "a secret of the service, which was masked"}
	}
	return b.m.expect(b.s, b.part, l)
}

// add wants something of a place.
func (b *stubber) add(in model.Place, name string, value json.RawMessage, e *model.Expected) {
	want := model.Expected{In: in, Name: name, Like: model.Equals, Value: value}
	if e != nil {
		want = *e
		want.In, want.Name = in, name
	}
	b.params = append(b.params, want)
}

func (b *stubber) http() model.Match {
	m := model.Match{Method: b.sent.Request.Method, Path: b.path()}
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

// path is the path of the call, a parameter in the place of each part that changes.
func (b *stubber) path() string {
	parts := slices.Clone(b.sent.path)
	taken := map[string]bool{}
	for _, l := range b.sent.request.leaves {
		e := b.changing[string(model.InPath)+l.name]
		if l.in != model.InPath || e == nil {
			continue
		}
		name := "id"
		if len(l.kinds) > 0 && l.kinds[0] != "id" {
			name = l.kinds[0]
		}
		for n := 2; taken[name]; n++ {
			name = name + strconv.Itoa(n)
		}
		taken[name] = true
		at, _ := strconv.Atoi(l.name)
		parts[at] = "{" + name + "}"
		b.add(model.InPath, name, nil, e)
	}
	return "/" + strings.Join(parts, "/")
}

// body wants the body, and returns what of it is stable as JSON.
func (b *stubber) body() string {
	r := b.sent.request
	switch {
	case len(b.sent.Request.Body) == 0:
		return ""
	case r.bytes != nil && len(r.bytes) <= mostBody:
		b.params = append(b.params, model.Expected{In: model.InBody, Like: model.Equals, Bytes: r.bytes})
		return ""
	case r.why != "":
		b.add(model.InBody, "", nil, &model.Expected{Like: model.Present, Why: "it " + r.why})
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

// bodyWants are the whole of a body, and the places in it that are compared otherwise.
func bodyWants(r message, changing map[string]*model.Expected) []model.Expected {
	whole := model.Expected{In: model.InBody, Like: model.Equals, Value: encoded(r.value())}
	if r.isJSON {
		whole.Value = exact(r)
	}
	all := []model.Expected{whole}
	for _, l := range r.leaves {
		e := changing[string(model.InBody)+l.name]
		if l.in != model.InBody || e == nil {
			continue
		}
		want := *e
		want.In, want.Name = model.InBody, l.name
		if l.name == "" {
			return []model.Expected{want}
		}
		all = append(all, want)
	}
	return all
}

// exact is a JSON body as it was sent, without its spaces: names keep their order.
func exact(r message) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, []byte(r.text)) != nil {
		return encoded(r.body)
	}
	return b.Bytes()
}

// pruned is a JSON value without the places that are not kept. A list that lacks an item
// is not kept either.
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

// said is what is stable of what is said by TCP or UDP. A connection on which several
// things are said has all of its script.
func (b *stubber) said() model.Match {
	var m model.Match
	for _, l := range b.sent.request.leaves {
		e := b.changing[string(l.in)+l.name]
		if l.value == nil {
			turn, _ := strconv.Atoi(l.name)
			b.params = append(b.params, model.Expected{In: model.InSaid, Name: l.name, Like: model.Equals, Bytes: b.sent.Turns[turn].Words})
			continue
		}
		if e != nil && e.Like == model.Linked {
			e = pattern(classOf(l.text()), "what an earlier answer told")
		}
		b.add(model.InSaid, l.name, jsonText(l.text()), e)
		if len(b.sent.Turns) > 1 {
			continue
		}
		switch {
		case e == nil:
			m.Equals = l.text()
		case e.Like == model.Pattern:
			m.Regexp = whole(*e)
		}
	}
	return m
}

// whole is the regular expression of an expectation that is of all of a text.
func whole(e model.Expected) string {
	var form string
	json.Unmarshal(e.Value, &form) // we wrote it
	return "^(?:" + form + ")$"
}
