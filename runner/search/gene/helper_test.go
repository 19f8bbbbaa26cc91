package gene

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sonde/model"
)

// source returns a random source that depends only on the seed.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// sampled returns a sampled gene of the schema.
func sampled(s *model.Schema, r *rand.Rand) Gene {
	g := New(s)
	g.Sample(r)
	return g
}

// values returns the texts of n samples with their counts.
func values(s *model.Schema, n int) map[string]int {
	r, g, seen := source(1), New(s), map[string]int{}
	for range n {
		g.Sample(r)
		seen[Text(g)]++
	}
	return seen
}

// decode returns the value of the gene as decoded from its JSON.
func decode(t interface{ Fatalf(string, ...any) }, g Gene) any {
	var v any
	if err := json.Unmarshal(JSON(g), &v); err != nil {
		t.Fatalf("JSON %s: %v", JSON(g), err)
	}
	return v
}

// broken returns the constraint of the schema that a decoded value violates, "" if there is none.
// It does not use the genes, and ignores formats.
func broken(s *model.Schema, v any) string {
	if v == nil && s.Nullable {
		return ""
	}
	if len(s.Enum) > 0 {
		return brokenEnum(s, v)
	}
	for _, part := range s.AllOf {
		if why := broken(part, v); why != "" {
			return why
		}
	}
	if len(s.OneOf) > 0 && !slices.ContainsFunc(s.OneOf, func(alt *model.Schema) bool { return broken(alt, v) == "" }) {
		return fmt.Sprintf("%v is none of oneOf", v)
	}
	switch s.Type {
	case "integer", "number":
		return brokenNumber(s, v)
	case "string":
		return brokenString(s, v)
	case "array":
		return brokenArray(s, v)
	case "object":
		return brokenObject(s, v)
	case "boolean":
		if _, ok := v.(bool); !ok {
			return fmt.Sprintf("%v is no boolean", v)
		}
	}
	return ""
}

func brokenEnum(s *model.Schema, v any) string {
	for _, e := range s.Enum {
		if fmt.Sprintf("%T %v", e, e) == fmt.Sprintf("%T %v", v, v) {
			return ""
		}
	}
	return fmt.Sprintf("%v is not in %v", v, s.Enum)
}

func brokenNumber(s *model.Schema, v any) string {
	f, ok := v.(float64)
	switch {
	case !ok:
		return fmt.Sprintf("%v is no number", v)
	case s.Type == "integer" && f != math.Trunc(f):
		return fmt.Sprintf("%v is not whole", f)
	case s.Min != nil && (f < *s.Min || s.ExclusiveMin && f == *s.Min):
		return fmt.Sprintf("%v is under %v", f, *s.Min)
	case s.Max != nil && (f > *s.Max || s.ExclusiveMax && f == *s.Max):
		return fmt.Sprintf("%v is over %v", f, *s.Max)
	}
	if s.MultipleOf != nil {
		if k := f / *s.MultipleOf; math.Abs(k-math.Round(k)) > 1e-9*math.Max(1, math.Abs(k)) {
			return fmt.Sprintf("%v is no multiple of %v", f, *s.MultipleOf)
		}
	}
	return ""
}

func brokenString(s *model.Schema, v any) string {
	text, ok := v.(string)
	n := utf8.RuneCountInString(text)
	switch {
	case !ok:
		return fmt.Sprintf("%v is no string", v)
	case n < s.MinLength || s.MaxLength != nil && n > *s.MaxLength:
		return fmt.Sprintf("%q has %d characters", text, n)
	case s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(text):
		return fmt.Sprintf("%q does not match %q", text, s.Pattern)
	case strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f }):
		return fmt.Sprintf("%q has a control character", text)
	}
	return ""
}

func brokenArray(s *model.Schema, v any) string {
	list, ok := v.([]any)
	if !ok || len(list) < s.MinItems || s.MaxItems != nil && len(list) > *s.MaxItems {
		return fmt.Sprintf("%v is no list of the right length", v)
	}
	seen := map[string]bool{}
	for _, e := range list {
		if why := broken(s.Items, e); why != "" {
			return why
		}
		text := fmt.Sprintf("%T %v", e, e)
		if s.Unique && seen[text] {
			return fmt.Sprintf("%v is there twice", e)
		}
		seen[text] = true
	}
	return ""
}

func brokenObject(s *model.Schema, v any) string {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Sprintf("%v is no object", v)
	}
	for _, p := range s.Properties {
		field, there := m[p.Name]
		if !there && p.Required {
			return fmt.Sprintf("%q is missing", p.Name)
		}
		if there {
			if why := broken(p.Schema, field); why != "" {
				return p.Name + ": " + why
			}
		}
	}
	return ""
}

// product returns a schema like those in the specs of real services.
func product() *model.Schema {
	text := func(format string) *model.Schema { return &model.Schema{Type: "string", Format: format} }
	return &model.Schema{Name: "Product", Type: "object", Properties: []model.Property{
		{Name: "id", Schema: &model.Schema{Type: "integer", Format: "int64", ReadOnly: true}},
		{Name: "name", Required: true, Schema: &model.Schema{Type: "string", MinLength: 1, MaxLength: new(40), Examples: []any{"Tent"}}},
		{Name: "sku", Required: true, Schema: &model.Schema{Type: "string", Pattern: `^[A-Z]{3}-\d{2,5}$`}},
		{Name: "price", Required: true, Schema: &model.Schema{Type: "number", Min: new(0.0), MultipleOf: new(0.01)}},
		{Name: "stock", Schema: &model.Schema{Type: "integer", Format: "int32", Min: new(0.0), Max: new(10000.0)}},
		{Name: "state", Schema: &model.Schema{Type: "string", Enum: []any{"draft", "active", "retired"}}},
		{Name: "released", Schema: text("date")},
		{Name: "updated", Schema: text("date-time")},
		{Name: "maker", Schema: text("email")},
		{Name: "active", Schema: &model.Schema{Type: "boolean", Default: true}},
		{Name: "note", Schema: &model.Schema{Type: "string", Nullable: true}},
		{Name: "tags", Schema: &model.Schema{Type: "array", Items: text(""), Unique: true}},
		{Name: "size", Schema: &model.Schema{Type: "object", Properties: []model.Property{
			{Name: "width", Required: true, Schema: &model.Schema{Type: "number", Min: new(0.0), ExclusiveMin: true}},
			{Name: "height", Required: true, Schema: &model.Schema{Type: "number", Min: new(0.0), ExclusiveMin: true}},
		}}},
		{Name: "labels", Schema: &model.Schema{Type: "object", Additional: text("")}},
	}}
}

func mustFit(t *testing.T, s *model.Schema, g Gene) {
	t.Helper()
	if why := broken(s, decode(t, g)); why != "" {
		t.Fatalf("%s: %s", JSON(g), why)
	}
}
