package gene

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

// fairSchema draws a schema that at least one value satisfies. Samples of its gene must be valid.
func fairSchema(t *rapid.T, depth int) *model.Schema {
	kinds := []string{"number", "string", "boolean", "enum", "pattern"}
	if depth > 0 {
		kinds = append(kinds, "object", "array", "oneOf", "allOf")
	}
	s := &model.Schema{}
	switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
	case "number":
		s = numberSchema(t)
	case "string":
		s = &model.Schema{Type: "string", MinLength: rapid.IntRange(0, 4).Draw(t, "min")}
		s.MaxLength = new(s.MinLength + rapid.IntRange(0, 9).Draw(t, "more"))
	case "enum":
		s = &model.Schema{Type: "string", Enum: []any{"a", "b", 3.0, true}}
	case "pattern":
		s = &model.Schema{Type: "string", Pattern: rapid.SampledFrom([]string{`^[A-Z]\d+$`, `^(x|yz){2}$`, `[a-c]`}).Draw(t, "pattern")}
	case "object":
		s = fairObject(t, depth)
	case "array":
		s = &model.Schema{Type: "array", Items: fairSchema(t, depth-1), MinItems: rapid.IntRange(0, 2).Draw(t, "min")}
	case "oneOf":
		s = &model.Schema{OneOf: []*model.Schema{fairSchema(t, depth-1), fairSchema(t, depth-1)}}
	case "allOf":
		o := fairObject(t, depth)
		s = &model.Schema{AllOf: []*model.Schema{o, {Properties: []model.Property{field("extra", true, fairSchema(t, depth-1))}}}}
	default:
		s.Type = kind
	}
	s.Nullable = rapid.IntRange(0, 4).Draw(t, "null") == 0
	return s
}

func fairObject(t *rapid.T, depth int) *model.Schema {
	s := &model.Schema{Type: "object"}
	for i := range rapid.IntRange(0, 4).Draw(t, "fields") {
		s.Properties = append(s.Properties, field(string(rune('a'+i)), rapid.Bool().Draw(t, "required"), fairSchema(t, depth-1)))
	}
	return s
}

func TestSamplesKeepTheirSchema(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := fairSchema(t, 3)
		r := source(rapid.Uint64().Draw(t, "seed"))
		g := New(s)
		for range 10 {
			g.Sample(r)
			if why := broken(s, decode(t, g)); why != "" {
				t.Fatalf("%s: %s", JSON(g), why)
			}
		}
	})
}

// hostileSchemas draws schemas that refer to each other at random and may have any constraints.
func hostileSchemas(t *rapid.T) []*model.Schema {
	schemas := make([]*model.Schema, rapid.IntRange(1, 6).Draw(t, "schemas"))
	for i := range schemas {
		schemas[i] = &model.Schema{}
	}
	one := func() *model.Schema {
		if rapid.IntRange(0, 9).Draw(t, "nil") == 0 {
			return nil
		}
		return rapid.SampledFrom(schemas).Draw(t, "ref")
	}
	some := func() []*model.Schema {
		var list []*model.Schema
		for range max(rapid.IntRange(-6, 3).Draw(t, "refs"), 0) {
			list = append(list, one())
		}
		return list
	}
	for _, s := range schemas {
		hostileShape(t, s)
		hostileValues(t, s)
		s.AllOf, s.OneOf, s.AnyOf = some(), some(), some()
		s.Items, s.Additional = one(), one()
		for range max(rapid.IntRange(-2, 4).Draw(t, "properties"), 0) {
			name := rapid.SampledFrom([]string{"", "a", "b", "\"\n"}).Draw(t, "name")
			s.Properties = append(s.Properties, field(name, rapid.Bool().Draw(t, "required"), one()))
		}
	}
	return schemas
}

