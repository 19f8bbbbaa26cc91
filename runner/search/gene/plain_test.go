package gene

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

func TestPlain(t *testing.T) {
	text := func(low int, examples ...any) *model.Schema {
		return &model.Schema{Type: "string", MinLength: low, Examples: examples}
	}
	for _, c := range []struct {
		name   string
		schema *model.Schema
		want   string
	}{
		{"text", text(0), `""`},
		{"text of a length", text(3), `"aaa"`},
		{"example", text(3, "x", "Tent"), `"Tent"`},
		{"default", &model.Schema{Type: "integer", Default: 7.0, Examples: []any{3.0}}, `7`},
		{"format", &model.Schema{Type: "string", Format: "date"}, `"2000-01-01"`},
		{"number", &model.Schema{Type: "number"}, `0`},
		{"bound next to 0", &model.Schema{Type: "integer", Max: new(-5.0)}, `-5`},
		{"open bound", &model.Schema{Type: "integer", Min: new(0.0), ExclusiveMin: true}, `1`},
		{"enum", &model.Schema{Enum: []any{"b", "a"}}, `"b"`},
		{"null", &model.Schema{Type: "boolean", Nullable: true}, `false`},
		{"list", &model.Schema{Type: "array", MinItems: 2, Items: &model.Schema{Type: "integer"}}, `[0,0]`},
		{
			"object",
			&model.Schema{Type: "object", Properties: []model.Property{field("note", false, text(0)), field("name", true, text(1))}},
			`{"name":"a"}`,
		},
		{
			"bounded object",
			&model.Schema{Type: "object", MinProps: 1, Properties: []model.Property{field("note", false, text(2))}},
			`{"note":"aa"}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := source(4)
			for range 20 {
				if got := string(JSON(Simplest(sampled(c.schema, r)))); got != c.want {
					t.Fatalf("got %s, want %s", got, c.want)
				}
			}
		})
	}
}

// Plainer values are valid, and every sequence of plainer values ends.
func TestPlainerKeepsTheSchema(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := fairSchema(t, 3)
		g := sampled(s, source(rapid.Uint64().Draw(t, "seed")))
		for steps := 0; ; steps++ {
			next := slices.Collect(Simpler(g))
			for _, c := range next {
				if why := broken(s, decode(t, c)); why != "" {
					t.Fatalf("%s became %s: %s", JSON(g), JSON(c), why)
				}
			}
			if len(next) == 0 {
				return
			}
			if steps > 5000 {
				t.Fatalf("%s has no end", JSON(g))
			}
			g = next[rapid.IntRange(0, len(next)-1).Draw(t, "next")]
		}
	})
}

// Whatever the schema is, the plainest value is JSON, and the gene is not changed.
func TestPlainOfHostileSchemas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := sampled(hostileSchemas(t)[0], source(rapid.Uint64().Draw(t, "seed")))
		before := string(JSON(g))
		mustBeSane(t, Simplest(g))
		n := 0
		for c := range Simpler(g) {
			mustBeSane(t, c)
			n++
			if n == 100 {
				break
			}
		}
		if string(JSON(g)) != before {
			t.Fatalf("%s became %s", before, JSON(g))
		}
	})
}

// The fields of an object are made plain independently.
func TestPlaces(t *testing.T) {
	root := sampled(product(), source(3))
	places := SimplifiableParts(&root)
	if len(places) < 10 {
		t.Fatalf("%d places", len(places))
	}
	for _, p := range places {
		*p = Simplest(*p)
	}
	if got, want := string(JSON(root)), string(JSON(Simplest(root))); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
