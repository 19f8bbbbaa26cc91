package gene

import (
	"strings"
	"testing"

	"sonde/model"
)

func field(name string, required bool, s *model.Schema) model.Property {
	return model.Property{Name: name, Required: required, Schema: s}
}

func TestTypesAreGuessed(t *testing.T) {
	cases := []struct {
		name   string
		schema *model.Schema
		want   string
	}{
		{"nothing", &model.Schema{}, "string"},
		{"unknown type", &model.Schema{Type: "file"}, "string"},
		{"properties", &model.Schema{Properties: []model.Property{field("a", true, nil)}}, "object"},
		{"items", &model.Schema{Items: &model.Schema{}}, "array"},
		{"bounds", &model.Schema{Max: new(3.0)}, "number"},
		{"integer format", &model.Schema{Format: "int64", Max: new(3.0)}, "integer"},
		{"double format", &model.Schema{Format: "double"}, "number"},
		{"length", &model.Schema{MaxLength: new(3)}, "string"},
		{"string format", &model.Schema{Format: "date"}, "string"},
		{"whole example", &model.Schema{Examples: []any{3.0}}, "integer"},
		{"real example", &model.Schema{Default: 3.5}, "number"},
		{"list example", &model.Schema{Examples: []any{[]any{}}}, "array"},
		{"object example", &model.Schema{Default: map[string]any{}}, "object"},
		{"boolean example", &model.Schema{Default: false}, "boolean"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := typeOf(c.schema); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestNoSchemaIsAnyString(t *testing.T) {
	if _, ok := New(nil).(*String); !ok {
		t.Errorf("got %T", New(nil))
	}
}

func TestExamplesAreSeeds(t *testing.T) {
	cases := []struct {
		name   string
		schema *model.Schema
		want   []string
	}{
		{"example and default", &model.Schema{Type: "string", Examples: []any{"Tent"}, Default: "Boot"}, []string{"Tent", "Boot"}},
		{"number", &model.Schema{Type: "integer", Format: "int64", Default: 4321.0}, []string{"4321"}},
		{"date", &model.Schema{Type: "string", Format: "date", Examples: []any{"2017-07-21"}}, []string{"2017-07-21"}},
		{"object", &model.Schema{
			Type: "object", Default: map[string]any{"a": "x"},
			Properties: []model.Property{field("a", false, &model.Schema{Type: "string"})},
		}, []string{`{"a":"x"}`}},
		{"list", &model.Schema{Type: "array", Items: &model.Schema{Type: "integer"}, Default: []any{1.0, 2.0}}, []string{"[1,2]"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := values(c.schema, 1000)
			for _, want := range c.want {
				if n := got[want]; n < 50 || n > 350 {
					t.Errorf("%s in %d of 1000 samples", want, n)
				}
			}
		})
	}
}

func TestExampleThatDoesNotFitIsIgnored(t *testing.T) {
	s := &model.Schema{Type: "integer", Max: new(9.0), Min: new(0.0), Examples: []any{"ten", 10.0, nil}}
	for v := range values(s, 300) {
		if len(v) != 1 {
			t.Errorf("got %s", v)
		}
	}
}

func TestReadOnlyIsLeftOut(t *testing.T) {
	base := &model.Schema{Type: "string", ReadOnly: true}
	s := &model.Schema{Type: "object", Properties: []model.Property{
		field("id", true, base),
		field("made", true, &model.Schema{AllOf: []*model.Schema{base}}),
		field("name", true, &model.Schema{Type: "boolean"}),
	}}
	if got := string(JSON(New(s))); got != `{"name":false}` {
		t.Errorf("got %s", got)
	}
}

func TestAllOfIsMerged(t *testing.T) {
	animal := &model.Schema{Name: "Animal", Type: "object", Properties: []model.Property{
		field("kind", true, &model.Schema{Type: "string"}),
		field("legs", false, &model.Schema{Type: "integer", Min: new(0.0)}),
	}}
	dog := &model.Schema{Name: "Dog", AllOf: []*model.Schema{animal, {
		Properties: []model.Property{
			field("bark", true, &model.Schema{Type: "boolean"}),
			field("kind", false, &model.Schema{Enum: []any{"dog"}}),
			field("legs", true, &model.Schema{Max: new(4.0)}),
		},
	}}}
	whole := &model.Schema{Type: "object", Properties: []model.Property{
		field("kind", true, &model.Schema{Type: "string", Enum: []any{"dog"}}),
		field("legs", true, &model.Schema{Type: "integer", Min: new(0.0), Max: new(4.0)}),
		field("bark", true, &model.Schema{Type: "boolean"}),
	}}
	r, g := source(1), New(dog)
	for range 100 {
		g.Sample(r)
		mustFit(t, whole, g)
		mustFit(t, animal, g)
		if !strings.HasPrefix(string(JSON(g)), `{"kind":"dog","legs":`) {
			t.Fatalf("got %s", JSON(g))
		}
	}
	if len(animal.Properties) != 2 || animal.Properties[1].Required {
		t.Error("the schema itself was changed")
	}
}

func TestAlternativesBesideProperties(t *testing.T) {
	s := &model.Schema{
		Type:       "object",
		Properties: []model.Property{field("id", true, &model.Schema{Type: "boolean"})},
		AnyOf: []*model.Schema{
			{Properties: []model.Property{field("card", true, &model.Schema{Enum: []any{"c"}})}},
			{Properties: []model.Property{field("iban", true, &model.Schema{Enum: []any{"i"}})}},
		},
	}
	got := values(s, 100)
	if len(got) != 4 {
		t.Errorf("got %v", got)
	}
	for v := range got {
		if !strings.HasPrefix(v, `{"id":`) || !strings.Contains(v, `"card":"c"`) && !strings.Contains(v, `"iban":"i"`) {
			t.Errorf("got %s", v)
		}
	}
}

func TestAlternatives(t *testing.T) {
	whole := &model.Schema{Type: "integer", Min: new(1.0), Max: new(1.0)}
	cases := []struct {
		name   string
		schema *model.Schema
		want   []string
	}{
		{"null as an alternative", &model.Schema{AnyOf: []*model.Schema{whole, {Type: "null"}}}, []string{"1", "null"}},
		{"only null", &model.Schema{AnyOf: []*model.Schema{{Type: "null"}}}, []string{"null"}},
		{"nullable choice", &model.Schema{Nullable: true, OneOf: []*model.Schema{whole}}, []string{"1", "null"}},
		{
			"alternatives that say nothing",
			&model.Schema{Type: "boolean", OneOf: []*model.Schema{{}, {Title: "x"}}},
			[]string{"true", "false"},
		},
		{"both keywords", &model.Schema{OneOf: []*model.Schema{whole}, AnyOf: []*model.Schema{{}, nil}}, []string{"1"}},
		{
			"nested", &model.Schema{OneOf: []*model.Schema{{AnyOf: []*model.Schema{whole, {Type: "boolean"}}}}},
			[]string{"1", "true", "false"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := values(c.schema, 400)
			for _, v := range c.want {
				if got[v] == 0 {
					t.Errorf("%s never came", v)
				}
				delete(got, v)
			}
			if len(got) > 0 {
				t.Errorf("unexpected values %v", got)
			}
		})
	}
}
