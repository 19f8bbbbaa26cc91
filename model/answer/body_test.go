package answer

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sonde/model"
)

func reply(media, body string) model.Reply {
	return model.Reply{Status: 200, Header: map[string][]string{"Content-Type": {media}}, Body: []byte(body)}
}

// xmlOp returns an operation whose answers are XML with the schema s.
func xmlOp(s *model.Schema) *model.Operation {
	return &model.Operation{Responses: []model.Response{{Status: "200", Contents: []model.Content{
		{Media: "text/html"}, {Media: "application/xml;charset=utf-8", Schema: s},
	}}}}
}

func typed(typ string, hint ...model.XML) *model.Schema {
	s := &model.Schema{Type: typ}
	for i := range hint {
		s.XML = &hint[i]
	}
	return s
}

func object(properties ...any) *model.Schema {
	s := &model.Schema{Type: "object"}
	for i := 0; i < len(properties); i += 2 {
		s.Properties = append(s.Properties, model.Property{Name: properties[i].(string), Schema: properties[i+1].(*model.Schema)})
	}
	return s
}

func list(items *model.Schema, hint ...model.XML) *model.Schema {
	s := typed("array", hint...)
	s.Items = items
	return s
}

// Read returns the values that encoding/json would decode from JSON with the same content.
func TestRead(t *testing.T) {
	item := object("sku", typed("string"), "n", typed("integer"))
	order := object(
		"id", typed("integer", model.XML{Attribute: true, Name: "ID"}), "total", typed("number"), "paid", typed("boolean"),
		"note", typed("string", model.XML{Name: "remark"}), "lines", list(item, model.XML{Wrapped: true, Name: "Lines"}),
		"tags", list(typed("string", model.XML{Name: "tag"})), "none", list(item),
	)
	order.Properties[6].Required = true
	composed := &model.Schema{AllOf: []*model.Schema{object("id", typed("integer")), object("name", typed("string"))}}
	for name, c := range map[string]struct {
		media, body string
		schema      *model.Schema
		want        string // JSON, "" if nothing can be read
	}{
		"JSON":             {"application/json", `{"id": 12345678901234567890}`, nil, `{"id":12345678901234567890}`},
		"JSON as text":     {"text/plain", `{"id": 7}`, nil, `{"id":7}`},
		"no media type":    {"", `7`, nil, `7`},
		"a word":           {"text/plain; charset=utf-8", " 7f3e-1\n", nil, `"7f3e-1"`},
		"a number as text": {"text/plain", "137", nil, `137`},
		"a sentence":       {"text/plain", "it works", nil, ``},
		"a long word":      {"text/plain", strings.Repeat("x", maxToken+1), nil, ``},
		"a form":           {"application/x-www-form-urlencoded", "id=a%20b&n=1&n=2", nil, `{"id":"a b","n":"1"}`},
		"a broken form":    {"application/x-www-form-urlencoded", "id=%zz", nil, ``},
		"HTML":             {"text/html", "<html><id>1</id></html>", nil, ``},
		"XHTML":            {"application/xhtml+xml", "<html><id>1</id></html>", nil, ``},
		"nothing":          {"application/json", "", nil, ``},
		"neither":          {"application/json", "oops", nil, ``},
		"XML by names": {
			"application/xml", `<a x="1"><b>t</b><c/><d>1</d><d>2</d><e y="2">z</e></a>`, nil,
			`{"b":"t","c":"","d":["1","2"],"e":{"y":"2"},"x":"1"}`,
		},
		"XML of one text":   {"text/xml", "<?xml version='1.0'?><!-- c --><id> 7 </id>", nil, `"7"`},
		"XML of one number": {"text/xml", "<id>7</id>", typed("integer"), `7`},
		"XML as text":       {"text/plain", "<id>7</id>", nil, `"7"`},
		"XML by hints": {
			"application/xml", `<o:order xmlns:o="u" ID="7"><o:total>1.50</o:total><o:paid>true</o:paid><o:remark>a &amp; b</o:remark>` +
				`<o:Lines><x><sku>s</sku><n>2</n></x><x><sku>r</sku></x></o:Lines>` +
				`<o:tag>p</o:tag><o:tag>q</o:tag><o:more>m</o:more></o:order>`, order,
			`{"id":7,"lines":[{"n":2,"sku":"s"},{"sku":"r"}],"more":"m","none":[],` +
				`"note":"a \u0026 b","paid":true,"tags":["p","q"],"total":1.50}`,
		},
		"XML with an undeclared wrapper": {
			"application/xml", `<order><tags><tag>p</tag></tags><lines/></order>`, object("tags", list(object("a", typed("string")))),
			`{"lines":"","tags":[{}]}`,
		},
		"XML of a list":       {"application/xml", `<items><item><n>1</n></item><item/></items>`, list(item), `[{"n":1},{}]`},
		"XML of parts":        {"application/xml", `<p><id>1</id><name>2</name></p>`, composed, `{"id":1,"name":"2"}`},
		"XML of other values": {"application/xml", `<p><id>x</id><name/></p>`, composed, `{"id":"x","name":""}`},
		"numbers and booleans of XML Schema": {
			"application/xml", `<p><n>+007</n><m>-0.5</m><b>1</b><c>0</c></p>`,
			object("n", typed("integer"), "m", typed("number"), "b", typed("boolean"), "c", typed("boolean")),
			`{"b":true,"c":false,"m":-0.5,"n":7}`,
		},
		"XML with null":        {"application/xml", `<p xmlns:xsi="i"><id xsi:nil="true"/></p>`, composed, `{"id":null}`},
		"XML without an end":   {"application/xml", `<p><id>1</id>`, composed, ``},
		"XML with a wrong end": {"application/xml", `<p><id>1</p></id>`, composed, ``},
		"two documents":        {"application/xml", `<p/><p/>`, composed, ``},
		"an entity of its own": {"application/xml", `<!DOCTYPE p [<!ENTITY e "x">]><p>&e;</p>`, composed, ``},
		"an external entity": {
			"application/xml", `<!DOCTYPE p SYSTEM "file:///etc/passwd"><p><name>n</name></p>`, composed,
			`{"name":"n"}`,
		},
		"XML in no encoding":    {"application/xml", "<p><name>\xff</name></p>", composed, ``},
		"XML that is too deep":  {"application/xml", strings.Repeat("<a>", 100) + strings.Repeat("</a>", 100), nil, ``},
		"XML that is too wide":  {"application/xml", "<a>" + strings.Repeat("<b/>", maxXMLElements) + "</a>", nil, ``},
		"XML that is too large": {"application/xml", "<a>" + strings.Repeat(" ", maxBody) + "</a>", nil, ``},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := Read(xmlOp(c.schema), reply(c.media, c.body))
			if !ok || c.want == "" {
				if ok != (c.want != "") {
					t.Errorf("got %v, %v, want %s", got.Value, ok, c.want)
				}
				return
			}
			text, err := json.Marshal(got.Value)
			if err != nil || string(text) != c.want {
				t.Errorf("got %s (%v), want %s", text, err, c.want)
			}
		})
	}
}

