package gene

import (
	"strings"
	"testing"

	"sonde/model"
)

// cyclic returns an object schema with a property whose schema, made by make, refers to the object schema.
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
		want   string // the text after the property v
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
	g.SetValue(map[string]any{"v": true})
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

// Two objects with a common part are not a cycle.
func TestSharedPartIsNoCycle(t *testing.T) {
	entity := &model.Schema{Type: "object", Properties: []model.Property{field("id", true, &model.Schema{Const: "1"})}}
	user := &model.Schema{AllOf: []*model.Schema{entity, {Properties: []model.Property{field("name", true, &model.Schema{Const: "n"})}}}}
	order := &model.Schema{AllOf: []*model.Schema{entity, {Properties: []model.Property{field("by", true, user)}}}}
	if got, want := string(JSON(New(order))), `{"id":"1","by":{"id":"1","name":"n"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// wide returns a schema of objects that are nested to the given depth. Each object has width fields. The schema is short,
// but may describe more genes than can be built.
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
		many.Properties = append(
			many.Properties,
			field(strings.Repeat("x", i%50)+string(rune('0'+i)), true, &model.Schema{Type: "boolean"}),
		)
	}
	cases := []struct {
		name   string
		schema *model.Schema
		most   int
	}{
		{"required fields", wide(10, 30, true), 2 * maxGenes},
		{"optional fields", wide(10, 30, false), 2 * maxGenes},
		{"lists of lists", nested(20, func(s *model.Schema) *model.Schema { return &model.Schema{Type: "array", Items: s} }), maxGenes},
		{"long lists of lists", nested(20, func(s *model.Schema) *model.Schema {
			return &model.Schema{Type: "array", Items: s, MinItems: 64}
		}), 2 * maxGenes},
		{
			"maps of maps",
			nested(20, func(s *model.Schema) *model.Schema { return &model.Schema{Type: "object", Additional: s} }),
			maxGenes,
		},
		{"choices of choices", nested(20, func(s *model.Schema) *model.Schema {
			return &model.Schema{OneOf: []*model.Schema{s, {AnyOf: []*model.Schema{s, s}}, {AllOf: []*model.Schema{s, s}}}}
		}), maxGenes},
		{"deep parts", nested(20000, func(s *model.Schema) *model.Schema {
			return &model.Schema{AllOf: []*model.Schema{s, s}}
		}), 1},
		{"many fields", many, maxProtos + maxGenes},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, g := source(1), New(c.schema)
			most := 0
			for range 20 {
				g.Sample(r)
				for range 20 {
					Mutate(r, []Gene{g}, Pace{})
				}
				most = max(most, ActiveCount(g))
			}
			if most > c.most {
				t.Errorf("%d genes, want at most %d", most, c.most)
			}
		})
	}
}

// A huge field leaves room for the small fields after it.
func TestRoomIsShared(t *testing.T) {
	s := &model.Schema{Type: "object", Properties: []model.Property{
		field("huge", false, wide(10, 10, false)),
		field("small", false, &model.Schema{Type: "boolean"}),
		field(
			"object", false,
			&model.Schema{Type: "object", Properties: []model.Property{field("x", true, &model.Schema{Type: "boolean"})}},
		),
	}}
	g := New(s).(*Object)
	if len(g.names) != 3 {
		t.Errorf("kept %v", g.names)
	}
}
