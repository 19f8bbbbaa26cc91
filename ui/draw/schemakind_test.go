package draw

import (
	"testing"

	"sonde/model"
)

func ptr[T any](v T) *T { return &v }

func TestSchemaKind(t *testing.T) {
	str, whole := &model.Schema{Type: "string"}, &model.Schema{Type: "integer"}
	for want, s := range map[string]*model.Schema{
		"any":                            nil,
		"string":                         str,
		"uuid":                           {Type: "string", Format: "uuid"},
		"integer 1…99":                   {Type: "integer", Min: ptr(1.0), Max: ptr(99.0)},
		"number > 0 ≤ 0.5":               {Type: "number", Min: ptr(0.0), ExclusiveMin: true, Max: ptr(0.5)},
		"integer ≥ 1 step 5":             {Type: "integer", Min: ptr(1.0), MultipleOf: ptr(5.0)},
		"string 3…40 chars":              {Type: "string", MinLength: 3, MaxLength: ptr(40)},
		"string ≥ 1 chars ~ ^[a]":        {Type: "string", MinLength: 1, Pattern: "^[a]"},
		"a | b":                          {Type: "string", Enum: []any{"a", "b"}},
		"1 | 2 | 3 | 4 | … 2 more":       {Enum: []any{1, 2, 3, 4, 5, 6}},
		"= true":                         {Const: true},
		"integer or null":                {Type: "integer", Nullable: true},
		"list of string":                 {Type: "array", Items: str},
		"list of integer 1…9, ≤ 3 items": {Items: &model.Schema{Type: "integer", Min: ptr(1.0), Max: ptr(9.0)}, MaxItems: ptr(3)},
		"list":                           {Type: "array"},
		"Cart":                           {Name: "Cart", Type: "object", Properties: []model.Property{{Name: "id", Schema: str}}},
		"object":                         {Properties: []model.Property{{Name: "id", Schema: str}}},
		"one of 2":                       {OneOf: []*model.Schema{str, whole}},
		"string ~ red":                   {Type: "string", Pattern: "\x1b[31mred"},
	} {
		if got := SchemaKind(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A recursive list type is described down to a fixed depth.
func TestSchemaKindOfACycleEnds(t *testing.T) {
	loop := &model.Schema{Type: "array"}
	loop.Items = loop
	if got, want := SchemaKind(loop), "list of list of list of list"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
