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
		{"object", &model.Schema{Type: "object", Default: map[string]any{"a": "x"},
			Properties: []model.Property{field("a", false, &model.Schema{Type: "string"})}}, []string{`{"a":"x"}`}},
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
		{"alternatives that say nothing", &model.Schema{Type: "boolean", OneOf: []*model.Schema{{}, {Title: "x"}}}, []string{"true", "false"}},
		{"both keywords", &model.Schema{OneOf: []*model.Schema{whole}, AnyOf: []*model.Schema{{}, nil}}, []string{"1"}},
		{"nested", &model.Schema{OneOf: []*model.Schema{{AnyOf: []*model.Schema{whole, {Type: "boolean"}}}}}, []string{"1", "true", "false"}},
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

// cyclic returns an object with a field of a schema that make builds around it.
func cyclic(required bool, make func(self *model.Schema) *model.Schema) *model.Schema {
	self := &model.Schema{Name: "Node", Type: "object"}
	self.Properties = []model.Property{
		field("v", true, &model.Schema{Type: "boolean"}),
		field("next", required, make(self)),
	}
	return self
}

func TestCyclesEnd(t *testing.T) {
	direct := func(self *model.Schema) *model.Schema { return self }
	list := func(self *model.Schema) *model.Schema { return &model.Schema{Type: "array", Items: self} }
	cases := []struct {
		name   string
		schema *model.Schema
		want   string // after v
	}{
		{"required", cyclic(true, direct), `,"next":{}`},
		{"optional", cyclic(false, direct), ``},
		{"required list", cyclic(true, list), `,"next":[]`},
		{"required list of at least one", cyclic(true, func(self *model.Schema) *model.Schema {
			return &model.Schema{Type: "array", Items: self, MinItems: 1}
		}), `,"next":[{}]`},
		{"required map", cyclic(true, func(self *model.Schema) *model.Schema {
			return &model.Schema{Type: "object", Additional: self}
		}), `,"next":{}`},
		{"required choice", cyclic(true, func(self *model.Schema) *model.Schema {
			return &model.Schema{OneOf: []*model.Schema{self, {Const: "end"}}}
		}), `,"next":"end"`},
		{"choice of itself only", cyclic(true, func(self *model.Schema) *model.Schema {
			return &model.Schema{OneOf: []*model.Schema{self}}
		}), `,"next":{}`},
		{"through allOf", cyclic(true, func(self *model.Schema) *model.Schema {
			return &model.Schema{Type: "object", Properties: []model.Property{field("up", true, self)}}
		}), `,"next":{"up":{}}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for v := range values(c.schema, 50) {
				if v != `{"v":true`+c.want+`}` && v != `{"v":false`+c.want+`}` {
					t.Errorf("got %s", v)
				}
			}
		})
	}
}

func TestNullableCycleEndsInNull(t *testing.T) {
	s := cyclic(true, func(self *model.Schema) *model.Schema { return self })
	s.Nullable = true
	g := New(s)
	g.Set(map[string]any{"v": true})
	if got := string(JSON(g)); got != `{"v":true,"next":null}` {
		t.Errorf("got %s", got)
	}
}

func TestCyclesOfParts(t *testing.T) {
	a := &model.Schema{Name: "A"}
	b := &model.Schema{Name: "B", AllOf: []*model.Schema{a}}
	a.AllOf = []*model.Schema{b, a, nil}
	a.OneOf = []*model.Schema{a, b, {OneOf: []*model.Schema{b}}}
	a.Items = b
	a.Additional = a
	g := sampled(a, source(1))
	decode(t, g)
}

// TestSharedPartIsNoCycle has two objects that are both built on a third.
func TestSharedPartIsNoCycle(t *testing.T) {
	entity := &model.Schema{Type: "object", Properties: []model.Property{field("id", true, &model.Schema{Const: "1"})}}
	user := &model.Schema{AllOf: []*model.Schema{entity, {Properties: []model.Property{field("name", true, &model.Schema{Const: "n"})}}}}
	order := &model.Schema{AllOf: []*model.Schema{entity, {Properties: []model.Property{field("by", true, user)}}}}
	if got, want := string(JSON(New(order))), `{"id":"1","by":{"id":"1","name":"n"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// wide returns an object of width fields, each of which is again one, and so
// on: a document of few lines that means more genes than there are atoms.
func wide(width, depth int, required bool) *model.Schema {
	s := &model.Schema{Type: "integer"}
	for range depth {
		o := &model.Schema{Type: "object"}
		for i := range width {
			o.Properties = append(o.Properties, field(string(rune('a'+i)), required, s))
		}
		s = o
	}
	return s
}

func nested(depth int, around func(inner *model.Schema) *model.Schema) *model.Schema {
	s := &model.Schema{Type: "integer"}
	for range depth {
		s = around(s)
	}
	return s
}

func TestHugeSchemasStaySmall(t *testing.T) {
	many := &model.Schema{Type: "object"}
	for i := range 100000 {
		many.Properties = append(many.Properties, field(strings.Repeat("x", i%50)+string(rune('0'+i)), true, &model.Schema{Type: "boolean"}))
	}
	cases := []struct {
		name   string
		schema *model.Schema
		most   int
	}{
		{"required fields", wide(10, 30, true), 2 * mostGenes},
		{"optional fields", wide(10, 30, false), 2 * mostGenes},
		{"lists of lists", nested(20, func(s *model.Schema) *model.Schema { return &model.Schema{Type: "array", Items: s} }), mostGenes},
		{"long lists of lists", nested(20, func(s *model.Schema) *model.Schema {
			return &model.Schema{Type: "array", Items: s, MinItems: 64}
		}), 2 * mostGenes},
		{"maps of maps", nested(20, func(s *model.Schema) *model.Schema { return &model.Schema{Type: "object", Additional: s} }), mostGenes},
		{"choices of choices", nested(20, func(s *model.Schema) *model.Schema {
			return &model.Schema{OneOf: []*model.Schema{s, {AnyOf: []*model.Schema{s, s}}, {AllOf: []*model.Schema{s, s}}}}
		}), mostGenes},
		{"deep parts", nested(20000, func(s *model.Schema) *model.Schema {
			return &model.Schema{AllOf: []*model.Schema{s, s}}
		}), 1},
		{"many fields", many, mostProtos + mostGenes},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, g := source(1), New(c.schema)
			most := 0
			for range 20 {
				g.Sample(r)
				for range 20 {
					Mutate(r, []Gene{g}, 0)
				}
				most = max(most, Count(g))
			}
			if most > c.most {
				t.Errorf("%d genes, want at most %d", most, c.most)
			}
		})
	}
}

// TestRoomIsShared has a huge field first: the small ones after it are there
// all the same.
func TestRoomIsShared(t *testing.T) {
	s := &model.Schema{Type: "object", Properties: []model.Property{
		field("huge", false, wide(10, 10, false)),
		field("small", false, &model.Schema{Type: "boolean"}),
		field("object", false, &model.Schema{Type: "object", Properties: []model.Property{field("x", true, &model.Schema{Type: "boolean"})}}),
	}}
	g := New(s).(*Object)
	if len(g.names) != 3 {
		t.Errorf("kept %v", g.names)
	}
}
