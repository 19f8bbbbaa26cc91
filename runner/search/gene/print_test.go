package gene

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

func TestPrint(t *testing.T) {
	cases := []struct {
		name       string
		schema     model.Schema
		value      any
		json, text string
	}{
		{"string", model.Schema{Type: "string"}, `a "b" <é>`, `"a \"b\" <é>"`, `a "b" <é>`},
		{
			"big integer",
			model.Schema{Type: "integer", Format: "int64"},
			json.Number("9007199254740993"),
			"9007199254740993", "9007199254740993",
		},
		{"large number", model.Schema{Type: "number"}, 1e21, "1e+21", "1000000000000000000000"},
		{"small number", model.Schema{Type: "number"}, 1e-7, "1e-07", "0.0000001"},
		{"number", model.Schema{Type: "number"}, 1234567.5, "1234567.5", "1234567.5"},
		{"boolean", model.Schema{Type: "boolean"}, true, "true", "true"},
		{"date", model.Schema{Type: "string", Format: "date"}, "2017-07-21", `"2017-07-21"`, "2017-07-21"},
		{"null", model.Schema{Type: "string", Nullable: true}, nil, "null", "null"},
		{"list", model.Schema{Type: "array"}, []any{"a", "b"}, `["a","b"]`, `["a","b"]`},
		{"enum", model.Schema{Enum: []any{"a", 2.0}}, "a", `"a"`, "a"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := New(&c.schema)
			if !g.SetValue(c.value) {
				t.Fatal("the value does not fit")
			}
			if got := string(JSON(g)); got != c.json {
				t.Errorf("JSON %s, want %s", got, c.json)
			}
			if got := Text(LockValue(NewOptional(g))); got != "" {
				t.Errorf("text of an absent gene is %q", got)
			}
			if got := Text(LockValue(g)); got != c.text {
				t.Errorf("text %s, want %s", got, c.text)
			}
		})
	}
}

func TestQuotedLikeEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		var got string
		if err := json.Unmarshal(appendQuoted(nil, s), &got); err != nil || got != s {
			t.Fatalf("%q came back as %q, %v", s, got, err)
		}
	})
}

func TestParts(t *testing.T) {
	list := LockValue(New(&model.Schema{Type: "array", Items: &model.Schema{Type: "integer"}, Nullable: true}))
	list.SetValue([]any{1.0, 2.0})
	if got := Elements(list); len(got) != 2 || Text(got[1]) != "2" || IsScalar(list) {
		t.Errorf("items of %s are %v", JSON(list), got)
	}
	object := NewOptional(New(product()))
	if PresentFields(object) != nil || IsScalar(object) {
		t.Error("an absent object has fields")
	}
	object.SetValue(map[string]any{"name": "x", "sku": "ABC-12", "price": 1.0})
	if got := PresentFields(object); len(got) != 3 || got[2].Name != "price" || !IsScalar(got[2].Gene) {
		t.Errorf("fields of %s are %v", JSON(object), got)
	}
}
