package mimic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/shape"
)

// mostBody is how long a body is at most that stands in a test.
const mostBody = 64 << 10

// output is what must hold of the answer of the call under test.
func (m *maker) output() []model.Expected {
	all := []model.Expected{{In: model.InStatus, Like: model.Equals, Value: encoded(m.x.Reply.Status)}}
	for _, name := range m.telling() {
		all = append(all, m.header(name))
	}
	return append(all, m.body()...)
}

// telling are the headers of the answer that matter: those that say what it is and where
// a thing is, and those that the spec has.
func (m *maker) telling() []string {
	documented := []string{"Content-Type", "Location"}
	for _, r := range m.x.op.Responses {
		status := strconv.Itoa(m.x.Reply.Status)
		if r.Status == status || strings.EqualFold(r.Status, status[:1]+"XX") || r.Status == "default" {
			for _, h := range r.Headers {
				documented = append(documented, h.Name)
			}
		}
	}
	var all []string
	for _, name := range sortedKeys(m.x.Reply.Header) {
		if slices.ContainsFunc(documented, func(d string) bool { return strings.EqualFold(d, name) }) {
			all = append(all, name)
		}
	}
	return all
}

// header is what must hold of a header.
func (m *maker) header(name string) model.Expected {
	l := leaf{in: model.InHeader, name: name, value: first(m.x.Reply.Header, name), kinds: []string{plain(name)}}
	want := model.Expected{Like: model.Equals, Value: jsonText(l.text())}
	if e := m.headerExpects(l); e != nil {
		want = *e
	}
	want.In, want.Name = model.InHeader, name
	return want
}

func (m *maker) headerExpects(l leaf) *model.Expected {
	if strings.EqualFold(l.name, "Set-Cookie") {
		return &model.Expected{Like: model.Present, Why: "a cookie, which is another one each time"}
	}
	if m.literal(m.x, l) {
		return nil
	}
	if e := clock(l, m.x.Exchange); e != nil {
		return e
	}
	e := embedding{m: m, s: m.x, part: answerPart, l: l}
	for _, other := range m.groups[m.x.shape] {
		if other != m.x && len(e.others) < 200 {
			e.others = append(e.others, leaf{in: l.in, name: l.name, value: first(other.Reply.Header, l.name)})
		}
	}
	form := e.form(l.text())
	if len(e.found) == 0 || !e.proved(form) {
		return nil
	}
	return pattern(form, "holds "+strings.Join(slices.Compact(e.found), " and "))
}

// body is what must hold of the answer's body.
func (m *maker) body() []model.Expected {
	said := m.x.said
	switch {
	case said.bytes != nil && len(said.bytes) <= mostBody:
		return []model.Expected{{In: model.InBody, Like: model.Equals, Bytes: said.bytes}}
	case said.why != "":
		return []model.Expected{{In: model.InBody, Like: model.Present, Why: "it " + said.why}}
	case len(said.text) > mostBody && said.isJSON:
		return []model.Expected{{In: model.InBody, Like: model.Typed, Value: jsonText(rootType(said.body)), Why: tooLong(said.text)}}
	case len(said.text) > mostBody:
		return []model.Expected{{In: model.InBody, Like: model.Present, Why: tooLong(said.text)}}
	}
	changing := map[string]*model.Expected{}
	for _, l := range m.x.told {
		if l.in != model.InBody {
			continue
		}
		if e := m.expect(m.x, answerPart, l); e != nil {
			changing[string(model.InBody)+l.name] = e
		}
	}
	return bodyWants(said, changing)
}

func tooLong(text string) string {
	return fmt.Sprintf("%d bytes are too many for a test", len(text))
}

// rootType is the JSON type of a whole body.
func rootType(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	}
	return shape.TypeOf(v)
}