func hostileShape(t *rapid.T, s *model.Schema) {
	s.Type = rapid.SampledFrom([]string{"", "string", "integer", "number", "boolean", "array", "object", "null", "file"}).Draw(t, "type")
	s.Format = rapid.SampledFrom([]string{
		"", "", "int8", "int64", "float", "date", "time", "date-time", "uuid", "byte", "email", "x",
	}).Draw(t, "format")
	s.Nullable, s.ReadOnly = rapid.Bool().Draw(t, "nullable"), rapid.IntRange(0, 9).Draw(t, "read-only") == 0
	s.ExclusiveMin, s.ExclusiveMax = rapid.Bool().Draw(t, "open"), rapid.Bool().Draw(t, "open")
	s.Unique = rapid.Bool().Draw(t, "unique")
	number := rapid.SampledFrom([]*float64{
		nil, nil, new(0.0), new(-1.5), new(3.0), new(1e300), new(-1e300), new(5e-324), new(math.MaxFloat64),
	})
	s.Min, s.Max, s.MultipleOf = number.Draw(t, "min"), number.Draw(t, "max"), number.Draw(t, "step")
	length := rapid.SampledFrom([]int{-1, 0, 0, 2, 20, math.MaxInt, math.MinInt})
	s.MinLength, s.MinItems = length.Draw(t, "length"), length.Draw(t, "items")
	if rapid.Bool().Draw(t, "bounded") {
		s.MaxLength, s.MaxItems = new(length.Draw(t, "length")), new(length.Draw(t, "items"))
	}
	s.Pattern = rapid.SampledFrom([]string{"", "", "(", "^a$", `[^\s\S]`, `(?=x)y`, `(a*)*{2,9}`, `^$`}).Draw(t, "pattern")
}

func hostileValues(t *rapid.T, s *model.Schema) {
	value := rapid.SampledFrom([]any{
		nil, nil, nil, "x", 1.0, 2.5, true, json.Number("1e999"), "\xff", math.NaN(),
		[]any{1.0, nil},
		map[string]any{"a": "x", "c": []any{}},
		struct{ C chan int }{},
	})
	s.Const = value.Draw(t, "const")
	s.Default = value.Draw(t, "default")
	for range max(rapid.IntRange(-3, 2).Draw(t, "values"), 0) {
		s.Enum = append(s.Enum, value.Draw(t, "enum"))
		s.Examples = append(s.Examples, value.Draw(t, "example"))
	}
}

// For every schema, the JSON is valid, bounded, and the same for the same seed, and clones are
// independent.
func TestHostileSchemas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := hostileSchemas(t)[0]
		seed := rapid.Uint64().Draw(t, "seed")
		twin, r := source(seed), source(seed)
		a, b := New(s), New(s)
		mustBeSane(t, a)
		a.Sample(r)
		b.Sample(twin)
		for range 5 {
			mustBeSane(t, a)
			if !bytes.Equal(JSON(a), JSON(b)) {
				t.Fatalf("same seed gives %s and %s", JSON(a), JSON(b))
			}
			mustBeIndependent(t, a)
			Mutate(r, []Gene{a}, Pace{})
			Mutate(twin, []Gene{b}, Pace{})
		}
	})
}

func mustBeSane(t *rapid.T, g Gene) {
	text := JSON(g)
	if !json.Valid(text) || !bytes.Equal(bytes.ToValidUTF8(text, nil), text) {
		t.Fatalf("%q is not JSON", text)
	}
	var compacted bytes.Buffer
	json.Compact(&compacted, text)
	if !bytes.Equal(compacted.Bytes(), text) {
		t.Fatalf("%s is not compact", text)
	}
	if n := ActiveCount(g); n > 3*maxGenes {
		t.Fatalf("%d genes", n)
	}
	if Text(g) != strings.ToValidUTF8(Text(g), "") {
		t.Fatalf("text %q", Text(g))
	}
}

func mustBeIndependent(t *rapid.T, g Gene) {
	r, before := source(9), string(JSON(g))
	c := g.Clone()
	if string(JSON(c)) != before {
		t.Fatalf("clone of %s is %s", before, JSON(c))
	}
	for range 3 {
		Mutate(r, []Gene{c}, Pace{})
	}
	frozen := string(JSON(c))
	c2 := c.Clone()
	c2.Sample(r)
	if string(JSON(g)) != before || string(JSON(c)) != frozen {
		t.Fatalf("%s changed with its clone", before)
	}
}

// Many goroutines may clone one tree at the same time. The race detector checks that.
func TestPrototypeIsShared(t *testing.T) {
	proto := New(product())
	texts := make(chan string)
	for range 8 {
		go func() {
			r, g := source(7), proto.Clone()
			g.Sample(r)
			Mutate(r, []Gene{g}, Pace{})
			texts <- string(JSON(g))
		}()
	}
	first := <-texts
	for range 7 {
		if text := <-texts; text != first {
			t.Errorf("got %s and %s", first, text)
		}
	}
}
