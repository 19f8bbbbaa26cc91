package generate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// maxBody bounds a body that is written into a test.
const maxBody = 64 << 10

// output returns the expectations of the output oracle (OO): on the answer of the call under test.
func (m *maker) output() []model.Expectation {
	all := []model.Expectation{{In: model.InStatus, Comparison: model.CompareEquals, Value: encoded(m.x.Reply.Status)}}
	for _, name := range m.telling() {
		all = append(all, m.header(name))
	}
	return append(all, m.body()...)
}

// telling are the headers of the answer that matter: those that describe the content or a
// location, and those of the spec.
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

// header returns the expectation on a header.
func (m *maker) header(name string) model.Expectation {
	l := leaf{in: model.InHeader, name: name, value: first(m.x.Reply.Header, name), kinds: []string{plain(name)}}
	want := model.Expectation{Comparison: model.CompareEquals, Value: jsonText(l.text())}
	if e := m.headerExpects(l); e != nil {
		want = *e
	}
	want.In, want.Name = model.InHeader, name
	return want
}

func (m *maker) headerExpects(l leaf) *model.Expectation {
	if strings.EqualFold(l.name, "Set-Cookie") {
		return &model.Expectation{Comparison: model.ComparePresent, Why: "a cookie, which is another one each time"}
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

// body returns the expectations on the answer's body.
func (m *maker) body() []model.Expectation {
	said := m.x.said
	switch {
	case said.bytes != nil && len(said.bytes) <= maxBody:
		return []model.Expectation{{In: model.InBody, Comparison: model.CompareEquals, Bytes: said.bytes}}
	case said.why != "":
		return []model.Expectation{{In: model.InBody, Comparison: model.ComparePresent, Why: "it " + said.why}}
	case len(said.text) > maxBody && said.isJSON:
		return []model.Expectation{{
			In: model.InBody, Comparison: model.CompareType, Value: jsonText(rootType(said.body)), Why: tooLong(said.text),
		}}
	case len(said.text) > maxBody:
		return []model.Expectation{{In: model.InBody, Comparison: model.ComparePresent, Why: tooLong(said.text)}}
	}
	changing := map[string]*model.Expectation{}
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

// rootType returns the JSON type of a whole body.
func rootType(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	}
	return shape.JSONType(v)
}
