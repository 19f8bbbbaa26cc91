package gene

import (
	"testing"

	"sonde/model"
)

// A draft has an example, a default, a text of the format or of the name's meaning, or a word: never an empty text.
func TestDraft(t *testing.T) {
	low, short, none := 3.0, 3, 0
	text := &model.Schema{Type: "string"}
	person := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "name", Required: true, Schema: text},
		{Name: "nick", Schema: text},
		{Name: "role", Schema: &model.Schema{Type: "string", Examples: []any{"admin"}}},
	}}
	self := &model.Schema{Type: "object"}
	self.Properties = []model.Property{{Name: "child", Required: true, Schema: self}, {Name: "id", Required: true, Schema: text}}
	for name, c := range map[string]struct {
		called string
		schema *model.Schema
		want   string
	}{
		"text":             {"title", text, `"example"`},
		"no schema":        {"title", nil, `"example"`},
		"e-mail by name":   {"contactEmail", text, ""},
		"short":            {"title", &model.Schema{Type: "string", MaxLength: &short}, `"exa"`},
		"long":             {"title", &model.Schema{Type: "string", MinLength: 9}, `"exampleex"`},
		"must be empty":    {"title", &model.Schema{Type: "string", MaxLength: &none}, `""`},
		"empty default":    {"title", &model.Schema{Type: "string", Default: ""}, `"example"`},
		"first example":    {"title", &model.Schema{Type: "string", Examples: []any{"", "a", "b"}, Default: "c"}, `"a"`},
		"default":          {"size", &model.Schema{Type: "integer", Default: 20.0}, "20"},
		"default of 0":     {"size", &model.Schema{Type: "integer", Default: 0.0}, "0"},
		"integer":          {"size", &model.Schema{Type: "integer"}, "1"},
		"long integer":     {"size", &model.Schema{Type: "integer", Format: "int64"}, "1"},
		"number":           {"size", &model.Schema{Type: "number"}, "1"},
		"float":            {"size", &model.Schema{Type: "number", Format: "float"}, "1"},
		"minimum":          {"size", &model.Schema{Type: "integer", Min: &low}, "3"},
		"empty in an enum": {"sort", &model.Schema{Enum: []any{"", "asc"}}, `"asc"`},
		"only empty":       {"sort", &model.Schema{Enum: []any{""}}, `""`},
		"null in an enum":  {"sort", &model.Schema{Enum: []any{nil, "asc"}}, `"asc"`},
		"pattern":          {"code", &model.Schema{Type: "string", Pattern: "^[A-Z]{2}[0-9]*$"}, ""},
		"optional pattern": {"code", &model.Schema{Type: "string", Pattern: "^(ab)?$"}, `"ab"`},
		"list":             {"tags", &model.Schema{Type: "array", Items: text}, `["example"]`},
		"unique list":      {"tags", &model.Schema{Type: "array", Items: text, MinItems: 2, Unique: true}, ""},
		"short list":       {"tags", &model.Schema{Type: "array", Items: text, MaxItems: &none}, "[]"},
		"object":           {"", person, `{"name":"example","role":"admin"}`},
		"only optional": {
			"", &model.Schema{Type: "object", Properties: []model.Property{{Name: "nick", Schema: text}}}, `{"nick":"example"}`,
		},
		"example of all": {
			"",
			&model.Schema{Type: "object", Properties: person.Properties, Examples: []any{map[string]any{"name": "Ann"}}},
			`{"name":"Ann"}`,
		},
		"nullable": {"title", &model.Schema{Type: "string", Nullable: true}, `"example"`},
		"bytes":    {"data", &model.Schema{Type: "string", Format: "byte"}, ""},
		"cycle":    {"", self, `{"child":{},"id":"example"}`},
	} {
		g := NewNamed(c.called, c.schema, model.Sizes{})
		g.Sample(source(1))
		got := string(JSON(Draft(g)))
		if c.want != "" && got != c.want || got == `""` && c.want != got || got != string(JSON(Draft(g))) {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
		if c.schema != nil && c.schema != self && newChecker(c.schema).countValid([]*model.Schema{c.schema}, valueOf(Draft(g))) == 0 {
			t.Errorf("%s: %s is not valid", name, got)
		}
	}
}

// A draft of an optional gene is present. The gene itself does not change.
func TestDraftOfAnOptionalGene(t *testing.T) {
	g := NewOptional(New(&model.Schema{Type: "boolean"}))
	if got := string(JSON(Draft(g))); got != "false" || IsPresent(g) {
		t.Errorf("got %q, and the gene is present: %t", got, IsPresent(g))
	}
}
