package gene

import (
	"slices"

	"sonde/model"
)

// pair is two schemas that are combined.
type pair [2]*model.Schema

// merged returns the schema with its allOf merged into it, and with its required names marked at the
// properties. Each part is merged once, so that a cycle of parts ends.
func (b *builder) merged(s *model.Schema) *model.Schema {
	if len(s.AllOf)+len(s.Required) == 0 {
		return s
	}
	if m := b.merges[s]; m != nil {
		return m
	}
	out := *s
	out.AllOf = nil
	out.Properties = slices.Clone(s.Properties)
	b.mergeParts(&out, s.AllOf, map[*model.Schema]bool{s: true})
	require(&out)
	b.merges[s] = &out
	return &out
}

func (b *builder) mergeParts(out *model.Schema, parts []*model.Schema, seen map[*model.Schema]bool) {
	for _, part := range parts {
		if part == nil || seen[part] {
			continue
		}
		seen[part] = true
		b.restrict(out, part)
		b.mergeParts(out, part.AllOf, seen)
	}
}

// require marks the properties whose names are required, and adds those that are not declared.
func require(out *model.Schema) {
	for _, name := range out.Required {
		if p := out.Property(name); p != nil {
			p.Required = true
		} else {
			out.Properties = append(out.Properties, model.Property{Name: name, Required: true})
		}
	}
	out.Required = nil
}

// restrict combines two schemas into the first, whole. It mostly narrows whole to the values that part allows, too.
// Where whole and part exclude each other, whole takes precedence.
func (b *builder) restrict(whole, part *model.Schema) {
	whole.Type = first(whole.Type, part.Type)
	whole.Format = first(whole.Format, part.Format)
	whole.ContentMedia = first(whole.ContentMedia, part.ContentMedia)
	whole.Pattern = first(whole.Pattern, part.Pattern)
	whole.Nullable = whole.Nullable || part.Nullable
	whole.ReadOnly = whole.ReadOnly || part.ReadOnly
	restrictValues(whole, part)
	restrictRange(whole, part)
	restrictSizes(whole, part)
	whole.Items = b.both(whole.Items, part.Items)
	whole.Additional = b.both(whole.Additional, part.Additional)
	b.addProperties(whole, part.Properties)
	whole.Required = slices.Concat(whole.Required, part.Required)
	whole.Not = neither(whole.Not, part.Not)
	if whole.Discriminator == nil {
		whole.Discriminator = part.Discriminator
	}
	if len(whole.OneOf) == 0 {
		whole.OneOf = part.OneOf
	} else if len(part.OneOf) > 0 && len(whole.AnyOf) == 0 {
		whole.AnyOf = part.OneOf
	}
	if len(whole.AnyOf) == 0 {
		whole.AnyOf = part.AnyOf
	}
}

// neither combines x and y, the "not" of two schemas. It returns a schema that allows the values that are valid
// for x, for y, or for both. If x or y is nil, it returns the other schema.
func neither(x, y *model.Schema) *model.Schema {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return &model.Schema{AnyOf: []*model.Schema{x, y}}
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func restrictValues(out, part *model.Schema) {
	if len(out.Enum) == 0 {
		out.Enum = part.Enum
	} else if common := intersect(out.Enum, part.Enum); len(common) > 0 {
		out.Enum = common
	}
	if out.Const == nil {
		out.Const = part.Const
	}
	if out.Default == nil {
		out.Default = part.Default
	}
	out.Examples = slices.Concat(out.Examples, part.Examples)
}

// intersect returns the values that are in both lists.
func intersect(a, b []any) []any {
	other := newEnum(b)
	if other == nil {
		return nil
	}
	var both []any
	for _, v := range a {
		if other.SetValue(v) {
			both = append(both, v)
		}
	}
	return both
}

func restrictRange(out, part *model.Schema) {
	if p := part.Min; p != nil && (out.Min == nil || *p > *out.Min || *p == *out.Min && part.ExclusiveMin) {
		out.Min, out.ExclusiveMin = p, part.ExclusiveMin
	}
	if p := part.Max; p != nil && (out.Max == nil || *p < *out.Max || *p == *out.Max && part.ExclusiveMax) {
		out.Max, out.ExclusiveMax = p, part.ExclusiveMax
	}
	out.MultipleOf = commonMultiple(out.MultipleOf, part.MultipleOf)
}

// commonMultiple returns the least common multiple of x and y. If x or y is nil, it returns the other number. It
// returns x if one of the numbers is not whole, or if the multiple is too large.
func commonMultiple(x, y *float64) *float64 {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	a, b := wholeStep(x), wholeStep(y)
	if float64(a) != *x || float64(b) != *y {
		return x
	}
	g, rest := a, b
	for rest != 0 {
		g, rest = rest, g%rest
	}
	if common := float64(a/g) * float64(b); common < 1<<53 {
		return &common
	}
	return x
}

func restrictSizes(out, part *model.Schema) {
	out.MinLength = max(out.MinLength, part.MinLength)
	out.MaxLength = lesser(out.MaxLength, part.MaxLength)
	out.MinItems = max(out.MinItems, part.MinItems)
	out.MaxItems = lesser(out.MaxItems, part.MaxItems)
	out.Unique = out.Unique || part.Unique
	out.MinProps = max(out.MinProps, part.MinProps)
	out.MaxProps = lesser(out.MaxProps, part.MaxProps)
}

func lesser(a, b *int) *int {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

func (b *builder) addProperties(out *model.Schema, props []model.Property) {
	for _, p := range props {
		own := out.Property(p.Name)
		if own == nil {
			out.Properties = append(out.Properties, p)
			continue
		}
		own.Required = own.Required || p.Required
		own.Schema = b.both(own.Schema, p.Schema)
	}
}

// both returns a schema that combines two schemas. It returns the same pointer for the same two schemas, so
// that a cycle is recognized.
func (b *builder) both(x, y *model.Schema) *model.Schema {
	switch {
	case x == nil || x == y:
		return y
	case y == nil:
		return x
	}
	key := pair{x, y}
	if b.pairs[key] == nil {
		b.pairs[key] = &model.Schema{AllOf: []*model.Schema{x, y}}
	}
	return b.pairs[key]
}
