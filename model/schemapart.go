package model

import "slices"

// FindInParts calls get for a schema and for the schemas of its allOf, oneOf and anyOf, recursively. It returns the
// first result that is not nil, or nil if there is none. For a nil schema it returns nil.
func FindInParts[T any](s *Schema, get func(*Schema) *T) *T {
	seen := map[*Schema]bool{nil: true}
	var look func(s *Schema) *T
	look = func(s *Schema) *T {
		if seen[s] {
			return nil
		}
		seen[s] = true
		if found := get(s); found != nil {
			return found
		}
		for _, parts := range [][]*Schema{s.AllOf, s.OneOf, s.AnyOf} {
			for _, part := range parts {
				if found := look(part); found != nil {
					return found
				}
			}
		}
		return nil
	}
	return look(s)
}

// XMLHint returns the XML hint of the schema or, if it has none, of the first part of the schema with a hint. It
// returns an empty hint if there is none.
func (s *Schema) XMLHint() XML {
	if x := FindInParts(s, func(s *Schema) *XML { return s.XML }); x != nil {
		return *x
	}
	return XML{}
}

// PropertySchema returns the schema of the named property, which the schema or one of its parts declares. If none
// declares the property, it returns the schema of additional properties, nil if there is none.
func (s *Schema) PropertySchema(name string) *Schema {
	named := FindInParts(s, func(s *Schema) *Schema {
		if p := s.Property(name); p != nil {
			return p.Schema
		}
		return nil
	})
	if named != nil {
		return named
	}
	return FindInParts(s, func(s *Schema) *Schema { return s.Additional })
}

// ItemSchema returns the schema of a list's items, from the schema itself or from one of its parts. It returns nil if
// none of them declares items.
func (s *Schema) ItemSchema() *Schema {
	return FindInParts(s, func(s *Schema) *Schema { return s.Items })
}

// Alternatives returns the schemas of oneOf or, if there are none, those of anyOf.
func (s *Schema) Alternatives() []*Schema {
	if len(s.OneOf) > 0 {
		return s.OneOf
	}
	return s.AnyOf
}

// Requires reports whether the schema or one of its parts requires the named property.
func (s *Schema) Requires(name string) bool {
	required := FindInParts(s, func(s *Schema) *string {
		if p := s.Property(name); p != nil && p.Required || slices.Contains(s.Required, name) {
			return &name
		}
		return nil
	})
	return required != nil
}
