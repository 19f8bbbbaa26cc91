package gene

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

// exact decodes JSON, with numbers as json.Number.
func exact(t interface{ Fatalf(string, ...any) }, data []byte) any {
	var v any
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("JSON %s: %v", data, err)
	}
	return v
}

// A value of a gene can be assigned to another gene of the same schema.
func TestPutTakesWhatIsSampled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := fairSchema(t, 3)
		r := source(rapid.Uint64().Draw(t, "seed"))
		from, to := sampled(s, r), sampled(s, r)
		if !AssignValue(to, exact(t, JSON(from))) {
			t.Fatalf("%s was not taken", JSON(from))
		}
		if !reflect.DeepEqual(decode(t, to), decode(t, from)) {
			t.Fatalf("put %s, got %s", JSON(from), JSON(to))
		}
	})
}

// If several alternatives accept a value, the choice takes one that represents the value exactly.
func TestPutChoosesExactAlternative(t *testing.T) {
	whole := &model.Schema{Type: "integer"}
	s := &model.Schema{OneOf: []*model.Schema{
		{Type: "object", Properties: []model.Property{{Name: "b", Schema: whole}, {Name: "c", Schema: whole, Required: true}}},
		{Type: "object", Properties: []model.Property{{Name: "b", Schema: whole}}},
	}}
	for seed := range uint64(20) {
		g := sampled(s, source(seed))
		if !AssignValue(g, map[string]any{"b": json.Number("7")}) || string(JSON(g)) != `{"b":7}` {
			t.Fatalf("seed %d: got %s", seed, JSON(g))
		}
	}
}

// The text of a scalar can be assigned to another gene of the same schema.
func TestPutTextTakesWhatIsPrinted(t *testing.T) {
	for _, s := range []*model.Schema{
		{Type: "string"},
		{Type: "integer"},
		{Type: "number"},
		{Type: "boolean"},
		{Type: "integer", Format: "int64"},
		{Type: "number", Format: "float"},
		{Type: "string", Format: "date"},
		{Type: "string", Format: "time"},
		{Type: "string", Format: "date-time"},
		{Type: "string", Format: "uuid"},
		{Type: "string", Format: "byte"},
		{Type: "string", Enum: []any{"a", 1.0, true}},
		{Type: "string", Pattern: "^[0-9]{3}$"},
		{OneOf: []*model.Schema{{Type: "integer"}, {Type: "boolean"}}},
		{Type: "integer", MultipleOf: new(5.0)},
	} {
		r := source(7)
		for range 200 {
			from, to := sampled(s, r), sampled(s, r)
			if !AssignText(to, Text(from)) || Text(to) != Text(from) {
				t.Fatalf("%s %s: put %q, got %q", s.Type, s.Format, Text(from), Text(to))
			}
		}
	}
}

func TestPut(t *testing.T) {
	low := 3.0
	person := &model.Schema{Type: "object", Properties: []model.Property{
		field("name", true, &model.Schema{Type: "string"}), field("age", false, &model.Schema{Type: "integer", Min: &low}),
	}}
	for name, tc := range map[string]struct {
		schema *model.Schema
		value  any
		want   string // "" if the value must not be accepted
	}{
		"a number into a text":        {&model.Schema{Type: "string"}, json.Number("12"), `"12"`},
		"a text into a number":        {&model.Schema{Type: "integer"}, "12", `12`},
		"a text that is no number":    {&model.Schema{Type: "integer"}, "twelve", ""},
		"two numbers":                 {&model.Schema{Type: "integer"}, "1 2", ""},
		"a number below its bound":    {&model.Schema{Type: "integer", Min: &low}, json.Number("2"), ""},
		"a boolean into a text":       {&model.Schema{Type: "string"}, true, `"true"`},
		"one of a list":               {&model.Schema{Enum: []any{"a", "b"}}, "b", `"b"`},
		"none of a list":              {&model.Schema{Enum: []any{"a", "b"}}, "c", ""},
		"null":                        {&model.Schema{Type: "integer", Nullable: true}, nil, `null`},
		"null where it may not be":    {&model.Schema{Type: "integer"}, nil, ""},
		"an object":                   {person, map[string]any{"name": "Mia", "age": json.Number("30")}, `{"name":"Mia","age":30}`},
		"without an optional field":   {person, map[string]any{"name": "Mia"}, `{"name":"Mia"}`},
		"an object of which one part": {person, map[string]any{"name": "Mia", "age": json.Number("2")}, ""},
		"a list": {
			&model.Schema{Type: "array", Items: person}, []any{map[string]any{"name": "Mia"}}, `[{"name":"Mia"}]`,
		},
		"a map": {
			&model.Schema{Type: "object", Additional: &model.Schema{Type: "integer"}},
			map[string]any{"b": json.Number("2"), "a": json.Number("1")},
			`{"a":1,"b":2}`,
		},
		"a day of no calendar": {&model.Schema{Type: "string", Format: "date"}, "2021-02-30", `"2021-02-30"`},
		"a date that is none":  {&model.Schema{Type: "string", Format: "date"}, "2021-2-3", ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := sampled(tc.schema, source(3))
			before := string(JSON(g))
			ok, got := AssignValue(g, tc.value), string(JSON(g))
			switch {
			case tc.want == "" && (ok || got != before):
				t.Errorf("took it: %v, %s became %s", ok, before, got)
			case tc.want != "" && (!ok || got != tc.want):
				t.Errorf("took it: %v, got %s, want %s", ok, got, tc.want)
			}
		})
	}
}

func TestAt(t *testing.T) {
	g := New(&model.Schema{Type: "object", Properties: []model.Property{
		field(
			"lines", true,
			&model.Schema{
				Type:  "array",
				Items: &model.Schema{Type: "object", Properties: []model.Property{field("n", true, &model.Schema{Type: "integer"})}},
			},
		),
		field("note", false, &model.Schema{Type: "string"}),
	}}).Clone()
	g.SetValue(map[string]any{"lines": []any{map[string]any{"n": 4.0}}})
	if n := LookupField(g, []string{"lines", "0", "n"}); n == nil || Text(n) != "4" {
		t.Errorf("got %v, want 4", n)
	}
	for _, path := range [][]string{{"note"}, {"lines", "1"}, {"lines", "0", "m"}, {"lines", "n"}} {
		if got := LookupField(g, path); got != nil {
			t.Errorf("%q: got %s, want nothing", path, JSON(got))
		}
	}
}
