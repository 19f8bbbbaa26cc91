package individual

import (
	"slices"
	"testing"

	"sonde/model"
)

func TestInvalidNumbers(t *testing.T) {
	five, nine := 5.0, 9.0
	for _, step := range []struct {
		schema model.Schema
		want   []string
	}{
		{model.Schema{Type: "integer"}, nil},
		{model.Schema{Type: "integer", Min: &five, Max: &nine}, []string{"4", "10"}},
		{model.Schema{Type: "integer", MultipleOf: &five}, []string{"7.5"}},
		{model.Schema{Type: "number", Enum: []any{3.0, 1.5, nil}}, []string{"4"}},
	} {
		if got := invalidNumbers(&step.schema); !slices.Equal(got, step.want) {
			t.Errorf("%+v: got %q, want %q", step.schema, got, step.want)
		}
	}
}

// edgeLists gives a list a name only if the schema allows the list.
func TestEdgeLists(t *testing.T) {
	three := 3
	for _, step := range []struct {
		schema model.Schema
		list   any
		want   []edgeText
	}{
		{model.Schema{}, []any{"a", "b"}, []edgeText{{"empty list", "[]"}, {"equal elements", `["a","a"]`}}},
		{model.Schema{Unique: true, MinItems: 2}, []any{"a", "b"}, []edgeText{{"", "[]"}, {"", `["a","a"]`}, {"", `["a"]`}}},
		{model.Schema{MaxItems: &three}, []any{1.0}, []edgeText{{"empty list", "[]"}, {"equal elements", "[1,1]"}, {"", "[1,1,1,1]"}}},
		{model.Schema{}, []any{}, nil},
		{model.Schema{}, "no list", nil},
	} {
		if got := edgeLists(&step.schema, step.list); !slices.Equal(got, step.want) {
			t.Errorf("%v: got %q, want %q", step.list, got, step.want)
		}
	}
}