// The pattern for a JSON pointer finds, in the text of the body, the value at this pointer.
func TestPattern(t *testing.T) {
	s := object("id", typed("integer"), "of", object("id", typed("integer")), "key", typed("string", model.XML{Attribute: true}))
	doc := "<order key='a/b'><of id=\"9\"><id>3</id></of><id></id2><id >\n7 </id><cdata><![CDATA[x]]></cdata><e>a&amp;b</e></order>"
	doc = strings.ReplaceAll(doc, "<id></id2>", "")
	for _, c := range []struct{ media, body, at, want string }{
		{"application/xml", doc, "/id", "7"},
		{"application/xml", doc, "/of/id", "3"},
		{"application/xml", doc, "/key", "a/b"},
		{"application/xml", doc, "/cdata", ""}, // the document writes the text in another form
		{"application/xml", doc, "/e", ""},
		{"application/xml", doc, "/none", ""},
		{"application/xml", "<l><i><id/></i><i><id>2</id></i></l>", "/i/1/id", "2"},
		{"application/xml", "<l>" + strings.Repeat("<i>1</i>", maxXMLIndex+2) + "</l>", fmt.Sprint("/i/", maxXMLIndex+1), ""},
		{"application/x-www-form-urlencoded", "xid=1&id=2", "/id", "2"},
		{"application/x-www-form-urlencoded", "id=a%20b", "/id", ""}, // the body has the value in another form: a%20b
		{"text/plain", " k-1\n", model.WholeBody, "k-1"},
	} {
		b, ok := Read(xmlOp(s), reply(c.media, c.body))
		if !ok {
			t.Fatalf("%s cannot be read", c.body)
		}
		pattern, ok := b.Pattern(c.at)
		if ok != (c.want != "") {
			t.Errorf("%s of %s: pattern %q, %v", c.at, c.body, pattern, ok)
		}
		if got, found := Part(c.body, pattern); ok && (got != c.want || !found) {
			t.Errorf("%s of %s: %q finds %q, want %q", c.at, c.body, pattern, got, c.want)
		}
	}
	b, _ := Read(nil, reply("application/json", `{"id":1}`))
	if pattern, ok := b.Pattern("/id"); pattern != "" || !ok {
		t.Errorf("JSON: pattern %q, %v, want none", pattern, ok)
	}
	if v, ok := b.At("/id"); v != json.Number("1") || !ok {
		t.Errorf("JSON: got %v, %v", v, ok)
	}
	for _, pattern := range []string{"(", "a", "(a)(b)", "(x?)b"} {
		if got, ok := Part("ab", pattern); ok {
			t.Errorf("%q finds %q", pattern, got)
		}
	}
}

