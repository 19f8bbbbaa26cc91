package gene

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

// Each variant is valid. The gene does not change.
func TestVariantsKeepTheSchema(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := fairSchema(rt, 2)
		r := source(rapid.Uint64().Draw(rt, "seed"))
		g := sampled(s, r)
		before := string(JSON(g))
		for _, v := range Variants(r, g, 1000) {
			if why := broken(s, decode(rt, v)); why != "" {
				rt.Fatalf("%s, of %s: %s", JSON(v), before, why)
			}
		}
		if after := string(JSON(g)); after != before {
			rt.Fatalf("%s became %s", before, after)
		}
	})
}

func TestVariants(t *testing.T) {
	low, high, three := 1.0, 9.0, 3
	item := &model.Schema{Type: "boolean"}
	for _, c := range []struct {
		name   string
		schema *model.Schema
		from   any
		want   []string // values that must be among the variants
		most   int
	}{
		{"a list of values", &model.Schema{Enum: []any{"a", "b", "c"}}, "b", []string{`"a"`, `"c"`}, 2},
		{"a flag", &model.Schema{Type: "boolean"}, true, []string{"false"}, 1},
		{"a number's bounds", &model.Schema{Type: "integer", Min: &low, Max: &high}, 5.0, []string{"1", "2", "8", "9"}, 4},
		{"a list", &model.Schema{Type: "array", Items: item, MaxItems: &three}, []any{true}, []string{"[]", "[true,true]", "[false]"}, 4},
		{
			"what may be absent", optional("a", &model.Schema{Enum: []any{"x", "y"}}),
			map[string]any{},
			[]string{`{"a":"x"}`, `{"a":"y"}`},
			3,
		},
		{"what is there", optional("a", &model.Schema{Enum: []any{"x"}}), map[string]any{"a": "x"}, []string{`{}`}, 1},
		{"null", &model.Schema{Type: "boolean", Nullable: true}, true, []string{"null", "false"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, got := New(c.schema), map[string]bool{}
			if !g.SetValue(c.from) {
				t.Fatalf("cannot be %v", c.from)
			}
			for _, v := range Variants(source(1), g, 1000) {
				got[string(JSON(v))] = true
			}
			for _, want := range c.want {
				if !got[want] {
					t.Errorf("no %s among %v", want, got)
				}
			}
			if len(got) > c.most {
				t.Errorf("%d variants, want at most %d: %v", len(got), c.most, got)
			}
		})
	}
}

// optional returns an object schema with one optional property and no others.
func optional(name string, s *model.Schema) *model.Schema {
	return &model.Schema{Type: "object", Closed: true, Properties: []model.Property{{Name: name, Schema: s}}}
}

// A locked gene has no variants.
func TestLockedHasNoVariants(t *testing.T) {
	if got := Variants(source(1), LockValue(sampled(&model.Schema{Type: "boolean"}, source(1))), 1000); len(got) > 0 {
		t.Errorf("%d variants of what is locked", len(got))
	}
}

func TestBare(t *testing.T) {
	g := New(optional("a", &model.Schema{Type: "boolean"}))
	g.SetValue(map[string]any{"a": true})
	OmitOptional(g)
	if string(JSON(g)) != "{}" {
		t.Errorf("%s, want nothing in it", JSON(g))
	}
}

// The variants of a date contain each day of the week.
func TestDaysOfAWeek(t *testing.T) {
	days := map[string]bool{}
	for _, v := range Variants(source(1), sampled(&model.Schema{Type: "string", Format: "date"}, source(1)), 1000) {
		days[Text(v)] = true
	}
	if len(days) < 8 || !days["2024-02-29"] {
		t.Errorf("%v, want the days of a week and one of a leap year", days)
	}
}

// If there could be thousands of variants, random ones are drawn.
func TestVariantsAreBounded(t *testing.T) {
	wide := &model.Schema{Type: "object", Closed: true}
	for i := range 3000 {
		wide.Properties = append(
			wide.Properties,
			model.Property{Name: strconv.Itoa(i), Required: i%2 == 0, Schema: &model.Schema{Type: "integer"}},
		)
	}
	list := &model.Schema{}
	for i := range 500 {
		list.Enum = append(list.Enum, strconv.Itoa(i))
	}
	for name, s := range map[string]*model.Schema{"an object": wide, "a list of values": list} {
		seen := map[string]bool{}
		for seed := range uint64(20) {
			all := Variants(source(seed), sampled(s, source(1)), 40)
			if len(all) == 0 || len(all) > 80 {
				t.Errorf("%s: %d variants", name, len(all))
			}
			for _, v := range all {
				seen[string(JSON(v))] = true
			}
		}
		if len(seen) < 150 {
			t.Errorf("%s: only %d are ever tried", name, len(seen))
		}
	}
}
