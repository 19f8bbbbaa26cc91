package gene

import (
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

func TestArrayLengths(t *testing.T) {
	whole := &model.Schema{Type: "integer"}
	cases := []struct {
		name   string
		schema model.Schema
		lo, hi int // lengths that samples and mutants reach
	}{
		{"no bounds", model.Schema{}, 0, 5},
		{"at least", model.Schema{MinItems: 3}, 3, 5},
		{"more than usual", model.Schema{MinItems: 8}, 8, 8},
		{"at most", model.Schema{MaxItems: new(2)}, 0, 2},
		{"many", model.Schema{MaxItems: new(1000)}, 0, manyItems},
		{"none", model.Schema{MaxItems: new(0)}, 0, 0},
		{"the wrong way round", model.Schema{MinItems: 4, MaxItems: new(1)}, 1, 4},
		{"endless", model.Schema{MinItems: 1 << 40}, maxItems, maxItems},
		{"negative", model.Schema{MinItems: -3, MaxItems: new(-1)}, 0, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.schema.Type, c.schema.Items = "array", whole
			r, g := source(1), New(&c.schema)
			lo, hi := 1<<40, -1
			for range 40 {
				g.Sample(r)
				for range 50 {
					n := len(Elements(g))
					lo, hi = min(lo, n), max(hi, n)
					g.MutateValue(r, Pace{})
				}
			}
			if lo != c.lo || hi != c.hi {
				t.Errorf("lengths %d to %d, want %d to %d", lo, hi, c.lo, c.hi)
			}
		})
	}
}

func TestUniqueArrays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &model.Schema{
			Type: "array", Unique: true, MinItems: rapid.IntRange(0, 3).Draw(t, "min"),
			Items: &model.Schema{Type: "integer", Min: new(0.0), Max: new(rapid.Float64Range(4, 12).Draw(t, "max"))},
		}
		r := source(rapid.Uint64().Draw(t, "seed"))
		g := sampled(s, r)
		for range 50 {
			if why := broken(s, decode(t, g)); why != "" {
				t.Fatal(why)
			}
			before := string(JSON(g))
			if Mutate(r, []Gene{g}, Pace{}) != (string(JSON(g)) != before) {
				t.Fatalf("%s from %s", JSON(g), before)
			}
		}
	})
}

func TestUniqueArrayOfTooFewValues(t *testing.T) {
	s := &model.Schema{Type: "array", Unique: true, MinItems: 3, Items: &model.Schema{Type: "boolean"}}
	r, g := source(1), New(s)
	for range 50 {
		g.Sample(r)
		Mutate(r, []Gene{g}, Pace{})
		if n := len(Elements(g)); n > 2 {
			t.Fatalf("%s has %d different booleans", JSON(g), n)
		}
	}
}

func TestArrayMutationReachesElements(t *testing.T) {
	s := &model.Schema{Type: "array", MinItems: 2, MaxItems: new(2), Items: &model.Schema{Type: "boolean"}}
	r, g := source(1), sampled(s, source(1))
	seen := map[string]bool{}
	for range 100 {
		Mutate(r, []Gene{g}, Pace{})
		seen[string(JSON(g))] = true
	}
	if len(seen) != 4 {
		t.Errorf("saw %d of 4 values", len(seen))
	}
}

func TestMap(t *testing.T) {
	s := &model.Schema{Type: "object", Additional: &model.Schema{Type: "integer", Min: new(0.0)}}
	r, g := source(1), New(s)
	if _, ok := g.(*Map); !ok {
		t.Fatalf("got %T", g)
	}
	sizes := map[int]bool{}
	for range 200 {
		g.Sample(r)
		for range 10 {
			before := string(JSON(g))
			Mutate(r, []Gene{g}, Pace{})
			if string(JSON(g)) == before {
				t.Fatalf("%s did not change", before)
			}
			fields := decode(t, g).(map[string]any)
			if len(fields) != len(PresentFields(g)) {
				t.Fatalf("%s repeats a name", JSON(g))
			}
			sizes[len(fields)] = true
			for name, v := range fields {
				if why := broken(s.Additional, v); why != "" {
					t.Fatalf("%s: %s", name, why)
				}
			}
		}
	}
	if len(sizes) != 6 {
		t.Errorf("sizes %v, want 0 to 5", sizes)
	}
}

func TestObjectKeepsOrder(t *testing.T) {
	s := product()
	r, g := source(1), New(s)
	for range 50 {
		g.Sample(r)
		last := -1
		for _, f := range PresentFields(g) {
			at := -1
			for i, p := range s.Properties {
				if p.Name == f.Name {
					at = i
				}
			}
			if at <= last {
				t.Fatalf("%s is not in order", JSON(g))
			}
			last = at
		}
	}
}

func TestObjectWithFurtherFields(t *testing.T) {
	s := &model.Schema{
		Type:       "object",
		Properties: []model.Property{{Name: "a", Required: true, Schema: &model.Schema{Type: "boolean"}}},
		Additional: &model.Schema{Type: "integer"},
	}
	r, g := source(1), New(s)
	most := 0
	for range 300 {
		g.Sample(r)
		Mutate(r, []Gene{g}, Pace{})
		names := map[string]bool{}
		for _, f := range PresentFields(g) {
			if names[f.Name] {
				t.Fatalf("%s repeats %q", JSON(g), f.Name)
			}
			names[f.Name] = true
		}
		mustFit(t, s, g)
		most = max(most, len(names))
	}
	if most != 6 {
		t.Errorf("at most %d fields, want 6", most)
	}
}

func TestSetObject(t *testing.T) {
	g := sampled(product(), source(3))
	ok := g.SetValue(map[string]any{
		"name": "Boot", "sku": "BOO-77", "price": 12.5, "note": nil, "tags": []any{"a", "b"},
		"size": map[string]any{"width": 1.0, "height": 2.0}, "labels": map[string]any{"z": "1", "k": "2"},
	})
	want := `{"name":"Boot","sku":"BOO-77","price":12.5,"note":null,"tags":["a","b"],` +
		`"size":{"width":1,"height":2},"labels":{"k":"2","z":"1"}}`
	if got := string(JSON(g)); !ok || got != want {
		t.Errorf("fits is %v\n got %s\nwant %s", ok, got, want)
	}
	if g.SetValue(map[string]any{"name": "Boot", "sku": "no"}) || g.SetValue("text") {
		t.Error("a value that does not fit was taken whole")
	}
	mustFit(t, product(), g)
}