// A pattern finds the first key of a map of objects. For any other object, there is no pattern.
func TestFirstKey(t *testing.T) {
	for _, c := range []struct{ body, object, want string }{
		{` {"b": {"id": 1}, "a": {}}`, "", "b"},
		{`{"n": 1, "items": {"a/b": {}, "c": {}}}`, "/items", "a/b"},
		{`{"a": {}, "n": 1}`, "", ""},
		{`{"a\"b": {}}`, "", ""},
		{`{}`, "", ""},
		{`[{"a": {}}]`, "/0", ""},
		{`{"x": {"y": {"k": {}}}}`, "/x/y", ""},
	} {
		b, ok := Read(nil, reply("application/json", c.body))
		if !ok {
			t.Fatalf("%s cannot be read", c.body)
		}
		pattern, key, ok := b.FirstKey(c.object)
		if key != c.want && ok || ok != (c.want != "") {
			t.Errorf("%s at %q: got %q, %v, want %q", c.body, c.object, key, ok, c.want)
		}
		if got, _ := Part(c.body, pattern); ok && got != c.want {
			t.Errorf("%s at %q: %q finds %q", c.body, c.object, pattern, got)
		}
	}
}

// Reading never fails on hostile texts, and a pattern finds the value at its place.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		`<a b="1"><c>2</c><c d:e="3"/></a>`, `<?xml version="1.0" encoding="x"?><a><![CDATA[b]]>&lt;</a>`,
		"<!DOCTYPE a [<!ENTITY b '&b;'>]><a>&b;</a>",
		"a=1&b=%20", "word", "<a:b xmlns:a='c'>1</a:b>",
	} {
		f.Add("application/xml", text)
		f.Add("text/plain", text)
		f.Add("application/x-www-form-urlencoded", text)
	}
	s := object("a", list(typed("integer")), "b", typed("string", model.XML{Attribute: true}))
	s.Properties[0].Schema.Items = s
	f.Fuzz(func(t *testing.T, media, text string) {
		b, ok := Read(xmlOp(s), reply(media, text))
		if !ok {
			return
		}
		for place := range b.sources {
			pattern, ok := b.Pattern(place)
			if !ok {
				continue
			}
			want, _ := b.At(place)
			if got, _ := Part(text, pattern); !reflect.DeepEqual(got, scalarText(want)) {
				t.Errorf("%q at %q: %q finds %q, want %q", text, place, pattern, got, want)
			}
		}
	})
}

func TestFindXMLText(t *testing.T) {
	doc := `<?xml version="1.0"?><o:order><id>7</id><line><sku> a b </sku></line><line><sku></sku><n/><m /></line></o:order>`
	for place, want := range map[string]string{
		"/id": "7", "/line/sku": " a b ", "/1/sku": " a b ", "/2/sku": "", "/0": "7", "/2/n": "none", "/2/m": "none", "/line": "none",
		"": "none", "/9": "none", "/-1": "none", "/no/sku": "none",
	} {
		at, ok := FindXMLText(doc, place)
		got := "none"
		if ok {
			got = doc[at.Start:at.End]
		}
		if got != want || at.Text != strings.TrimSpace(want) && ok {
			t.Errorf("%q: got %q in %+v, want %q", place, got, at, want)
		}
	}
	if _, ok := FindXMLText("{}", ""); ok {
		t.Error("found a text in JSON")
	}
}
