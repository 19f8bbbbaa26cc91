package send

import (
	"testing"

	"sonde/model"
)

// An example is a value from the document, or a value of the schema's type.
func TestExample(t *testing.T) {
	low := 3.0
	self := &model.Schema{Type: "array"}
	self.Items = self
	for name, c := range map[string]struct {
		schema *model.Schema
		want   string
	}{
		"example":  {&model.Schema{Type: "string", Examples: []any{"a b"}, Default: "c"}, "a b"},
		"default":  {&model.Schema{Type: "integer", Default: 20.0}, "20"},
		"one":      {&model.Schema{Enum: []any{"asc", "desc"}}, "asc"},
		"constant": {&model.Schema{Const: false}, "false"},
		"object":   {&model.Schema{Examples: []any{map[string]any{"a": 1.0}}}, `{"a":1}`},
		"least":    {&model.Schema{Type: "number", Min: &low}, "3"},
		"beyond":   {&model.Schema{Type: "integer", Min: &low, ExclusiveMin: true}, "4"},
		"number":   {&model.Schema{Type: "integer"}, "1"},
		"yes":      {&model.Schema{Type: "boolean"}, "true"},
		"list":     {&model.Schema{Type: "array", Items: &model.Schema{Type: "integer"}}, "1"},
		"cycle":    {self, ""},
		"text":     {&model.Schema{Type: "string"}, ""},
		"any":      {&model.Schema{}, ""},
	} {
		if got := example(c.schema); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
