package oracle_test

import (
	"strings"
	"testing"

	"sonde/model"
)

// expectedOf returns the expected value as the finding for a body states it, "" if the body matches the
// schema.
func expectedOf(t *testing.T, s *model.Schema, body string) string {
	t.Helper()
	p := model.Plan{Spec: &model.Spec{Operations: []*model.Operation{{
		ID: "GET /a", Method: "GET", Path: "/a",
		Responses: []model.Response{{Status: "200", Contents: []model.Content{{Media: "application/json", Schema: s}}}},
	}}}}
	var all []string
	for _, f := range findingsOf(t, p, step{op: "GET /a", url: "/a", status: 200, answer: body}) {
		all = append(all, f.Expected)
	}
	return strings.Join(all, "; ")
}

func TestSchema(t *testing.T) {
	of := func(kind string) *model.Schema { return &model.Schema{Type: kind} }
	format := func(name string) *model.Schema { return &model.Schema{Type: "string", Format: name} }
	object := func(p ...model.Property) *model.Schema { return &model.Schema{Type: "object", Properties: p} }
	cycle := object(model.Property{Name: "n", Required: true, Schema: of("integer")})
	cycle.Name = "Node"
	cycle.Properties = append(cycle.Properties, model.Property{Name: "next", Schema: cycle})
	endless := &model.Schema{}
	endless.AllOf = []*model.Schema{endless}
	either := &model.Schema{AnyOf: []*model.Schema{of("integer"), of("string")}}
	null := &model.Schema{Type: "string", Nullable: true, Enum: []any{"a"}}
	for _, c := range []struct {
		name   string
		schema *model.Schema
		body   string
		want   string
	}{
		{"a string", of("string"), `"x"`, ""},
		{"no string", of("string"), `1`, "the answer is of type string"},
		{"an integer", of("integer"), `12345678901234567890`, ""},
		{"one with a point", of("integer"), `1.0`, ""},
		{"one with an exponent", of("integer"), `1e3`, ""},
		{"a fraction", of("integer"), `1.5`, "the answer is of type integer"},
		{"a number", of("number"), `-1.5e-3`, ""},
		{"a boolean", of("boolean"), `"true"`, "the answer is of type boolean"},
		{"null", of("string"), `null`, "the answer is of type string"},
		{"null that may be", null, `null`, ""},
		{"null in an alternative", &model.Schema{AnyOf: []*model.Schema{of("integer"), null}}, `null`, ""},
		{"null in a reference with more beside it", &model.Schema{AllOf: []*model.Schema{null}}, `null`, ""},
		{"no type", &model.Schema{}, `{"a":[null]}`, ""},
		{"an enumeration", null, `"a"`, ""},
		{"outside of it", null, `"b"`, `the answer is one of ["a"]`},
		{"numbers in one", &model.Schema{Enum: []any{1.0, 2.5}}, `1`, ""},
		{"a constant", &model.Schema{Const: "x"}, `"y"`, `the answer is "x"`},
		{"a list", &model.Schema{Type: "array", Items: of("integer")}, `[1,"x"]`, "/* is of type integer"},
		{"what is required", object(model.Property{Name: "a", Required: true, Schema: of("string")}), `{}`, `the answer has "a"`},
		{"what only requests have", object(model.Property{Name: "a", Required: true, Schema: &model.Schema{WriteOnly: true}}), `{}`, ""},
		{"what is required, behind a mask", object(model.Property{Name: "a", Required: true, Schema: of("string")}), `{"***":1}`, ""},
		{
			"another type behind a mask", object(model.Property{Name: "a", Schema: of("integer")}),
			`{"***":1,"a":"***"}`, "/a is of type integer",
		},
		{"an enumeration behind a mask", &model.Schema{Type: "string", Enum: []any{"a"}}, `"***"`, ""},
		{"a constant behind a mask", &model.Schema{Const: "x"}, `"***"`, ""},
		{"a format behind a mask", format("email"), `"***"`, ""},
		{"further properties behind a mask", &model.Schema{Type: "object", Closed: true, Additional: of("integer")}, `{"***":"x"}`, ""},
		{"an undeclared property", object(), `{"more":1}`, ""},
		{
			"what further properties must be", &model.Schema{Type: "object", Additional: of("integer")},
			`{"more":"x"}`, "/* is of type integer",
		},
		{
			"what may be no further property", &model.Schema{Type: "object", Closed: true}, `{"more":1}`,
			"the answer has no further property",
		},
		{
			"a property that is known",
			&model.Schema{Type: "object", Closed: true, Properties: []model.Property{{Name: "a", Schema: of("string")}}},
			`{"a":"x"}`, "",
		},
		{
			"one that a part knows",
			&model.Schema{Closed: true, AllOf: []*model.Schema{object(model.Property{Name: "a", Schema: of("string")}), {Closed: true}}},
			`{"a":"x"}`, "",
		},
		{
			"one that an alternative does not know",
			&model.Schema{OneOf: []*model.Schema{{Type: "object", Closed: true}, of("string")}}, `{"a":"x"}`,
			"the answer is one of 2 alternatives",
		},
		{"one of its types", either, `7`, ""},
		{"the other", either, `"x"`, ""},
		{"none of its types", either, `{}`, "the answer is of type integer or string"},
		{"null beside several types", either, `null`, "the answer is of type integer or string"},
		{"null among several types", &model.Schema{Nullable: true, AnyOf: either.AnyOf}, `null`, ""},
		{
			"several types, and one wrong inside",
			&model.Schema{AnyOf: []*model.Schema{of("array"), of("string")}, Items: of("integer")}, `["x"]`,
			"/* is of type integer",
		},
		{"a property", object(model.Property{Name: "a/b", Schema: of("string")}), `{"a/b":1}`, "/a~1b is of type string"},
		{"a cycle", cycle, `{"n":1,"next":{"n":2,"next":{"n":"x"}}}`, "/next/next/n of Node is of type integer"},
		{"an endless schema", endless, `1`, ""},
		{
			"all of",
			&model.Schema{AllOf: []*model.Schema{of("object"), object(model.Property{Name: "a", Required: true, Schema: of("string")})}},
			`{}`, `the answer has "a"`,
		},
		{"one of", &model.Schema{OneOf: []*model.Schema{of("string"), of("integer")}}, `true`, "the answer is one of 2 alternatives"},
		{"two of one", &model.Schema{OneOf: []*model.Schema{of("number"), of("integer")}}, `1`, ""},
		{"a date", format("date"), `"2026-02-29"`, "the answer is a date"},
		{"a moment", format("date-time"), `"2026-05-31T10:00:00.123+02:00"`, ""},
		{"one without a zone", format("date-time"), `"2026-05-31T10:00:00"`, ""},
		{"one with microseconds and no zone", format("date-time"), `"2026-05-31T10:00:00.123456"`, ""},
		{"one of a database", format("date-time"), `"2026-05-31 10:00:00.123+02"`, ""},
		{"one without seconds", format("date-time"), `"2026-05-31T10:00Z"`, ""},
		{"one with the name of its zone", format("date-time"), `"2026-05-31T10:00:00Z[UTC]"`, ""},
		{"a day for a moment", format("date-time"), `"2026-05-31"`, "the answer is a date-time"},
		{"a long number as a text", format("int64"), `"9007199254740993"`, ""},
		{
			"a text for a long number", &model.Schema{Type: "integer", Format: "int64"}, `"9007199254740993"`,
			"the answer is of type integer",
		},
		{"null in an enumeration", &model.Schema{Type: "string", Enum: []any{"a", nil}}, `null`, ""},
		{"a file", format("binary"), `%PDF-1.7`, ""},
		{
			"what only requests have, all the same",
			object(model.Property{Name: "a", Schema: &model.Schema{Type: "string", WriteOnly: true}}), `{"a":"x"}`,
			"",
		},
		{
			"an extension of a closed schema",
			&model.Schema{
				AllOf: []*model.Schema{
					{Type: "object", Closed: true, Properties: []model.Property{{Name: "a", Schema: of("string")}}},
					object(),
				},
			},
			`{"a":"x","b":1}`, "",
		},
		{
			"several that fit",
			&model.Schema{OneOf: []*model.Schema{object(), object(model.Property{Name: "a", Schema: of("string")})}},
			`{"a":"x"}`, "",
		},
		{"no moment", format("date-time"), `"yesterday"`, "the answer is a date-time"},
		{"a UUID", format("uuid"), `"0f8fad5b-d9cb-469f-a165-70867728950E"`, ""},
		{"no UUID", format("uuid"), `"17"`, "the answer is a uuid"},
		{"an unknown format", format("iban"), `"17"`, ""},
		{"two values", of("integer"), `1 2`, "JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := expectedOf(t, c.schema, c.body); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Hostile answers, such as deeply nested ones, are checked in bounded time.
func TestSchemaIsBounded(t *testing.T) {
	tree := &model.Schema{Name: "Tree"}
	leaf := &model.Schema{Type: "object", Properties: []model.Property{{Name: "a", Required: true, Schema: tree}}}
	tree.AnyOf = []*model.Schema{leaf, leaf, leaf, {Type: "string"}}
	expectedOf(t, tree, strings.Repeat(`{"a":`, 5000)+"1"+strings.Repeat("}", 5000))
	expectedOf(t, tree, strings.Repeat("[", 100_000))
}

func FuzzAnswer(f *testing.F) {
	for _, body := range []string{`{"name":1}`, `[`, `"`, "\x1b[31m", `{"error":{"message":"x 1"}}`} {
		f.Add(body, "application/json", "/things/1", 200)
	}
	f.Fuzz(func(t *testing.T, body, media, location string, status int) {
		if strings.ContainsAny(media+location, "\r\n") {
			t.Skip("no header has that")
		}
		for _, x := range findingsOf(
			t, api(),
			step{op: get, url: "/things/1", status: 100 + abs(status)%500, answer: body, media: media, location: location},
		) {
			if strings.ContainsFunc(x.Actual+x.Signature, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
				t.Errorf("%q may reach the terminal", x.Actual)
			}
		}
	})
}

func abs(n int) int { return max(n, -(n + 1)) }

// Texts in XML are checked as values of the types that the schema declares. XML is accepted if it may be valid but
// cannot be read.
func TestSchemaOfXML(t *testing.T) {
	number := &model.Schema{Type: "integer"}
	item := &model.Schema{Name: "Item", Type: "object", Properties: []model.Property{
		{Name: "id", Required: true, Schema: &model.Schema{Type: "integer", XML: &model.XML{Attribute: true}}},
		{Name: "tags", Required: true, Schema: &model.Schema{Type: "array", Items: &model.Schema{Type: "string"}}},
		{Name: "note", Required: true, Schema: &model.Schema{Type: "string", Nullable: true}},
		{Name: "of", Schema: &model.Schema{Type: "object", Properties: []model.Property{{Name: "n", Schema: number}}}},
	}}
	either := &model.Schema{OneOf: []*model.Schema{number, {Type: "boolean"}}}
	for _, c := range []struct {
		name, media, body string
		schema            *model.Schema
		want              string
	}{
		{"as its schema says", "application/xml", `<item id="7"><of><n>1</n></of></item>`, item, ""},
		{"a missing attribute", "application/xml", `<item><tags>a</tags></item>`, item, `in XML, the answer of Item has "id"`},
		{"no number", "text/xml", `<item id="7"><of><n>x</n></of></item>`, item, "in XML, /of/n of Item is of type integer"},
		{"not well-formed", "application/xml", `<item id="7">`, item, "XML of Item"},
		{"JSON", "application/xml", `{"id":7}`, item, "XML of Item"},
		{"with entities", "application/xml", `<!DOCTYPE i [<!ENTITY a "7">]><item id="&a;"/>`, item, ""},
		{"not UTF-8", "application/xml", "<item id='7'><note>\xe9</note></item>", item, ""},
		{"alternatives", "application/xml", "<n>x</n>", either, ""},
		{"nothing", "application/xml", "", item, ""},
	} {
		p := model.Plan{Spec: &model.Spec{Operations: []*model.Operation{{
			ID: "GET /a", Method: "GET", Path: "/a",
			Responses: []model.Response{{Status: "200", Contents: []model.Content{{Media: c.media, Schema: c.schema}}}},
		}}}}
		var got []string
		for _, f := range findingsOf(t, p, step{op: "GET /a", url: "/a", status: 200, media: c.media, answer: c.body}) {
			got = append(got, f.Expected)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
