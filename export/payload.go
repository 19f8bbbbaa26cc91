package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/answer"
	"sonde/model/pointer"
)

// payload is a body. JSON is indented; other bodies are unchanged.
type payload struct {
	media, data       string
	tree, literalTree *node // JSON with and without linked values; nil for other bodies
	marks             []field
	linked            []part // a form or an XML document with linked values; nil for other bodies
}

// newPayload inserts values into a body. The name of a value is its JSON pointer. A body that is neither
// JSON nor a form nor XML is unchanged.
func newPayload(body model.Payload, values []field) *payload {
	p := &payload{media: body.Media, data: body.Data}
	if strings.HasPrefix(body.Media, "application/x-www-form-urlencoded") && len(values) > 0 {
		p.linked = formParts(body.Data, values)
		return p
	}
	if answer.IsXML(body.Media) && len(values) > 0 {
		p.linked = xmlParts(body.Data, values)
		return p
	}
	if !isJSON(body.Media) && len(values) == 0 {
		return p
	}
	tree, ok := parseJSON(body.Data)
	if !ok {
		return p
	}
	p.tree = tree
	p.literalTree, _ = parseJSON(body.Data)
	for i, v := range values {
		p.put(v, i)
	}
	return p
}

// formParts inserts values into a form. The fields are sorted, as in requests of Sonde's client. An invalid
// form is unchanged.
func formParts(data string, values []field) []part {
	old, err := url.ParseQuery(data)
	if err != nil {
		return []part{{text: data}}
	}
	fields := map[string][]part{}
	for name, texts := range old {
		for _, text := range texts {
			fields[name] = append(fields[name], part{text: url.QueryEscape(text)})
		}
	}
	for _, v := range values {
		fields[pointer.LastToken(v.name)] = []part{v.value.to("form")}
	}
	var parts []part
	mark := ""
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		for _, v := range fields[name] {
			parts = append(parts, part{text: mark + url.QueryEscape(name) + "="}, v)
			mark = "&"
		}
	}
	return parts
}

// xmlParts inserts values into an XML document. A value without an element is left out.
func xmlParts(data string, values []field) []part {
	type insertion struct {
		answer.XMLText
		value part
	}
	var all []insertion
	for _, v := range values {
		if at, ok := answer.FindXMLText(data, v.name); ok {
			all = slices.DeleteFunc(all, func(i insertion) bool { return i.Start == at.Start }) // the last link wins
			value := v.value
			value.escaping, value.original = "text", at.Text
			all = append(all, insertion{at, value})
		}
	}
	slices.SortFunc(all, func(a, b insertion) int { return cmp.Compare(a.Start, b.Start) })
	var parts []part
	end := 0
	for _, i := range all {
		parts = append(parts, part{text: data[end:i.Start]}, i.value)
		end = i.End
	}
	return append(parts, part{text: data[end:]})
}

// put sets a value in the tree. A value that is known only when the test runs is represented by a mark with
// NULs, which JSON text cannot contain. A value that replaces a number becomes a number if possible.
func (p *payload) put(v field, i int) {
	place, was := "json", ""
	if old := p.literalTree.at(v.name); old != nil {
		was = old.text
		if isNumber(was) {
			place = "number"
		}
	}
	value := v.value.to(place)
	value.original = was
	if value.from == nil {
		p.tree.put(v.name, value.text)
		return
	}
	mark := fmt.Sprintf("\x00%d\x00", i)
	if p.tree.put(v.name, mark) {
		p.marks = append(p.marks, field{mark, value})
	}
}

// parts returns the body as parts. indent is the number of tabs before its lines.
func (p *payload) parts(indent int) []part {
	switch {
	case p.linked != nil:
		return p.linked
	case p.tree == nil:
		return []part{{text: p.data}}
	}
	parts := []part{{text: p.tree.layout(indent)}}
	for _, m := range p.marks {
		parts = insert(parts, m.name, m.value)
	}
	return parts
}

// isJSON reports whether a media type is JSON.
func isJSON(media string) bool {
	base, _, err := mime.ParseMediaType(media)
	return err == nil && (base == "application/json" || strings.HasSuffix(base, "+json"))
}

// isNumber reports whether a text is a JSON number.
func isNumber(text string) bool {
	var n json.Number
	return json.Unmarshal([]byte(text), &n) == nil && n.String() == text
}

// jsonString returns a text as a JSON string, in which hidden characters are escaped.
func jsonString(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil {
		return `""`
	}
	return escapeHidden(strings.TrimSuffix(b.String(), "\n"))
}
